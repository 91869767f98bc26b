import { readCall } from '../calls/state/call-state-store.ts'
import { leadOfCall, type LeadOfCallPorts } from '../calls/state/lead-of-call.ts'
import { listDoctorsForModels } from '../doctors/list-doctors-for-models.ts'
import { summarizeRecordings } from '../recordings/summarize-recordings.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import { NonRetryableError } from '../../ports/non-retryable-error.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { asService, type ServiceAccess } from '../../ports/record-access.ts'
import { askForInsight } from './ask-for-insight.ts'
import { insightAnswers, insightLease, type StoredInsight, storedInsights, writtenInsights } from './stored-insight.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { InsightRecords } from '../../ports/insight-records.ts'

export type InsightPorts = LeadOfCallPorts &
  Pick<Ports, 'configuration' | 'leadActivity' | 'doctorDirectory' | 'log'> & {
    readonly insightRecords: Pick<InsightRecords, 'write'>
    readonly languageModelOf: (workspaceId: string) => Promise<Pick<LanguageModel, 'structured'>>
  }

type CallCompleted = EventOf<'call.completed'>
export type InsightWork = {
  /** The last call that the insight is about; its id is that of the event that causes the insight. */
  readonly event: CallCompleted
  readonly leadId: string
  readonly signal: AbortSignal
  /** The call whose recording was analysed; null if the call has just ended. */
  readonly renewedFor: string | null
}

/**
 * The consumer of `call.completed`: reads the lead's activity, asks the model, writes the lead's fields. The model's answer is stored under
 * the event's id before it is written, so an event that is delivered again writes the same text or nothing. An older event never
 * overwrites the insight of a newer one. The insight of a deleted lead is dropped. Errors: NonRetryableError, the platform's, the model's, NOT_CONFIGURED, STORE_UNAVAILABLE, OVERLOADED.
 */
export async function writeInsight(ports: InsightPorts, event: CallCompleted, signal: AbortSignal): Promise<void> {
  // A busy day has thousands of calls without a lead: to look for theirs leaves half of the API key's requests to the records of calls.
  const leadId = event.leadId ?? (await leadOfCall(ports, event, 'RECORDINGS'))
  if (leadId !== null) await writeInsightOf(ports, { event, leadId, signal, renewedFor: null })
}

/** Asks the model once per event, and writes its answer to the lead. Errors: those of `writeInsight`. */
export async function writeInsightOf(ports: InsightPorts, work: InsightWork): Promise<void> {
  const { event, leadId } = work
  if ((await writtenInsights.read(ports, event)) !== null) return
  const insight = (await insightAnswers.read(ports, event)) ?? (await askModelOnce(ports, work))
  if (insight === null) return drop(ports, event)
  // Two calls of one lead may end at the same time, and their events come in any order.
  await insightLease.run(
    ports,
    { workspaceId: event.workspaceId, leadId },
    {
      log: ports.log,
      onBusy: () => new AppError('OVERLOADED', { detail: 'Another insight of this lead is being written' }),
      step: (lost) => writeUnlessOlder(ports, { ...work, signal: lost }, insight),
    },
  )
}

/** Stores the model's answer; null if the lead was deleted. Returns the first stored answer if two processes ask at the same time. */
async function askModelOnce(ports: InsightPorts, work: InsightWork): Promise<StoredInsight | null> {
  const { clock } = ports
  const { event, leadId, signal, renewedFor } = work
  const { workspaceId, callId, ucid } = event
  const activity = await ports.leadActivity.read(accessOf(work), leadId, signal)
  if (!activity) return null
  const model = await ports.languageModelOf(workspaceId)
  const call = await readCall(ports, event)
  const callIds = [callId, renewedFor, ...activity.calls.map(({ id }) => id)].filter((id) => id !== null)
  const recordings = await summarizeRecordings(ports, workspaceId, callIds)
  const doctors = activity.visits.length === 0 ? [] : await listDoctorsForModels(ports, workspaceId)
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const answer = await askForInsight(model, { activity, event, call, recordings, doctors, timeZone, signal }).catch(throwVerdict)
  const now = isoMoment(clock.now())
  const insight: StoredInsight = {
    eventId: event.id,
    occurredAt: event.occurredAt,
    writtenAt: now,
    ...answer,
    ucid,
    recordings: recordings.map(({ callId: id, analyzedAt }) => ({ callId: id, analyzedAt })),
    isRenewal: renewedFor !== null,
  }
  const isFirst = await insightAnswers.writeNew(ports, event, { value: insight })
  return (isFirst ? null : await insightAnswers.read(ports, event)) ?? insight
}

/** The model has had its second try: to ask it again costs as much, and gives the same. All other errors are retried. */
function throwVerdict(error: unknown): never {
  const isVerdict = error instanceof AppError && (error.reason === 'PROVIDER_REFUSED' || error.reason === 'PROVIDER_ANSWER_INVALID')
  throw isVerdict ? new NonRetryableError('MODEL_REFUSED', { cause: error }) : error
}

/** `signal` aborts when the lease is lost: then another event may be writing this lead. */
async function writeUnlessOlder(ports: InsightPorts, work: InsightWork, insight: StoredInsight): Promise<void> {
  const { event, leadId, signal } = work
  const key = { workspaceId: event.workspaceId, leadId }
  const newest = await storedInsights.read(ports, key)
  const isRepeated = newest?.eventId === event.id
  const isOlder = newest !== null && !isRepeated && isNotNewer(insight, newest)
  if (isOlder && insight.isRenewal) {
    await insightAnswers.delete(ports, event)
    throw new AppError('OVERLOADED', { detail: 'A later call of this lead has a newer insight; that one is to be renewed' })
  }
  if (!isRepeated && !isOlder) {
    const { summary, suggestedAction, writtenAt } = insight
    signal.throwIfAborted()
    const isWritten = await ports.insightRecords
      .write(accessOf(work), leadId, { summary, suggestedAction, writtenAt })
      .then(() => true, falseIfGone)
    if (!isWritten) return drop(ports, event)
    signal.throwIfAborted()
    await storedInsights.write(ports, key, { value: insight })
  }
  await writtenInsights.write(ports, event, { value: 1 })
}

/** A renewal is about the same call as the insight that it renews; of these two, the one that is written later knows more. */
function isNotNewer(insight: StoredInsight, newest: StoredInsight): boolean {
  if (newest.occurredAt !== insight.occurredAt) return newest.occurredAt > insight.occurredAt
  return !insight.isRenewal && !newest.isRenewal
}

/** Renewals come last: an agent or a patient may be waiting for the others. */
function accessOf({ event, renewedFor }: InsightWork): ServiceAccess {
  return asService(event.workspaceId, renewedFor === null ? 'INSIGHTS' : 'RECORDINGS')
}

function falseIfGone(error: unknown): false {
  if (error instanceof AppError && error.reason === 'NOT_FOUND') return false
  throw error
}

/** Somebody deleted the lead: there is nothing left to write to, now or later. */
async function drop(ports: InsightPorts, event: CallCompleted): Promise<void> {
  const { workspaceId, ucid } = event
  ports.log.warn({ workspaceId, ucid }, 'insight.dropped')
  await writtenInsights.write(ports, event, { value: 1 })
}
