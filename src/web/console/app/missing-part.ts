import { readKeptDialog } from '../phone/kept-dialog.ts'

const prefix = 'A part of the page could not be loaded: '

/**
 * A file of the page could not be loaded: the connection is lost, or the service is a newer version and has other files. In the second case the page
 * is loaded again, except during a call, whose sound it would interrupt. The screen shows the error until then.
 */
export function handleMissingPart(event: Event): void {
  const error = 'payload' in event ? event.payload : null
  // For the browser's own text the router loads the page again, also without a connection: then there would be no page.
  if (error instanceof Error && !isMissingPart(error)) error.message = prefix + error.message
  if (readKeptDialog() === null) void reloadIf((page) => !page.includes(ownScript()))
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(prefix)
}

/** What failed once stays so in this page. */
export function reloadIfReachable(): void {
  void reloadIf(() => true)
}

async function reloadIf(isWanted: (page: string) => boolean): Promise<void> {
  const page = await fetch('/console', { cache: 'no-store', signal: AbortSignal.timeout(5_000) }).then(
    (answer) => (answer.ok ? answer.text() : null),
    () => null,
  )
  if (page !== null && isWanted(page)) location.reload()
}

/** Its name has a hash: each version has another one. */
function ownScript(): string {
  return document.querySelector('script[type="module"]')?.getAttribute('src') ?? ''
}
