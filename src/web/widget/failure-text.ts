import type { Failure } from './failure.ts'

/** The text for the visitor; the service's message if it is meant for visitors. */
export function failureText(failure: Failure): string {
  const { status, retryAfterSeconds } = failure
  if (status === 0)
    return navigator.onLine ? 'We could not be reached. Please try again.' : 'You are offline. Please try again when you are back.'
  if (status === 429 && retryAfterSeconds !== null) return rateLimitText(retryAfterSeconds)
  // For example, the chosen time is gone, or the conversation is too long: the service's message says it.
  if (status === 404 || status === 409 || status === 429) return failure.message || 'That did not work. Please try something else.'
  if (status < 500) return 'That did not work. Please try something else.'
  return 'Something went wrong on our side. Please try again in a moment.'
}

function rateLimitText(seconds: number): string {
  const when = `Please try again in ${waitingTime(seconds)}.`
  return seconds > 600 ? `We cannot answer here for a while. ${when}` : `That was a lot at once. ${when}`
}

/** `20 seconds`, `3 minutes`, `2 hours`. */
export function waitingTime(seconds: number): string {
  if (seconds < 90) return many(Math.max(1, Math.ceil(seconds)), 'second')
  if (seconds < 5_400) return many(Math.ceil(seconds / 60), 'minute')
  return many(Math.ceil(seconds / 3_600), 'hour')
}

function many(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
