import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { nextSlice } from '../../../kernel/loop-slices.ts'
import type { Notifications } from '../../../ports/notifications.ts'
import type { StillAllowed } from '../../auth/watch-actor.ts'

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
  /** The keys that exist at the start of the stream, and after missed notifications. If they cannot be read, the stream ends with the error. */
  readonly existing: () => Promise<readonly string[]>
}

/** `key`: what changed. `isFirst`: it existed when the stream began. */
export type Change = { readonly key: string; readonly isFirst: boolean }

/** A reader with more keys pending than this, beside the existing ones, is too slow. */
const maxPending = 500
const maxBatch = 100

/** As `liveBatches`, one by one. */
export async function* liveStream(options: LiveStreamOptions): AsyncGenerator<Change> {
  for await (const changes of liveBatches(options)) yield* changes
}

/**
 * The keys of what changes in a workspace, existing ones first, as many at once as are pending, at most 100. A key that changes twice before it is read comes once, so that the queue of
 * a slow reader has a bound; beyond it the stream throws OVERLOADED. After missed notifications all existing keys come again.
 */
export async function* liveBatches({
  notifications,
  topic,
  audience,
  workspaceId,
  end,
  existing,
}: LiveStreamOptions): AsyncGenerator<readonly Change[]> {
  let mostPending = maxPending
  const pending = new Map<string, boolean>()
  let wake = Promise.withResolvers<void>()
  const failures: Error[] = []
  const push = (keys: readonly string[], isFirst: boolean): void => {
    for (const key of keys) if (!pending.has(key)) pending.set(key, isFirst)
    wake.resolve()
  }
  const pushExisting = async (isFirst: boolean): Promise<void> => {
    const keys = await existing()
    mostPending = maxPending + keys.length
    push(keys, isFirst)
  }
  using subscriptions = new DisposableStack()
  subscriptions.use(
    notifications.subscribe(
      topic,
      (notification) => void (notification.workspaceId === workspaceId && push([notification.payload], false)),
      audience,
    ),
  )
  const fail = (error: unknown): void => {
    failures.push(error instanceof Error ? error : new AppError('UNKNOWN', { cause: error }))
    wake.resolve()
  }
  subscriptions.use(notifications.onGap(() => void pushExisting(false).catch(fail)))
  subscriptions.use(end.allowed.onDue(() => wake.resolve()))
  await pushExisting(true)
  while (!end.signal.aborted) {
    if (failures[0]) throw failures[0]
    if (pending.size > mostPending) throw new AppError('OVERLOADED', { detail: 'The stream is read too slowly; subscribe again' })
    const batch = [...pending.entries().take(maxBatch)].map(([key, isFirst]) => ({ key, isFirst }))
    for (const { key } of batch) pending.delete(key)
    if (batch.length > 0) yield batch
    wake = Promise.withResolvers()
    if (pending.size === 0 && failures.length === 0) await waitForChange(wake.promise, end)
    if (end.signal.aborted) return
    // The same change wakes every stream of the workspace.
    await nextSlice()
    await end.allowed.check()
  }
}

/** What was read longer ago is read again before a reader gets it. */
const freshMs = 500

/**
 * The values of keys, as many as can be with one read. If the reader takes its time, the rest is read again: a slow one must not get the state of a
 * minute ago. `read` leaves out what has no value.
 */
export async function* freshValues<Value>(
  { clock }: { readonly clock: Clock },
  keys: readonly string[],
  read: (keys: readonly string[]) => Promise<ReadonlyMap<string, Value>>,
): AsyncGenerator<readonly [key: string, value: Value]> {
  let values: ReadonlyMap<string, Value> = new Map()
  let readAt = Number.NEGATIVE_INFINITY
  for (const [index, key] of keys.entries()) {
    if (clock.now() - readAt >= freshMs) {
      readAt = clock.now()
      values = await read(keys.slice(index))
    }
    const value = values.get(key)
    if (value !== undefined) yield [key, value]
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
