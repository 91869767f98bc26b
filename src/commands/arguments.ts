/** A wrong use of a command; the message is for the person who typed it. */
export class UsageError extends Error {}

/** The message for a wrong use of a command, and null for any other error. */
export function usageMessage(error: unknown): string | null {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof TypeError && 'code' in error)) return null
  // Node adds advice on positional arguments, which these commands have no use for.
  return error.message.split('. ')[0] ?? error.message
}

/** The address of a service, without a closing slash. Throws UsageError. */
export function serviceAddress(text: string): string {
  if (!/^https?:\/\//.test(text) || !URL.canParse(text)) {
    throw new UsageError(`"${text}" is not the address of a service; it must be like http://127.0.0.1:4100`)
  }
  return text.replace(/\/+$/, '')
}
