import { readKeptDialog } from './kept-dialog.ts'
import { phoneStore } from './phone-state.ts'

const prefix = 'A part of the page could not be loaded: '

/**
 * A file of the page could not be loaded: the connection is lost, or the service is a newer version and has other files. It may be a file that is
 * only loaded ahead, so nothing happens until it is needed. For the browser's own text the router would load the page again, also without a
 * connection: then there would be no page.
 */
export function markMissingPart(event: Event): void {
  const error = 'payload' in event ? event.payload : null
  if (error instanceof Error && !isMissingPart(error)) error.message = prefix + error.message
}

export function isMissingPart(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith(prefix)
}

/** What failed once stays so in this page. */
export function reloadIfReachable(): void {
  void reloadIf(() => true)
}

/** For a part that is needed now. Not during a call, which also rings: the reload would interrupt it. */
export function reloadForNewVersion(): void {
  void reloadIf((page) => !hasCall() && !page.includes(ownScript()))
}

/**
 * For the `catch` of a part beside the screen, which goes on without it: it comes with a new version at once, else when the connection is back. Never settles.
 */
export function waitForReload(): Promise<never> {
  reloadForNewVersion()
  addEventListener('online', () => void reloadIf(() => !hasCall()), { once: true })
  return new Promise(() => undefined)
}

/** For the `catch` of a part that no screen shows the error of. */
export function failForNow(error: unknown): never {
  reloadForNewVersion()
  throw error
}

function hasCall(): boolean {
  return phoneStore.get().call !== null || readKeptDialog() !== null
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
