import { z } from 'zod'
import { AppError, type ErrorData, isErrorReason } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Lease } from '../../ports/lease.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Store } from '../../ports/store.ts'
import { Family } from '../../ports/stored/family.ts'
import { LeaseOf } from '../../ports/stored/lease-of.ts'
import type { CallKey } from './stored-analyses.ts'

export const stages = ['STARTED', 'FETCHED', 'TRANSCRIBED', 'ANALYSED', 'FAILED'] as const
/** The last stage that is complete. */
export type Stage = (typeof stages)[number]

const runSchema = z.object({ runId: z.string(), stage: z.enum(stages), startedAt: z.string() })
/** One analysis of one recording, in progress. */
export type Run = z.output<typeof runSchema>

const failureSchema = z.object({
  runId: z.string(),
  startedAt: z.string(),
  reason: z.custom<AppError['reason']>(isErrorReason),
  detail: z.string(),
  data: z.record(z.string(), z.unknown()).nullable(),
})
export type RunFailure = z.output<typeof failureSchema>

/** A run that this process holds. */
export type HeldRun = AsyncDisposable & {
  readonly runId: string
  /** Aborts when another instance may hold the run. */
  readonly lost: AbortSignal
  reach(stage: Stage): Promise<void>
  fail(error: AppError): Promise<void>
}

type RunPorts = Pick<Ports, 'store' | 'notifications' | 'log'>

export const progressTopic = 'recording-progress'

export const runLease = new LeaseOf({
  name: 'recording-run',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  what: 'an analysis under way',
})

export const runFailures = new Family({
  name: 'recording-failure',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: failureSchema,
  unreadable: 'ABSENT',
  lifetime: 60_000,
  about: 'nothing',
  what: 'why an analysis failed',
})

/** The right to analyse a recording, over all instances: one at a time, and another takes over if it dies. Null if somebody holds it. */
export async function acquireRun(ports: RunPorts, key: CallKey, startedAt: string): Promise<HeldRun | null> {
  const run: Run = { runId: newId(), stage: 'STARTED', startedAt }
  const lease = await runLease.acquire(ports, key, { value: JSON.stringify(run), log: ports.log })
  return lease && heldRun(ports, { key, run, lease })
}

export async function readRun(store: Store, key: CallKey): Promise<Run | null> {
  const held = await runLease.holder({ store }, key)
  return held === null ? null : (runSchema.safeParse(JSON.parse(held)).data ?? null)
}

/** The error of the last run that failed; stored for a minute. */
export async function readRunFailure(store: Store, key: CallKey): Promise<RunFailure | null> {
  return runFailures.read({ store }, key)
}

/** The error as the run threw it. */
export function errorOf({ reason, detail, data }: RunFailure): AppError {
  return new AppError(reason, data === null ? { detail } : { detail, data })
}

function heldRun({ store, notifications }: RunPorts, { key, run, lease }: { key: CallKey; run: Run; lease: Lease }): HeldRun {
  const { runId, startedAt } = run
  const publish = (stage: Stage) =>
    notifications.publish({ topic: progressTopic, workspaceId: key.workspaceId, payload: JSON.stringify({ callId: key.callId, stage }) })
  return {
    runId,
    lost: lease.lost,
    async reach(stage) {
      // A late stage does no harm; the lease's renewal finds out if the run is lost.
      await lease.update(JSON.stringify({ ...run, stage })).catch(() => false)
      await publish(stage)
    },
    async fail({ reason, message: detail, data }) {
      const failure: RunFailure = { runId, startedAt, reason, detail, data: dataOf(data) }
      await runFailures.write({ store }, key, { value: failure }).catch(() => {})
      await publish('FAILED')
    },
    [Symbol.asyncDispose]: () => lease[Symbol.asyncDispose](),
  }
}

function dataOf(data: ErrorData | undefined): ErrorData | null {
  return data === undefined ? null : { ...data }
}
