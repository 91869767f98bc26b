/** A wrong use of a command; the message is for the person who typed it. */
export class UsageError extends Error {}

/** The message for a wrong use of a command, and null for any other error. */
export function usageMessage(error: unknown): string | null {
  if (error instanceof UsageError) return error.message
  if (!(error instanceof TypeError && 'code' in error)) return null
  // Node adds advice on positional arguments, which these commands have no use for.
  return error.message.split('. ')[0] ?? error.message
}
