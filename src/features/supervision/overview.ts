import type { AgentActivity } from '../../ports/agent-activity.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'
import type { NewLeadUse } from '../calls/unknown-callers/hourly-limit.ts'
import type { MissedCallItem } from '../calls/missed-calls/missed-call-store.ts'
import type { Directory } from '../../ports/doctors.ts'
import { localMoment } from '../../kernel/time-zone.ts'
import type { LiveSession } from '../sessions/list-sessions.ts'
import type { AgentNames, NamedAgent } from './agent-names.ts'
import type { DailyStatsView } from './daily-stats.ts'
import { noCalls, plus, type Sums, type CounterRow } from './call-counters.ts'
import { answeredWithin, serviceLevelOf, type ServiceLevelSeconds } from './waits.ts'

/** What a manager sees. Times are ISO 8601 in UTC. */
export type Overview = {
  readonly at: string
  readonly agents: readonly SupervisedAgent[]
  readonly callsNow: CallsNow
  readonly today: CallsToday
  readonly missedWaiting: { readonly count: number; readonly oldestAt: string | null; readonly calls: readonly MissedCallItem[] }
  readonly freeSlots: readonly FreeSlots[]
  readonly unknownCallers: NewLeadUse
}

export type SupervisedAgent = Pick<LiveSession, 'agentId' | 'agentName' | 'providerAgentId' | 'memberId'> & {
  readonly signedInAt: string
  readonly state: AgentActivity['state'] | null
  readonly reason: string | null
  readonly since: string | null
}

/** The live sessions with their agents' states at the provider. A sign-out from before the session's sign-in is ignored. */
export function supervisedAgents(
  sessions: readonly LiveSession[],
  activities: ReadonlyMap<string, AgentActivity>,
): readonly SupervisedAgent[] {
  return sessions.map(({ agentId, agentName, providerAgentId, memberId, lockedAt }) => {
    const reported = activities.get(providerAgentId)
    const isOutdated = reported?.state === 'SIGNED_OUT' && reported.since < lockedAt
    const activity = isOutdated ? null : reported
    const { state = null, reason = null, since = null } = activity ?? {}
    return { agentId, agentName, providerAgentId, memberId, signedInAt: lockedAt, state, reason, since }
  })
}

type LiveCounts = { readonly ringing: number; readonly onCall: number }
export type CallsNow = LiveCounts & {
  readonly waiting: number
  readonly longestWaitSince: string | null
  readonly byAgent: readonly (NamedAgent & LiveCounts)[]
  readonly byCampaign: readonly ({ readonly campaignName: string | null } & LiveCounts)[]
  readonly calls: readonly SupervisedCall[]
}
export type SupervisedCall = Pick<KnownCall, 'ucid' | 'phase' | 'direction' | 'phoneNumber' | 'dialledNumber' | 'campaignName' | 'leadId'> &
  NamedAgent & { readonly since: string | null }

export function callsNow(live: readonly KnownCall[], names: AgentNames): CallsNow {
  const calls = live.map((call) => supervisedCall(call, names))
  const byAgent = [...Map.groupBy(calls, ({ agentId }) => agentId).values()]
  const byCampaign = [...Map.groupBy(calls, ({ campaignName }) => campaignName)]
  const waiting = calls.filter(({ phase, direction }) => phase === 'RINGING' && direction === 'INBOUND')
  return {
    ...liveCounts(calls),
    waiting: waiting.length,
    longestWaitSince: waiting.flatMap(({ since }) => since ?? []).toSorted()[0] ?? null,
    calls,
    byAgent: byAgent.map((own) => ({ agentId: own[0]?.agentId ?? null, agentName: own[0]?.agentName ?? null, ...liveCounts(own) })),
    byCampaign: byCampaign.map(([campaignName, own]) => ({ campaignName, ...liveCounts(own) })),
  }
}

function supervisedCall(call: KnownCall, names: AgentNames): SupervisedCall {
  const { ucid, phase, direction, phoneNumber, dialledNumber, campaignName, leadId, agentId, agentRecordId, startedAt, answeredAt } = call
  const agent = agentId === null && agentRecordId === null ? null : { providerAgentId: agentId, recordId: agentRecordId }
  return { ucid, phase, direction, phoneNumber, dialledNumber, campaignName, leadId, ...names.find(agent), since: answeredAt ?? startedAt }
}

function liveCounts(calls: readonly SupervisedCall[]): LiveCounts {
  const ringing = calls.filter(({ phase }) => phase === 'RINGING').length
  return { ringing, onCall: calls.length - ringing }
}

