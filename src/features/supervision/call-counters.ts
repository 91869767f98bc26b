import type { KnownCall } from '../calls/state/call-facts.ts'
import { clinicHourAt } from '../../kernel/clinic-day.ts'
import { noWaits, plusWaits, secondsBetween, type Waits, waitsOf } from './waits.ts'

/** Sums over calls. Whole numbers, so that adding and subtracting a call leaves no remainder. */
export type Sums = {
  readonly calls: number
  /** Inbound calls, and those of them that somebody answered. */
  readonly offered: number
  readonly answeredInbound: number
  readonly answered: number
  readonly missed: number
  readonly unreached: number
  /** Answered calls that are over and whose duration was reported, their talk time, and that with their wrap-up, as far as it is known. */
  readonly timed: number
  readonly talkSeconds: number
  readonly handlingSeconds: number
  /** Answered calls whose wrap-up is over, and its time. */
  readonly wrapUps: number
  readonly wrapUpSeconds: number
  readonly waits: Waits
}

const sumNames = [
  'calls',
  'offered',
  'answeredInbound',
  'answered',
  'missed',
  'unreached',
  'timed',
  'talkSeconds',
  'handlingSeconds',
  'wrapUps',
  'wrapUpSeconds',
] as const
export const noCalls: Sums = Object.freeze({
  calls: 0,
  offered: 0,
  answeredInbound: 0,
  answered: 0,
  missed: 0,
  unreached: 0,
  timed: 0,
  talkSeconds: 0,
  handlingSeconds: 0,
  wrapUps: 0,
  wrapUpSeconds: 0,
  waits: noWaits,
})

/** The agent of a call: by the id at the provider, by the platform's record, or both. */
export type CountedAgent = { readonly providerAgentId: string | null; readonly recordId: string | null }
/** A row of a breakdown; `key` is null for calls without one. */
export type CounterRow<Key> = { readonly key: Key; readonly sums: Sums }

/** The counters of a day's calls. A call counts once, in its last state, however often and in whatever order its states are put. */
export type CallCounters = {
  put(call: KnownCall): void
  remove(ucid: string): void
  readonly total: () => Sums
  readonly byAgent: () => readonly CounterRow<CountedAgent | null>[]
  readonly byCampaign: () => readonly CounterRow<string | null>[]
  readonly byDisposition: () => readonly CounterRow<string | null>[]
  readonly byHour: () => readonly CounterRow<number>[]
}

type CountedCall = {
  readonly agent: CountedAgent | null
  readonly campaign: string | null
  readonly disposition: string | null
  readonly hour: number
  readonly sums: Sums
}

export function createCallCounters(timeZone: string): CallCounters {
  const counted = new Map<string, CountedCall>()
  const total = createBreakdown<null>(() => '')
  const agents = createBreakdown<CountedAgent | null>((agent) => JSON.stringify(agent && (agent.providerAgentId ?? [agent.recordId])))
  const campaigns = createBreakdown<string | null>(JSON.stringify)
  const dispositions = createBreakdown<string | null>(JSON.stringify)
  const hours = createBreakdown<number>(String)

  const count = ({ agent, campaign, disposition, hour, sums }: CountedCall, sign: 1 | -1): void => {
    total.add(null, sums, sign)
    agents.add(agent, sums, sign)
    campaigns.add(campaign, sums, sign)
    dispositions.add(disposition, sums, sign)
    hours.add(hour, sums, sign)
  }
  const remove = (ucid: string): void => {
    const known = counted.get(ucid)
    if (known) count(known, -1)
    counted.delete(ucid)
  }

  return {
    put(call) {
      remove(call.ucid)
      const now = countedCall(call, timeZone)
      counted.set(call.ucid, now)
      count(now, 1)
    },
    remove,
    total: () => total.rows()[0]?.sums ?? noCalls,
    byAgent: agents.rows,
    byCampaign: campaigns.rows,
    byDisposition: dispositions.rows,
    byHour: () => hours.rows().toSorted((one, other) => one.key - other.key),
  }
}

function countedCall(call: KnownCall, timeZone: string): CountedCall {
  const { agentId: providerAgentId, agentRecordId: recordId, startedAt } = call
  return {
    agent: providerAgentId === null && recordId === null ? null : { providerAgentId, recordId },
    campaign: call.campaignName,
    disposition: call.disposition,
    hour: startedAt === null ? 0 : clinicHourAt(Date.parse(startedAt), timeZone),
    sums: sumsOf(call),
  }
}

/** An unanswered call is missed if it is inbound, unreached if it is outbound. */
function sumsOf({ phase, direction, talkSeconds, wrapUpSeconds, startedAt, answeredAt }: KnownCall): Sums {
  const isInbound = direction === 'INBOUND'
  const isHandled = phase === 'COMPLETED'
  const isAnswered = isHandled || phase === 'ANSWERED'
  const seconds = isHandled && talkSeconds !== null ? Math.round(talkSeconds) : null
  return {
    calls: 1,
    offered: Number(isInbound),
    answeredInbound: Number(isInbound && isAnswered),
    answered: Number(isAnswered),
    missed: phase === 'MISSED' && isInbound ? 1 : 0,
    unreached: phase === 'MISSED' && direction === 'OUTBOUND' ? 1 : 0,
    timed: seconds === null ? 0 : 1,
    talkSeconds: seconds ?? 0,
    handlingSeconds: seconds === null ? 0 : seconds + (wrapUpSeconds ?? 0),
    wrapUps: wrapUpSeconds === null ? 0 : 1,
    wrapUpSeconds: wrapUpSeconds ?? 0,
    waits: isInbound && isAnswered ? waitsOf(secondsBetween(startedAt, answeredAt)) : noWaits,
  }
}

function createBreakdown<Key>(nameOf: (key: Key) => string) {
  const rows = new Map<string, CounterRow<Key>>()
  return {
    add(key: Key, sums: Sums, sign: 1 | -1): void {
      const name = nameOf(key)
      const after = plus(rows.get(name)?.sums ?? noCalls, sums, sign)
      if (after.calls === 0) rows.delete(name)
      else rows.set(name, { key, sums: after })
    },
    rows: (): readonly CounterRow<Key>[] => [...rows.values()],
  }
}

/** Adds `other`, or subtracts it with sign -1. */
export function plus(one: Sums, other: Sums, sign: 1 | -1 = 1): Sums {
  const after = { ...one, waits: plusWaits(one.waits, other.waits, sign) }
  for (const name of sumNames) after[name] += sign * other[name]
  return after
}
