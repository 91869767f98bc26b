import { isoMoment } from '../../../kernel/clock.ts'
import {
  type CallFacts,
  type ReportedCallFacts,
  callFactsSchema,
  type FactSource,
  factSources,
  type transferTargets,
} from '../../../ports/call-facts.ts'

/**
 * What we know of a call, merged from all reports about it. Each fact has its source and rank; of two that differ, the better one stays. So
 * neither the order of reports nor repetitions nor concurrency change the result: the same reports always make the same call.
 */

export type CallPhase = 'RINGING' | 'ANSWERED' | 'COMPLETED' | 'MISSED'

type AnyFact = { readonly value: string | number | boolean | null; readonly source: FactSource; readonly rank: number }

const factNames = callFactsSchema.keyof().options

/** Each fact is the better of the two. */
export function mergeFacts(one: CallFacts, other: CallFacts): CallFacts {
  const best = factNames.flatMap((name) => {
    const fact = better(one[name], other[name])
    return fact ? [[name, fact]] : []
  })
  return callFactsSchema.parse(Object.fromEntries(best))
}

function better(one: AnyFact | undefined, other: AnyFact | undefined): AnyFact | undefined {
  if (!one || !other) return one ?? other
  return isBetter(other, one) ? other : one
}

/** A total order over different facts, so that the order of merging does not change the result. */
function isBetter(candidate: AnyFact, known: AnyFact): boolean {
  const bySource = factSources.indexOf(candidate.source) - factSources.indexOf(known.source)
  if (bySource !== 0) return bySource > 0
  if (candidate.rank !== known.rank) return candidate.rank > known.rank
  return String(candidate.value) > String(known.value)
}

/** Any facts make one of the four phases, and no further fact makes an ended call live again. */
export function phaseOf(facts: CallFacts): CallPhase {
  const answered = facts.answered?.value ?? facts.answeredAt !== undefined
  const ended = facts.endedAt !== undefined || facts.answered !== undefined
  if (ended) return answered ? 'COMPLETED' : 'MISSED'
  return answered ? 'ANSWERED' : 'RINGING'
}

/** `receivedAt`: when we received the report, epoch milliseconds. */
export type FactOrigin = { readonly source: FactSource; readonly receivedAt: number }

/**
 * Gives each fact its source and rank: the earliest start, answer and transfer, the latest end (of guesses the earliest: by then it was over), and
 * for all else the latest report.
 */
export function factsOf(update: ReportedCallFacts, { source, receivedAt }: FactOrigin): CallFacts {
  const entries = Object.entries(update).filter(([, value]) => value !== undefined && value !== null)
  const ranked = entries.map(([name, value]) => [name, { value, source, rank: rankOf(name, value, { source, receivedAt }) }])
  return callFactsSchema.parse(Object.fromEntries(ranked))
}

function rankOf(name: string, value: unknown, { source, receivedAt }: FactOrigin): number {
  if (name === 'startedAt' || name === 'answeredAt' || name === 'transferredAt') return -Date.parse(String(value))
  if (name === 'endedAt') return source === 'GUESSED' ? -Date.parse(String(value)) : Date.parse(String(value))
  return receivedAt
}

/** A call as others see it. Its times are in order, and fit its phase. Times are ISO 8601 in UTC. */
export type KnownCall = {
  readonly ucid: string
  readonly phase: CallPhase
  readonly direction: 'INBOUND' | 'OUTBOUND'
  /** E.164; null if the number cannot be one, such as an extension, or is withheld. */
  readonly phoneNumber: string | null
  /** As the provider reports it; null if it is withheld. */
  readonly dialledNumber: string | null
  readonly did: string | null
  readonly campaignName: string | null
  readonly agentId: string | null
  readonly agentRecordId: string | null
  readonly leadId: string | null
  readonly startedAt: string | null
  readonly answeredAt: string | null
  readonly endedAt: string | null
  /** Nobody reported the end: the call is over, but its time is not exact. */
  readonly isEndGuessed: boolean
  /** From answer to end; null while the call goes on, and if nobody reported its times. */
  readonly talkSeconds: number | null
  /** From the agent's end of the call until the agent was free again; null if that is unknown, and for an unanswered call. */
  readonly wrapUpSeconds: number | null
  /** The outcome that a person gave; null if nobody did. */
  readonly disposition: string | null
  /** What the provider wrote in its place, such as that the time was over; null if there is an outcome. */
  readonly automaticDisposition: string | null
  readonly notes: string | null
  readonly callBackAt: string | null
  readonly recordingUrl: string | null
  /** To whom the call was transferred; null if it was not. */
  readonly transferTarget: (typeof transferTargets)[number] | null
  readonly transferredTo: string | null
  /** When the agent left the call to a third party; null if that is unknown. */
  readonly transferredAt: string | null
  readonly provider: string | null
}

