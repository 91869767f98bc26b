import { AppError } from '../../kernel/errors.ts'
import { nextSlice } from '../../kernel/loop-slices.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { StillAllowed } from '../auth/watch-actor.ts'

/** When a stream ends: its reader left, or may no longer read. */
export type StreamEnd = { readonly signal: AbortSignal; readonly allowed: StillAllowed }

/** Where a stream receives changes from. */
export type ChangeSource = Pick<Notifications, 'subscribe' | 'onGap'>

export type LiveStreamOptions = {
  readonly notifications: ChangeSource
  readonly topic: string
  readonly workspaceId: string
  /** The ids that the reader follows; everything by default. See `Notification`. */
  readonly audience?: readonly string[] | undefined
  readonly end: StreamEnd
  /** The keys that exist at the start of the stream, and after missed notifications. */
  readonly existing: () => Promise<readonly string[]>
}

/** `key`: what changed. `isFirst`: it existed when the stream began. */
export type Change = { readonly key: string; readonly isFirst: boolean }

/** A reader with more keys pending than this is too slow. */
const maxPending = 500

/**
 * The keys of what changes in a workspace, existing ones first. A key that changes twice before it is read comes once, so that the queue of
 * a slow reader has a bound; beyond it the stream throws OVERLOADED. After missed notifications all existing keys come again.
 */
export async function* liveStream({
  notifications,
  topic,
  audience,
  workspaceId,
  end,
  existing,
}: LiveStreamOptions): AsyncGenerator<Change> {
  const pending = new Map<string, boolean>()
  let wake = Promise.withResolvers<void>()
  const push = (keys: readonly string[], isFirst: boolean): void => {
    for (const key of keys) if (!pending.has(key)) pending.set(key, isFirst)
    wake.resolve()
  }
  const pushExisting = (): void =>
    void existing().then(
      (keys) => push(keys, false),
      () => undefined,
    )
  using subscriptions = new DisposableStack()
  subscriptions.use(
    notifications.subscribe(
      topic,
      (notification) => void (notification.workspaceId === workspaceId && push([notification.payload], false)),
      audience,
    ),
  )
  subscriptions.use(notifications.onGap(pushExisting))
  subscriptions.use(end.allowed.onDue(() => wake.resolve()))
  push(await existing(), true)
  while (!end.signal.aborted) {
    for (const [key, isFirst] of pending) {
      if (pending.size > maxPending) throw new AppError('OVERLOADED', { detail: 'The stream is read too slowly; subscribe again' })
      pending.delete(key)
      yield { key, isFirst }
    }
    wake = Promise.withResolvers()
    if (pending.size === 0) await waitForChange(wake.promise, end)
    if (end.signal.aborted) return
    // The same change wakes every stream of the workspace.
    await nextSlice()
    await end.allowed.check()
  }
}

/** Resolves on a change, when the reader leaves, or when the reader's permission is due for a check. */
async function waitForChange(changed: Promise<void>, { signal, allowed }: StreamEnd): Promise<void> {
  // An earlier abort is not reported again.
  if (signal.aborted) return
  const other = Promise.withResolvers<void>()
  const stopWaiting = (): void => other.resolve()
  const timer = setTimeout(stopWaiting, allowed.dueInMs())
  signal.addEventListener('abort', stopWaiting, { once: true })
  await Promise.race([changed, other.promise])
  signal.removeEventListener('abort', stopWaiting)
  clearTimeout(timer)
}
