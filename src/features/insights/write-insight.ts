import type { LeadOfCall } from '../calls/lead-of-call.ts'
import type { Doctor } from '../../ports/doctors.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import { NonRetryableError } from '../../ports/non-retryable-error.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import { asService } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import { askForInsight } from './ask-model.ts'
import { insightKey, type KeptInsight, parseInsight } from './stored-insight.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { CallRecording, InsightRecords, LeadActivityRecords } from '../../ports/insight-records.ts'

export type WriteInsightDeps = {
  readonly activity: LeadActivityRecords
  readonly insights: Pick<InsightRecords, 'write'>
  readonly leadOfCall: LeadOfCall
  readonly languageModelOf: (workspaceId: string) => Promise<Pick<LanguageModel, 'structured'>>
  /** The call's recording, understood; null where it has not been analysed. */
  readonly recordingOf: (workspaceId: string, callId: string) => Promise<CallRecording | null>
  readonly knownDoctors: (workspaceId: string) => Promise<readonly Doctor[]>
  readonly store: Store
  readonly clock: Clock
}

type Completed = EventOf<'call.completed'>
type Work = { readonly event: Completed; readonly leadId: string; readonly signal: AbortSignal }

const day = 86_400_000
/** Longer than any topic keeps its events: an event that comes again finds its answer. */
const answerKeptMs = 8 * day
const insightKeptMs = 180 * day
const lockMs = 60_000
const refusalsAllowed = 3

/**
 * The consumer of `call.completed`: lead's activity -> model -> the lead's fields. The model's answer is kept under the event before it is
 * written, so a redelivery writes the same text or nothing; an older event never overwrites a newer one's insight.
 */
export function createWriteInsight(deps: WriteInsightDeps) {
  return async (event: Completed, signal: AbortSignal): Promise<void> => {
    const leadId = event.leadId ?? (await deps.leadOfCall(event.workspaceId, event.ucid))
    if (leadId === null || (await isWritten(deps, event))) return
    const work: Work = { event, leadId, signal }
    const insight = (await keptAnswer(deps, event)) ?? (await makeInsight(deps, work))
    await withLeadLock(deps, work, () => writeUnlessNewer(deps, work, insight))
  }
}

const doneKey = ({ workspaceId, id }: Completed): string => `insight-done:${workspaceId}:${id}`
const answerKey = ({ workspaceId, id }: Completed): string => `insight-answer:${workspaceId}:${id}`
const refusalsKey = ({ workspaceId, id }: Completed): string => `insight-refusals:${workspaceId}:${id}`
const lockKey = (workspaceId: string, leadId: string): string => `insight-lock:${workspaceId}:${leadId}`

async function isWritten({ store }: WriteInsightDeps, event: Completed): Promise<boolean> {
  return (await store.get(doneKey(event))) !== null
}

async function keptAnswer({ store }: WriteInsightDeps, event: Completed): Promise<KeptInsight | null> {
  return parseInsight(await store.get(answerKey(event)))
}

async function makeInsight(deps: WriteInsightDeps, { event, leadId, signal }: Work): Promise<KeptInsight> {
  const { store, clock } = deps
  const activity = await deps.activity.read(asService(event.workspaceId, 'INSIGHTS'), leadId, signal)
  if (!activity) throw new NonRetryableError('UNKNOWN_LEAD')
  const model = await deps.languageModelOf(event.workspaceId)
  const recording = event.callId === null ? null : await deps.recordingOf(event.workspaceId, event.callId)
  const doctors = activity.visits.length === 0 ? [] : await deps.knownDoctors(event.workspaceId)
  const answer = await askForInsight(model, { activity, event, recording, doctors, signal }).catch((error: unknown) =>
    countRefusal(deps, event, error),
  )
  const now = isoMoment(clock.now())
  const insight: KeptInsight = { eventId: event.id, occurredAt: event.occurredAt, writtenAt: now, ...answer }
  const first = await store.setIfAbsent(answerKey(event), JSON.stringify(insight), { ttlMs: answerKeptMs })
  return (first ? null : await keptAnswer(deps, event)) ?? insight
}

/** A model that refuses the content, or answers nonsense, three times over makes the event a dead letter; other faults pass. */
async function countRefusal({ store }: WriteInsightDeps, event: Completed, error: unknown): Promise<never> {
  const refused = error instanceof AppError && (error.reason === 'PROVIDER_REFUSED' || error.reason === 'PROVIDER_ANSWER_INVALID')
  if (refused && (await store.increment(refusalsKey(event), 1, { ttlMs: day })) >= refusalsAllowed) {
    // Whoever replays it gives the model as many tries again.
    await store.delete(refusalsKey(event))
    throw new NonRetryableError('MODEL_REFUSED', { cause: error })
  }
  throw error
}

/** Two calls of one lead may end at once, and their events come in any order: one write per lead at a time. */
async function withLeadLock({ store }: WriteInsightDeps, { event, leadId }: Work, step: () => Promise<void>): Promise<void> {
  const key = lockKey(event.workspaceId, leadId)
  const holder = newId()
  if (!(await store.setIfAbsent(key, holder, { ttlMs: lockMs }))) throw new AppError('OVERLOADED', { detail: 'The lead is being written' })
  await step().finally(() => store.compareAndDelete(key, holder))
}

async function writeUnlessNewer(deps: WriteInsightDeps, { event, leadId }: Work, insight: KeptInsight): Promise<void> {
  const { store } = deps
  const newest = parseInsight(await store.get(insightKey(event.workspaceId, leadId)))
  const isNewer = newest !== null && newest.eventId !== event.id && newest.occurredAt >= event.occurredAt
  if (!isNewer && newest?.eventId !== event.id) {
    const { summary, suggestedAction, writtenAt } = insight
    await deps.insights.write(asService(event.workspaceId, 'INSIGHTS'), leadId, { summary, suggestedAction, writtenAt }).catch(leadIsGone)
    await store.set(insightKey(event.workspaceId, leadId), JSON.stringify(insight), { ttlMs: insightKeptMs })
  }
  await store.set(doneKey(event), '1', { ttlMs: answerKeptMs })
}

function leadIsGone(error: unknown): never {
  if (error instanceof AppError && error.reason === 'NOT_FOUND') throw new NonRetryableError('UNKNOWN_LEAD', { cause: error })
  throw error
}
