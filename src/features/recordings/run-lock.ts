import { z } from 'zod'
import { AppError, type ErrorData, isErrorReason } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Notifications } from '../../ports/notifications.ts'
import type { Store } from '../../ports/store.ts'
import type { CallKey } from './stored-analyses.ts'

export const stages = ['STARTED', 'FETCHED', 'TRANSCRIBED', 'ANALYSED', 'FAILED'] as const
/** What is done already. */
export type Stage = (typeof stages)[number]

const runSchema = z.object({ runId: z.string(), stage: z.enum(stages), startedAt: z.string() })
/** One analysis of one recording that is under way. */
export type Run = z.output<typeof runSchema>

const faultSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  reason: z.custom<AppError['reason']>(isErrorReason),
  detail: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
})
export type RunFault = z.output<typeof faultSchema>

/** A run that this process holds. */
export type HeldRun = AsyncDisposable & {
  readonly runId: string
  /** Aborts where the run is somebody else's by now. */
  readonly lost: AbortSignal
  reach(stage: Stage): Promise<void>
  fail(error: AppError): Promise<void>
}

/** Who analyses a recording, over all instances: one at a time, and another takes over where it dies. */
export type RunLock = {
  /** Null where somebody holds it. */
  claim(key: CallKey, startedAt: string): Promise<HeldRun | null>
  read(key: CallKey): Promise<Run | null>
  /** How the last run failed, for a minute. */
  readFault(key: CallKey): Promise<RunFault | null>
}

export const progressTopic = 'recording-progress'

const heldMs = 15_000
const renewEveryMs = 4_000
const faultKeptMs = 60_000

export function createRunLock({ store, notifications }: { readonly store: Store; readonly notifications: Notifications }): RunLock {
  const hold = (key: CallKey, first: Run): HeldRun => {
    let current = first
    const lost = new AbortController()
    // One change at a time: each builds on what the one before wrote.
    let turn: Promise<unknown> = Promise.resolve()
    /** A change whose answer was lost may stand all the same: what bears our id is ours. */
    const repair = async (to: Run): Promise<boolean> => {
      const text = await store.get(runKey(key))
      if (text === null || parsed(runSchema, text)?.runId !== first.runId) return false
      return store.compareAndSet(runKey(key), { expected: text, value: JSON.stringify(to), ttlMs: heldMs })
    }
    const change = (to: Run): Promise<void> => {
      const changing = turn.then(async () => {
        const step = { expected: JSON.stringify(current), value: JSON.stringify(to), ttlMs: heldMs }
        if ((await store.compareAndSet(runKey(key), step)) || (await repair(to))) current = to
        else lost.abort(new AppError('OVERLOADED', { detail: 'Another instance goes on with this recording' }))
      })
      turn = changing.catch(() => {})
      return changing
    }
    // Where the store is away for a moment, the next renewal tells.
    const timer = setInterval(() => void change(current).catch(() => {}), renewEveryMs)
    const tell = (stage: Stage) =>
      notifications.publish({ topic: progressTopic, workspaceId: key.workspaceId, payload: JSON.stringify({ callId: key.callId, stage }) })
    return {
      runId: first.runId,
      lost: lost.signal,
      async reach(stage) {
        // How far it is may be known late; whether it is ours still, the renewal finds out.
        await change({ ...current, stage }).catch(() => {})
        await tell(stage)
      },
      async fail(thrown) {
        const fault: RunFault = {
          runId: first.runId,
          startedAt: first.startedAt,
          reason: thrown.reason,
          detail: thrown.message,
          data: dataOf(thrown),
        }
        await store.set(faultKey(key), JSON.stringify(fault), { ttlMs: faultKeptMs }).catch(() => {})
        await tell('FAILED')
      },
      async [Symbol.asyncDispose]() {
        clearInterval(timer)
        await turn
        await store.compareAndDelete(runKey(key), JSON.stringify(current)).catch(() => false)
      },
    }
  }

  return {
    async claim(key, startedAt) {
      const run: Run = { runId: newId(), stage: 'STARTED', startedAt }
      if (!(await store.setIfAbsent(runKey(key), JSON.stringify(run), { ttlMs: heldMs }))) return null
      return hold(key, run)
    },
    read: async (key) => parsed(runSchema, await store.get(runKey(key))),
    readFault: async (key) => parsed(faultSchema, await store.get(faultKey(key))),
  }
}

/** The fault as it was thrown where the run was. */
export function errorOf({ reason, detail, data }: RunFault): AppError {
  return new AppError(reason, data === null ? { detail } : { detail, data })
}

const runKey = ({ workspaceId, callId }: CallKey): string => `recording-run:${workspaceId}:${callId}`
const faultKey = ({ workspaceId, callId }: CallKey): string => `recording-fault:${workspaceId}:${callId}`

function dataOf({ data }: AppError): ErrorData | null {
  return data === undefined ? null : { ...data }
}

function parsed<Value>(schema: z.ZodType<Value>, text: string | null): Value | null {
  return text === null ? null : (schema.safeParse(JSON.parse(text)).data ?? null)
}
