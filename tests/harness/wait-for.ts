import { setTimeout as delay } from 'node:timers/promises'

const pollEveryMs = 10
/** `TEST_WAIT_MS` is for mutation runs, where most waits that fail are meant to. */
const longMs = Number(process.env['TEST_WAIT_MS'] ?? 240_000)

/**
 * Asks until the condition gives something true and answers that. A condition that throws (a failed `expect`) is asked again, and
 * its last error is the one shown when the deadline passes. The deadline is long: a busy machine must not fail a test.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { deadlineMs = longMs, what = 'the condition' } = {},
): Promise<Exclude<T, false | 0 | '' | null | undefined>> {
  const startedAt = performance.now()
  let fault: unknown
  while (performance.now() - startedAt < deadlineMs) {
    try {
      const value = await condition()
      if (isTruthy(value)) return value
      fault = undefined
    } catch (error) {
      fault = error
    }
    await delay(pollEveryMs)
  }
  throw new Error(`Waited ${deadlineMs} ms for ${what} in vain`, { cause: fault })
}

function isTruthy<T>(value: T): value is Exclude<T, false | 0 | '' | null | undefined> {
  return Boolean(value)
}
