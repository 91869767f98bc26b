import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { ResolvePrincipal } from '../http/request-context.ts'

type Bounds = {
  readonly context: Pick<RequestContext, 'accessToken' | 'signal'>
  /** In `performance.now()` time. */
  readonly deadlineAt: number
  readonly resolvePrincipal: ResolvePrincipal
}

/**
 * The parts of a deferred answer. Throws DEADLINE_PASSED at the deadline, TOKEN_REFUSED instead of a part that comes when the token has ended, and
 * the signal's reason when it is aborted. Nobody waits for the rest then.
 */
export async function* partsWhileAllowed<Part>(
  parts: AsyncIterable<Part>,
  { context, deadlineAt, resolvePrincipal }: Bounds,
): AsyncGenerator<Part> {
  const { accessToken, signal } = context
  const iterator = parts[Symbol.asyncIterator]()
  const ended = Promise.withResolvers<never>()
  // It may be rejected when nobody waits.
  ended.promise.catch(() => undefined)
  const late = setTimeout(() => ended.reject(new AppError('DEADLINE_PASSED')), Math.max(0, deadlineAt - performance.now()))
  const onAbort = (): void => ended.reject(signal.reason)
  signal.addEventListener('abort', onAbort)
  try {
    for (let isFirst = true; ; isFirst = false) {
      const next = iterator.next()
      next.catch(() => undefined)
      const part = await Promise.race([next, ended.promise])
      if (part.done === true) return
      if (!isFirst && accessToken !== null) await resolvePrincipal(accessToken, signal).catch(ignoreOutage)
      yield part.value
    }
  } finally {
    clearTimeout(late)
    signal.removeEventListener('abort', onAbort)
    await iterator.return?.()
  }
}

/** A platform that is away ends nothing: the deadline does. */
function ignoreOutage(error: unknown): void {
  if (!(error instanceof AppError) || error.code === 'UNAUTHENTICATED' || error.code === 'FORBIDDEN') throw error
}
