import { deadlineSignal } from '../../kernel/deadlines.ts'
import type { Log } from '../../kernel/log.ts'
import { loggedReason } from '../../kernel/logged-error.ts'

const deadlineMs = 5_000
/** How long the start waits for the answer. */
const patienceMs = 1_000

/**
 * Logs the address of a platform that does not answer when the service starts, which goes on after a second at most. Disposing ends the
 * check.
 */
export async function reportUnreachable(
  log: Log,
  address: string,
  check: (signal: AbortSignal) => Promise<unknown>,
): Promise<AsyncDisposable> {
  const ending = new AbortController()
  const checked = check(AbortSignal.any([ending.signal, deadlineSignal(deadlineMs)])).catch((error: unknown) => {
    if (!ending.signal.aborted) log.warn({ address, reason: loggedReason(error) }, 'platform.unreachable')
  })
  const patience = Promise.withResolvers<void>()
  const timer = setTimeout(() => patience.resolve(), patienceMs)
  await Promise.race([checked, patience.promise])
  clearTimeout(timer)
  return {
    async [Symbol.asyncDispose]() {
      ending.abort()
      await checked
    },
  }
}
