import type { Actor } from '../../access/actor.ts'
import { nextSlice } from '../../kernel/loop-slices.ts'
import { watchActor } from '../auth/watch-actor.ts'
import { findCall, type FindCallPorts } from './find-call.ts'
import type { RecordingPorts } from './recording-ports.ts'
import { errorOf, progressTopic, readRun, readRunFailure, type Stage } from './run-lease.ts'
import { type CallKey, readSharedAnalysis } from './stored-analyses.ts'

export type Progress = { readonly callId: string; readonly stage: Stage; readonly detail: string | null }
type ProgressPorts = FindCallPorts & Pick<RecordingPorts, 'analysisReads' | 'notifications' | 'principals' | 'clock'>

/** A notification may be lost, so the store is polled as well. */
const pollMs = 1_000

/**
 * The stages of a recording, from now until it is ANALYSED or FAILED. If no run is in progress, it waits for one. Ends with the actor's
 * token. Errors: NOT_FOUND, NOT_YOURS.
 */
export async function* followProgress(
  ports: ProgressPorts,
  actor: Actor,
  { callId, signal }: { readonly callId: string; readonly signal: AbortSignal },
): AsyncGenerator<Progress> {
  const { workspaceId } = actor.principal
  const call = await findCall(ports, actor, callId)
  const key = { workspaceId, callId: call.id }
  const allowed = watchActor(ports, actor)
  const update = createUpdate(signal)
  using stack = new DisposableStack()
  stack.use(
    ports.notifications.subscribe(progressTopic, ({ workspaceId: from, payload }) => {
      if (from === workspaceId && payload.includes(call.id)) update.wake()
    }),
  )
  stack.use(allowed.onDue(() => update.wake()))
  const failedBefore = (await readRunFailure(ports.store, key))?.runId ?? null
  let last: Stage | null = null
  while (!signal.aborted) {
    const progress = await progressNow(ports, key, failedBefore)
    if (progress && progress.stage !== last) yield { callId: call.id, ...progress }
    last = progress?.stage ?? last
    if (last === 'ANALYSED' || last === 'FAILED') return
    await update.next()
    if (signal.aborted) return
    await nextSlice()
    await allowed.check()
  }
}

async function progressNow(ports: ProgressPorts, key: CallKey, failedBefore: string | null): Promise<Omit<Progress, 'callId'> | null> {
  const run = await readRun(ports.store, key)
  if (run && run.stage !== 'ANALYSED') return { stage: run.stage, detail: null }
  if (await readSharedAnalysis(ports, key)) return { stage: 'ANALYSED', detail: null }
  const failure = await readRunFailure(ports.store, key)
  return failure && failure.runId !== failedBefore ? { stage: 'FAILED', detail: errorOf(failure).message } : null
}

function createUpdate(signal: AbortSignal): { wake(): void; next(): Promise<void> } {
  let waiting = Promise.withResolvers<void>()
  signal.addEventListener('abort', () => waiting.resolve(), { once: true })
  return {
    wake: () => waiting.resolve(),
    async next() {
      const timer = setTimeout(() => waiting.resolve(), pollMs)
      await waiting.promise
      clearTimeout(timer)
      if (!signal.aborted) waiting = Promise.withResolvers<void>()
    },
  }
}
