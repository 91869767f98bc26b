import type { StillAllowed } from '../auth/watch-actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Notifications } from '../../ports/notifications.ts'

/** When a stream ends: its reader left, or may read no longer. */
export type StreamEnd = { readonly signal: AbortSignal; readonly allowed: StillAllowed }

/** Where a stream hears of changes. */
export type StreamNotices = Pick<Notifications, 'subscribe' | 'onGap'>

export type LiveStreamOptions = {
  readonly notifications: StreamNotices
  readonly topic: string
  readonly workspaceId: string
  readonly end: StreamEnd
}

/** What changed, by its key; `isFirst`: it was there as the stream began. */
export type Changed = { readonly key: string; readonly isFirst: boolean }

/** A reader that is behind by more different things than this reads too slowly. */
const mostBehind = 500

/**
 * The keys of what changes in a workspace. What changes twice before it is read comes once, so that what waits for a slow reader has a
 * bound; beyond it the stream ends with OVERLOADED. After missed notices all that stands comes again.
 */
export function createLiveStream({ notifications, topic, workspaceId, end }: LiveStreamOptions) {
  return async function* stream(standing: () => Promise<readonly string[]>): AsyncGenerator<Changed> {
    const behind = new Map<string, boolean>()
    let wake = Promise.withResolvers<void>()
    const push = (keys: readonly string[], isFirst: boolean): void => {
      for (const key of keys) if (!behind.has(key)) behind.set(key, isFirst)
      wake.resolve()
    }
    const again = (): void =>
      void standing().then(
        (keys) => push(keys, false),
        () => undefined,
      )
    using listening = new DisposableStack()
    listening.use(notifications.subscribe(topic, (notice) => void (notice.workspaceId === workspaceId && push([notice.payload], false))))
    listening.use(notifications.onGap(again))
    push(await standing(), true)
    while (!end.signal.aborted) {
      for (const [key, isFirst] of behind) {
        if (behind.size > mostBehind) throw new AppError('OVERLOADED', { detail: 'The stream is read too slowly; subscribe again' })
        behind.delete(key)
        yield { key, isFirst }
      }
      wake = Promise.withResolvers()
      if (behind.size === 0) await next(wake.promise, end)
      await end.allowed.check()
    }
  }
}

/** Waits for something new, for the reader to leave, or for the time to look at the reader again. */
async function next(something: Promise<void>, { signal, allowed }: StreamEnd): Promise<void> {
  const waiting = Promise.withResolvers<void>()
  const leave = (): void => waiting.resolve()
  const timer = setTimeout(leave, allowed.dueInMs())
  signal.addEventListener('abort', leave, { once: true })
  await Promise.race([something, waiting.promise])
  signal.removeEventListener('abort', leave)
  clearTimeout(timer)
}