export type CallCounts = Pick<Sums, 'calls' | 'offered' | 'answeredInbound' | 'answered' | 'missed' | 'unreached'> & {
  readonly answeredInTime: number
  readonly serviceLevel: number | null
  readonly averageHandlingSeconds: number | null
  readonly averageTalkSeconds: number | null
  readonly averageWrapUpSeconds: number | null
}
type Counted<Key> = Key & { readonly counts: CallCounts }
export type CallsToday = {
  readonly date: string
  readonly timeZone: string
  readonly complete: boolean
  readonly serviceLevelSeconds: ServiceLevelSeconds
  readonly total: CallCounts
  readonly byAgent: readonly Counted<NamedAgent>[]
  readonly byCampaign: readonly Counted<{ readonly campaignName: string | null }>[]
  readonly byDisposition: readonly Counted<{ readonly disposition: string | null }>[]
  readonly byHour: readonly Counted<{ readonly hour: number }>[]
}

export function callsToday(
  { day, isComplete, counters }: DailyStatsView,
  names: AgentNames,
  serviceLevelSeconds: ServiceLevelSeconds,
): CallsToday {
  const counted = <Key, Name>(rows: readonly CounterRow<Key>[], nameOf: (key: Key) => Name): readonly Counted<Name>[] =>
    rows.map(({ key, sums }) => ({ ...nameOf(key), counts: countsOf(sums, serviceLevelSeconds) }))
  return {
    date: day.date,
    timeZone: day.timeZone,
    complete: isComplete,
    serviceLevelSeconds,
    total: countsOf(counters.total(), serviceLevelSeconds),
    byAgent: counted(byAgent(counters.byAgent(), names), (agent) => agent),
    byCampaign: counted(mostFirst(counters.byCampaign()), (campaignName) => ({ campaignName })),
    byDisposition: counted(mostFirst(counters.byDisposition()), (disposition) => ({ disposition })),
    byHour: counted(counters.byHour(), (hour) => ({ hour })),
  }
}

/** Merges the rows of one agent: some calls have the agent's id at the provider, some only the platform's record. */
function byAgent(rows: ReturnType<DailyStatsView['counters']['byAgent']>, names: AgentNames): readonly CounterRow<NamedAgent>[] {
  const merged = new Map<string | null, CounterRow<NamedAgent>>()
  for (const { key, sums } of rows) {
    const agent = names.find(key)
    const known = merged.get(agent.agentId)?.sums ?? noCalls
    merged.set(agent.agentId, { key: agent, sums: plus(known, sums) })
  }
  return mostFirst([...merged.values()])
}

function mostFirst<Key>(rows: readonly CounterRow<Key>[]): readonly CounterRow<Key>[] {
  return rows.toSorted((one, other) => other.sums.calls - one.sums.calls)
}

function countsOf(sums: Sums, serviceLevelSeconds: ServiceLevelSeconds): CallCounts {
  const { calls, offered, answeredInbound, answered, missed, unreached, timed, wrapUps } = sums
  const answeredInTime = answeredWithin(sums.waits, serviceLevelSeconds)
  return {
    calls,
    offered,
    answered,
    answeredInbound,
    missed,
    unreached,
    answeredInTime,
    serviceLevel: serviceLevelOf(answeredInTime, sums),
    averageHandlingSeconds: average(sums.handlingSeconds, timed),
    averageTalkSeconds: average(sums.talkSeconds, timed),
    averageWrapUpSeconds: average(sums.wrapUpSeconds, wrapUps),
  }
}

function average(sum: number, count: number): number | null {
  return count === 0 ? null : Math.round(sum / count)
}

export type FreeSlots = {
  readonly doctorId: string
  readonly doctorName: string
  readonly speciality: string | null
  readonly today: number
  readonly total: number
  readonly nextStartsAt: string | null
}

/** The doctors with free slots, in the directory's order (by name). A slot that has begun is not free. */
export function freeSlots({ doctors, slots }: Directory, now: number, timeZone: string): readonly FreeSlots[] {
  const free = slots.filter(({ state, startsAt }) => state === 'FREE' && Date.parse(startsAt) > now)
  const byDoctor = Map.groupBy(free, ({ doctorId }) => doctorId)
  const date = localMoment(now, timeZone).slice(0, 10)
  return doctors.flatMap(({ id, name, speciality, active }) => {
    const own = byDoctor.get(id) ?? []
    if (!active || own.length === 0) return []
    const today = own.filter(({ localStartsAt }) => localStartsAt.startsWith(date)).length
    return [{ doctorId: id, doctorName: name, speciality, today, total: own.length, nextStartsAt: own[0]?.startsAt ?? null }]
  })
}
