import type { Actor } from '../../../access/actor.ts'
import type { Principal } from '../../../access/principal.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { derivedId, isUuid } from '../../../kernel/ids.ts'
import { mapInSlices } from '../../../kernel/loop-slices.ts'
import type { Ports } from '../../../ports/ports.ts'
import { findCall, type FindCallPorts, maySee } from '../find-call.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import { errorOf, readRun, readRunFailure } from '../run-lease.ts'
import { type CallKey, readOfStoredAnalyses } from '../stored-analyses.ts'
import { budgetProblem, type DailyBudget, readDailyBudget } from './daily-budget.ts'
import { needOf } from './recording-need.ts'
import { readWaiting, type WaitingRecording } from './waiting-recordings.ts'

/** `NOT_REQUESTED`: nobody asked for an analysis, and it is not queued. */
export type RecordingState = 'NOT_REQUESTED' | 'WAITING' | 'RUNNING' | 'DONE' | 'FAILED' | 'OVER_BUDGET'
export type RecordingStatus = {
  readonly callId: string
  readonly state: RecordingState
  /** A text for people; null if there is nothing to explain. */
  readonly reason: string | null
  /** Tries without a click that have begun. */
  readonly tries: number
  /** When it is tried again at the earliest, ISO 8601; null: as soon as possible, or never. */
  readonly retryAt: string | null
}

type StatusPorts = Pick<Ports, 'configuration' | 'store' | 'clock'>

/** How far the analysis of a call's recording is, no matter who asked for it. Errors: NOT_FOUND, NOT_YOURS, the platform's, STORE_UNAVAILABLE. */
export async function readRecordingStatus(ports: StatusPorts & FindCallPorts, actor: Actor, callId: string): Promise<RecordingStatus> {
  const { principal } = actor
  const { workspaceId } = principal
  const id = isUuid(callId) ? callId.toLowerCase() : derivedId('call', workspaceId, callId)
  const [known] = await readRecordingStatuses(ports, principal, [id])
  // Without a question to the platform, which may not have the call's record yet.
  if (known) return known
  const call = await findCall(ports, actor, callId)
  const [material = noMaterial] = await readMaterial(ports, workspaceId, [call.id])
  return statusOf(ports, { workspaceId, callId: call.id }, material)
}

/** As many statuses are found at once. */
const foundAtOnce = 20

/** In the order of the ids; equal ids are read once; null for a call that is neither queued nor analysed, or that the principal may not see. Errors: STORE_UNAVAILABLE. */
export async function readRecordingStatuses(
  ports: StatusPorts,
  principal: Principal,
  callIds: readonly string[],
): Promise<readonly (RecordingStatus | null)[]> {
  const ids = callIds.map((callId) => callId.toLowerCase())
  const different = [...new Set(ids)]
  const found = await readMaterial(ports, principal.workspaceId, different)
  const statuses = await mapInSlices([...different.entries()], foundAtOnce, (some) =>
    Promise.all(
      some.map(async ([index, callId]) => {
        const material = found[index] ?? noMaterial
        const owned = material.analysis ?? material.waiting
        if (!owned || !maySee(principal, owned)) return null
        return statusOf(ports, { workspaceId: principal.workspaceId, callId }, material)
      }),
    ),
  )
  const byId = new Map(different.map((callId, index) => [callId, statuses[index] ?? null]))
  return ids.map((callId) => byId.get(callId) ?? null)
}

type Material = {
  readonly analysis: Pick<RecordingAnalysis, 'agentId'> | null
  readonly waiting: WaitingRecording | null
  /** Read only if something waits. */
  readonly budget: (DailyBudget & { readonly isEnabled: boolean }) | null
}
const noMaterial: Material = { analysis: null, waiting: null, budget: null }

async function readMaterial(ports: StatusPorts, workspaceId: string, callIds: readonly string[]): Promise<readonly Material[]> {
  const [analyses, queued] = await Promise.all([
    readOfStoredAnalyses(ports.store, { workspaceId, callIds }, ({ agentId }) => ({ agentId })),
    readWaiting(ports, workspaceId, callIds),
  ])
  const isBudgetNeeded = queued.some((waiting) => waiting?.state === 'WAITING')
  const budget = isBudgetNeeded ? { ...(await readDailyBudget(ports, workspaceId)), isEnabled: await isEnabled(ports, workspaceId) } : null
  return callIds.map((_, index) => ({ analysis: analyses[index] ?? null, waiting: queued[index] ?? null, budget }))
}

async function isEnabled({ configuration }: StatusPorts, workspaceId: string): Promise<boolean> {
  return (await configuration.read(workspaceId, 'ai')).recordings.automatic.enabled
}

async function statusOf({ store }: StatusPorts, key: CallKey, { analysis, waiting, budget }: Material): Promise<RecordingStatus> {
  const { callId } = key
  const tries = waiting?.tries ?? 0
  const plain = { callId, reason: null, tries, retryAt: null }
  if (analysis) return { ...plain, state: 'DONE' }
  if (await readRun(store, key)) return { ...plain, state: 'RUNNING' }
  if (waiting?.state === 'FAILED') return { ...plain, state: 'FAILED', reason: waiting.reason }
  if (waiting) return { ...plain, ...waitingStatus(waiting, budget) }
  const failure = await readRunFailure(store, key)
  return failure ? { ...plain, state: 'FAILED', reason: errorOf(failure).message } : { ...plain, state: 'NOT_REQUESTED' }
}

function waitingStatus(waiting: WaitingRecording, budget: Material['budget']): Pick<RecordingStatus, 'state' | 'reason' | 'retryAt'> {
  const retryAt = waiting.retryAt === null ? null : isoMoment(waiting.retryAt)
  if (budget?.isEnabled === false) return { state: 'WAITING', reason: 'Analysis without a click is switched off', retryAt: null }
  const problem = budget && retryAt === null ? budgetProblem(budget, needOf(waiting)) : null
  if (budget && problem !== null) return { state: 'OVER_BUDGET', reason: problem, retryAt: isoMoment(budget.day.to) }
  return { state: 'WAITING', reason: waiting.reason, retryAt }
}