export function knownCall(ucid: string, facts: CallFacts): KnownCall {
  const phase = phaseOf(facts)
  const startedAt = facts.startedAt?.value ?? facts.answeredAt?.value ?? facts.endedAt?.value ?? null
  const wasAnswered = phase === 'ANSWERED' || phase === 'COMPLETED'
  const answeredAt = wasAnswered ? later(facts.answeredAt?.value ?? startedAt, startedAt) : null
  const isOver = phase === 'COMPLETED' || phase === 'MISSED'
  const endedAt = isOver ? later(facts.endedAt?.value ?? endOfTalk(facts, answeredAt) ?? startedAt, answeredAt ?? startedAt) : null
  return {
    ucid,
    phase,
    direction: facts.direction?.value ?? 'INBOUND',
    phoneNumber: facts.phoneNumber?.value ?? null,
    dialledNumber: facts.dialledNumber?.value ?? null,
    did: facts.did?.value ?? null,
    campaignName: facts.campaignName?.value ?? null,
    agentId: facts.agentId?.value ?? null,
    agentRecordId: facts.agentRecordId?.value ?? null,
    leadId: facts.leadId?.value ?? null,
    startedAt,
    answeredAt,
    endedAt,
    isEndGuessed: isOver && facts.endedAt?.source === 'GUESSED' && facts.answered === undefined,
    talkSeconds: isOver ? talkSecondsOf(facts, { phase, answeredAt, endedAt }) : null,
    wrapUpSeconds: phase === 'COMPLETED' ? wrapUpSecondsOf(facts, facts.transferredAt?.value ?? endedAt) : null,
    ...outcomeOf(facts),
    notes: facts.notes?.value ?? null,
    callBackAt: facts.callBackAt?.value ?? null,
    recordingUrl: facts.recordingUrl?.value ?? null,
    transferTarget: facts.transferTarget?.value ?? null,
    transferredTo: facts.transferredTo?.value ?? null,
    transferredAt: facts.transferredAt?.value ?? null,
    provider: facts.provider?.value ?? null,
  }
}

function outcomeOf({ disposition }: CallFacts): Pick<KnownCall, 'disposition' | 'automaticDisposition'> {
  const text = disposition?.value ?? null
  const isOutcome = disposition?.source !== 'AUTOMATIC'
  return { disposition: isOutcome ? text : null, automaticDisposition: isOutcome ? null : text }
}

type AnsweredTime = Pick<KnownCall, 'phase' | 'answeredAt' | 'endedAt'>

function talkSecondsOf({ talkSeconds, ...facts }: CallFacts, { phase, answeredAt, endedAt }: AnsweredTime): number | null {
  if (phase === 'MISSED') return 0
  if (talkSeconds) return talkSeconds.value
  if (answeredAt === null || endedAt === null || !facts.endedAt || (!facts.startedAt && !facts.answeredAt)) return null
  return Math.round((Date.parse(endedAt) - Date.parse(answeredAt)) / 1000)
}

function endOfTalk({ talkSeconds }: CallFacts, answeredAt: string | null): string | null {
  return answeredAt && isoMoment(Date.parse(answeredAt) + (talkSeconds?.value ?? 0) * 1000)
}

function wrapUpSecondsOf({ wrapUpEndedAt }: CallFacts, endedAt: string | null): number | null {
  const freeAt = wrapUpEndedAt?.value ?? null
  if (freeAt === null || endedAt === null || freeAt < endedAt) return null
  return Math.round((Date.parse(freeAt) - Date.parse(endedAt)) / 1000)
}

/** Times have one ISO 8601 form in UTC, so they compare as texts. */
function later(moment: string | null, least: string | null): string | null {
  if (moment === null || least === null) return moment ?? least
  return moment < least ? least : moment
}
