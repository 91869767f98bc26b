import type { KnownCall } from '../calls/call-facts.ts'
import { clinicHourAt } from './clinic-day.ts'

/** What calls come to together; whole numbers, so that they can be added and taken back without a rest. */
export type Sums = {
  readonly calls: number
  readonly answered: number
  readonly missed: number
  readonly unreached: number
  /** Answered calls that are over, and how long they were talked. */
  readonly handled: number
  readonly talkSeconds: number
  /** Handled calls whose wrap-up is known to be over, and how long it took. */
  readonly wrapUps: number
  readonly wrapUpSeconds: number
}

const sumNames = ['calls', 'answered', 'missed', 'unreached', 'handled', 'talkSeconds', 'wrapUps', 'wrapUpSeconds'] as const
export const noCalls: Sums = Object.freeze({
  calls: 0,
  answered: 0,
  missed: 0,
  unreached: 0,
  handled: 0,
  talkSeconds: 0,
  wrapUps: 0,
  wrapUpSeconds: 0,
})

/** The agent of a call as the call names one: by the name at the provider, by the platform's record, or not at all. */
export type CountedAgent = { readonly providerAgentId: string | null; readonly recordId: string | null }
/** A row of a breakdown; `key` is null for calls without one. */
export type TallyRow<Key> = { readonly key: Key; readonly sums: Sums }

/** The counts of a day's calls. Each call counts once, as it was put last: so it does not matter how often or in what order it is put. */
export type Tally = {
  put(call: KnownCall): void
  remove(ucid: string): void
  readonly total: () => Sums
  readonly byAgent: () => readonly TallyRow<CountedAgent | null>[]
  readonly byCampaign: () => readonly TallyRow<string | null>[]
  readonly byDisposition: () => readonly TallyRow<string | null>[]
  readonly byHour: () => readonly TallyRow<number>[]
}

type Counted = {
  readonly agent: CountedAgent | null
  readonly campaign: string | null
  readonly disposition: string | null
  readonly hour: number
  readonly sums: Sums
}

export function createTally(timeZone: string): Tally {
  const counted = new Map<string, Counted>()
  const total = createBreakdown<null>(() => '')
  const agents = createBreakdown<CountedAgent | null>((agent) => JSON.stringify(agent && (agent.providerAgentId ?? [agent.recordId])))
  const campaigns = createBreakdown<string | null>(JSON.stringify)
  const dispositions = createBreakdown<string | null>(JSON.stringify)
  const hours = createBreakdown<number>(String)

  const count = ({ agent, campaign, disposition, hour, sums }: Counted, sign: 1 | -1): void => {
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
      const now = countedOf(call, timeZone)
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

function countedOf(call: KnownCall, timeZone: string): Counted {
  const { agentId: providerAgentId, agentRecordId: recordId, startedAt } = call
  return {
    agent: providerAgentId === null && recordId === null ? null : { providerAgentId, recordId },
    campaign: call.campaignName,
    disposition: call.disposition,
    hour: startedAt === null ? 0 : clinicHourAt(Date.parse(startedAt), timeZone),
    sums: sumsOf(call),
  }
}

/** A call that nobody took is missed where somebody called us, unreached where we called. */
function sumsOf({ phase, direction, talkSeconds, wrapUpSeconds }: KnownCall): Sums {
  const isHandled = phase === 'COMPLETED'
  return {
    calls: 1,
    answered: isHandled || phase === 'ANSWERED' ? 1 : 0,
    missed: phase === 'MISSED' && direction === 'INBOUND' ? 1 : 0,
    unreached: phase === 'MISSED' && direction === 'OUTBOUND' ? 1 : 0,
    handled: isHandled ? 1 : 0,
    talkSeconds: isHandled ? Math.round(talkSeconds ?? 0) : 0,
    wrapUps: wrapUpSeconds === null ? 0 : 1,
    wrapUpSeconds: wrapUpSeconds ?? 0,
  }
}

function createBreakdown<Key>(nameOf: (key: Key) => string) {
  const rows = new Map<string, TallyRow<Key>>()
  return {
    add(key: Key, sums: Sums, sign: 1 | -1): void {
      const name = nameOf(key)
      const after = plus(rows.get(name)?.sums ?? noCalls, sums, sign)
      if (after.calls === 0) rows.delete(name)
      else rows.set(name, { key, sums: after })
    },
    rows: (): readonly TallyRow<Key>[] => [...rows.values()],
  }
}

/** Adds the second, or takes it back. */
export function plus(one: Sums, other: Sums, sign: 1 | -1 = 1): Sums {
  const after = { ...one }
  for (const name of sumNames) after[name] += sign * other[name]
  return after
}
