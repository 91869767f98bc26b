import type { Doctor, VisitSlot } from '../../ports/doctors.ts'
import type { EventOf } from '../../ports/event-catalogue.ts'
import { isoMoment } from '../../kernel/clock.ts'
import { plainText } from '../../kernel/text.ts'
import { type Insight, insightSchema } from '../../ports/insight.ts'
import type { LanguageModel } from '../../ports/language-model.ts'
import type { CallRecording, LeadActivity } from '../../ports/insight-records.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'

const instructions = `You help the agents of a hospital's call center. You read what is recorded about one lead (a patient or somebody who
asks for one) and tell the next agent what matters. "call" is the call that has just ended, with its outcome and the agent's notes. Write
plain sentences without markup, links or addresses. Use only what is recorded; where little is recorded, say so. Choose the one action that
helps the lead most; NO_ACTION where nothing is open.`

const prompt = 'Summarise this lead after the call that has just ended, and choose what to do next.'

const longest = { summary: 600, reason: 240, text: 1_200 }

export type InsightQuestion = {
  readonly activity: LeadActivity
  readonly event: EventOf<'call.completed'>
  /** What we know of the call ourselves; null if nothing is stored any more. */
  readonly call: KnownCall | null
  /** The analysed recordings of the lead's calls. */
  readonly recordings: readonly CallRecording[]
  /** The doctors that visits are shown with. */
  readonly doctors: readonly Doctor[]
  /** IANA. Times without a zone are in it. */
  readonly timeZone: string
  readonly signal: AbortSignal
}

/**
 * Asks the model once. Texts of the platform are passed as data, never as instructions; the result is plain text and an action of the
 * list. A time that the call did not end before is none to call back at. Errors: the model's.
 */
export async function askForInsight(
  model: Pick<LanguageModel, 'structured'>,
  question: InsightQuestion,
): Promise<Insight & { readonly model: string }> {
  const { activity, event, doctors, timeZone, signal } = question
  const ended = endedCall(question)
  const answer = await model.structured({
    instructions: `${instructions} The clinic's time zone is ${timeZone}.`,
    prompt,
    data: {
      lead: JSON.stringify(activity.lead),
      call: linesOf([ended]),
      ...recordingsOf(question),
      earlierCalls: linesOf(activity.calls.filter(({ ucid }) => ucid !== event.ucid)),
      notes: linesOf(activity.notes),
      tasks: linesOf(activity.tasks),
      timeline: linesOf(activity.timeline),
      visits: linesOf(activity.visits.map((visit) => shownVisit(visit, doctors))),
      ...(activity.unavailable.length > 0 ? { notVisible: activity.unavailable.join(', ') } : {}),
    },
    schema: insightSchema,
    timeZone,
    signal,
  })
  const { summary, suggestedAction, reason, callBackAt } = answer.output
  return {
    summary: plainText(summary, longest.summary) || 'Nothing is recorded that could be summarised.',
    suggestedAction,
    reason: plainText(reason, longest.reason),
    callBackAt: callBackAt !== null && Date.parse(callBackAt) > Date.parse(ended.endedAt) ? isoMoment(Date.parse(callBackAt)) : null,
    model: answer.model,
  }
}

/** What was said in the call that has just ended, and in earlier calls. */
function recordingsOf({ activity, event, recordings }: InsightQuestion): Readonly<Record<string, string>> {
  const said = recordings.map(({ callId, analyzedAt: _analyzedAt, ...recording }) => {
    const call = activity.calls.find(({ id }) => id === callId)
    return { isLast: callId === event.callId || call?.ucid === event.ucid, recording, startedAt: call?.startedAt }
  })
  const last = said.find(({ isLast }) => isLast)
  const earlier = said.filter(({ isLast }) => !isLast).map(({ recording, startedAt }) => ({ startedAt, ...recording }))
  return {
    ...(last && { recording: linesOf([last.recording]) }),
    ...(earlier.length > 0 && { earlierRecordings: linesOf(earlier) }),
  }
}

/**
 * The call that has just ended. The event and our own state come first: the platform's record is written later, and by then it may still
 * be incomplete.
 */
function endedCall({ event, call, activity }: InsightQuestion) {
  const record = activity.calls.find(({ ucid }) => ucid === event.ucid)
  return {
    direction: call?.direction ?? record?.direction ?? null,
    status: call?.phase ?? record?.status ?? null,
    startedAt: call?.startedAt ?? record?.startedAt ?? null,
    endedAt: call?.endedAt ?? event.occurredAt,
    durationSeconds: call?.talkSeconds ?? record?.durationSeconds ?? null,
    disposition: event.disposition ?? call?.disposition ?? record?.disposition ?? null,
    notes: call?.notes ?? record?.notes ?? null,
    scheduledCallback: call?.callBackAt ?? null,
  }
}

/** In the clinic's local time, as the caller knows it. */
function shownVisit({ localStartsAt, durationMinutes, state, doctorId, title }: VisitSlot, doctors: readonly Doctor[]) {
  const doctor = doctors.find(({ id }) => id === doctorId)
  return { localStartsAt, durationMinutes, state, title, doctor: doctor?.name, speciality: doctor?.speciality, clinic: doctor?.clinic }
}

/** One JSON line per entry; long texts are cut. */
function linesOf(entries: readonly Readonly<Record<string, unknown>>[]): string {
  return entries
    .map((entry) => JSON.stringify(entry, (_, value: unknown) => (typeof value === 'string' ? value.slice(0, longest.text) : value)))
    .join('\n')
}
