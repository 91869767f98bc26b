import type { Actor } from '../../access/actor.ts'
import type { WatchCaller } from '../auth/watch-actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { CallOf } from './call-of.ts'
import type { KeptAnalyses } from './stored-analyses.ts'
import { errorOf, progressTopic, type RunLock, type Stage } from './run-lock.ts'

export type FollowProgressDeps = {
  readonly callOf: CallOf
  readonly kept: KeptAnalyses
  readonly lock: RunLock
  readonly notifications: Notifications
  readonly watchCaller: WatchCaller
}

export type Progress = { readonly callId: string; readonly stage: Stage; readonly detail: string | null }
export type FollowProgress = (caller: Actor, callId: string, signal: AbortSignal) => AsyncGenerator<Progress>

/** A notice may be lost: the store is looked at as well. */
const lookEveryMs = 1_000

/**
 * How far a recording is, from now until it is analysed or has failed. Where nothing is under way it waits for it to begin. Ends with the
 * caller's token. Errors: NOT_FOUND, NOT_YOURS.
 */
export function createFollowProgress({ callOf, kept, lock, notifications, watchCaller }: FollowProgressDeps): FollowProgress {
  return async function* follow(caller, callId, signal) {
    const { workspaceId } = caller.principal
    const call = await callOf(caller, callId)
    const key = { workspaceId, callId: call.id }
    const allowed = watchCaller(caller)
    const update = createUpdate(signal)
    using stack = new DisposableStack()
    stack.use(
      notifications.subscribe(progressTopic, (notice) => {
        if (notice.workspaceId === workspaceId && notice.payload.includes(call.id)) update.wake()
      }),
    )
    const failedBefore = (await lock.readFault(key))?.runId
    const now = async (): Promise<Omit<Progress, 'callId'> | null> => {
      const run = await lock.read(key)
      if (run && run.stage !== 'ANALYSED') return { stage: run.stage, detail: null }
      if (await kept.read(key)) return { stage: 'ANALYSED', detail: null }
      const fault = await lock.readFault(key)
      return fault && fault.runId !== failedBefore ? { stage: 'FAILED', detail: errorOf(fault).message } : null
    }
    let told: Stage | null = null
    while (!signal.aborted) {
      const progress = await now()
      if (progress && progress.stage !== told) yield { callId: call.id, ...progress }
      told = progress?.stage ?? told
      if (told === 'ANALYSED' || told === 'FAILED') return
      await update.next()
      await allowed.check()
    }
    throw new AppError('DEADLINE_PASSED')
  }
}

function createUpdate(signal: AbortSignal): { wake(): void; next(): Promise<void> } {
  let waiting = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => waiting.resolve(), { once: true })
  return {
    wake: () => waiting.resolve(),
    async next() {
      const timer = setTimeout(() => waiting.resolve(), lookEveryMs)
      await waiting.promise
      clearTimeout(timer)
      if (!signal.aborted) waiting = Promise.withResolvers<void>()
    },
  }
}
