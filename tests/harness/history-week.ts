import { trackAgent } from '../../src/features/calls/tracking/track-agent.ts'
import { trackCall, type TrackCallPorts } from '../../src/features/calls/tracking/track-call.ts'
import type { WebhookUpdate } from '../../src/ports/telephony-webhooks.ts'
import { createChance } from '../prove/calls/traffic.ts'

/** A call as it really was. */
export type RawCall = {
  readonly ucid: string
  readonly direction: 'INBOUND' | 'OUTBOUND'
  readonly phoneNumber: string
  readonly campaignName: string
  readonly startedAt: number
  readonly answeredAt: number | null
  readonly endedAt: number
  /** At the provider. */
  readonly agentId: string | null
  readonly wrapUpSeconds: number | null
  readonly disposition: string | null
}
/** What was reported of it, and when it is received (epoch milliseconds). */
export type RawEvent = { readonly at: number; readonly update: WebhookUpdate }

const codes = ['Booked', 'Rejected', 'Call later']
const campaigns = ['Main', 'Outreach', 'Recall']
const second = 1_000
const dayMs = 86_400_000

export type WeekOptions = {
  /** The first moment of the first day. */
  readonly from: number
  readonly days: number
  readonly callsPerDay: number
  /** The agents' ids at the provider. */
  readonly agents: readonly string[]
  /** Whether missed callers are reached up to two days later, and some facts come late. */
  readonly seed?: number
}

/**
 * Calls of some days: nine hours each, one in six missed, one in four outbound, each agent with one call after the other. One in ten missed callers
 * calls again and is answered; one in ten answered calls gets another outcome a day later.
 */
export function playWeek({ from, days, callsPerDay, agents, seed = 7 }: WeekOptions): {
  readonly calls: readonly RawCall[]
  readonly events: readonly RawEvent[]
} {
  const chance = createChance(seed)
  const calls: RawCall[] = []
  const freeAt = new Map<string, number>()
  const missedNumbers: string[] = []
  for (let index = 0; index < days * callsPerDay; index += 1) {
    const day = Math.floor(index / callsPerDay)
    const within = ((index % callsPerDay) / callsPerDay) * 9 * 3_600_000
    const startedAt = Math.floor((from + day * dayMs + 9 * 3_600_000 + within) / second) * second
    const agent = agents[index % agents.length] ?? ''
    const isBusy = (freeAt.get(agent) ?? 0) > startedAt
    const isMissed = isBusy || chance() < 0.16
    const isOutbound = chance() < 0.25
    const again =
      !isMissed && missedNumbers.length > 0 && chance() < 0.1
        ? missedNumbers.splice(Math.floor(chance() * missedNumbers.length), 1)[0]
        : undefined
    const phoneNumber = again ?? `+91${String(9_000_000_000 + index)}`
    const answeredAt = isMissed ? null : startedAt + Math.floor(chance() * 70) * second
    const endedAt = (answeredAt ?? startedAt) + Math.ceil(5 + chance() * 120) * second
    const wrapUpSeconds = isMissed ? null : Math.ceil(chance() * 60)
    if (!isMissed) freeAt.set(agent, endedAt + (wrapUpSeconds ?? 0) * second + 5 * second)
    if (isMissed && !isOutbound) missedNumbers.push(phoneNumber)
    calls.push({
      ucid: `7${String(index).padStart(12, '0')}`,
      direction: isOutbound ? 'OUTBOUND' : 'INBOUND',
      phoneNumber,
      campaignName: campaigns[Math.floor(chance() * campaigns.length)] ?? 'Main',
      startedAt,
      answeredAt,
      endedAt,
      agentId: isMissed ? null : agent,
      wrapUpSeconds,
      disposition: isMissed || chance() < 0.05 ? null : (codes[Math.floor(chance() * codes.length)] ?? null),
    })
  }
  const events = calls.flatMap((call) => eventsOf(call, chance() < 0.1)).toSorted((one, other) => one.at - other.at)
  return { calls, events }
}

function eventsOf(call: RawCall, isLate: boolean): readonly RawEvent[] {
  const { ucid, direction, phoneNumber, campaignName, startedAt, answeredAt, endedAt, agentId, wrapUpSeconds, disposition } = call
  const moment = (at: number): string => new Date(at).toISOString()
  const common = { about: 'CALL', ucid } as const
  const began = { direction, phoneNumber, campaignName, startedAt: moment(startedAt) }
  const live = (at: number, facts: object): RawEvent => ({ at, update: { ...common, source: 'LIVE', facts, automaticDisposition: null } })
  const record = (at: number, code: string | null): RawEvent => ({
    at,
    update: {
      ...common,
      source: 'RECORD',
      facts: {
        ...began,
        agentId,
        answeredAt: answeredAt === null ? null : moment(answeredAt),
        endedAt: moment(endedAt),
        answered: answeredAt !== null,
        talkSeconds: answeredAt === null ? 0 : (endedAt - answeredAt) / second,
        disposition: code,
      },
      automaticDisposition: code === null && answeredAt !== null ? 'Wrap up time exceeded :120' : null,
    },
  })
  const state = (at: number, name: 'WRAP_UP' | 'READY'): readonly RawEvent[] =>
    agentId === null ? [] : [{ at, update: { about: 'AGENT', agentId, state: name, reason: null, ucid: null, at: moment(at) } }]
  return [
    live(startedAt, began),
    ...(answeredAt === null ? [] : [live(answeredAt, { agentId, answeredAt: moment(answeredAt) })]),
    ...(wrapUpSeconds === null ? [] : [...state(endedAt, 'WRAP_UP'), ...state(endedAt + wrapUpSeconds * second, 'READY')]),
    // The outcome of a late one is only given the next day.
    record(endedAt + second, isLate ? null : disposition),
    ...(isLate && disposition !== null ? [record(endedAt + dayMs, disposition)] : []),
  ]
}

/** Processes an event as if its webhook had just come. */
export async function receive(ports: TrackCallPorts, workspaceId: string, { at, update }: RawEvent): Promise<void> {
  const origin = { workspaceId, provider: 'ozonetel', receivedAt: at }
  await (update.about === 'CALL' ? trackCall(ports, origin, update) : trackAgent(ports, origin, update))
}

/** The figures of a group of calls, counted one by one. */
export function recount(own: readonly RawCall[], all: readonly RawCall[]) {
  const inbound = own.filter(({ direction }) => direction === 'INBOUND')
  const answered = own.filter(({ answeredAt }) => answeredAt !== null)
  const missed = inbound.filter(({ answeredAt }) => answeredAt === null)
  const waits = inbound.flatMap(({ startedAt, answeredAt }) => (answeredAt === null ? [] : [(answeredAt - startedAt) / second]))
  const byNumber = Map.groupBy(all, ({ phoneNumber }) => phoneNumber)
  const returns = missed.flatMap((call) => returnOf(call, byNumber.get(call.phoneNumber) ?? []))
  const talk = sum(answered.map(({ answeredAt, endedAt }) => (endedAt - (answeredAt ?? endedAt)) / second))
  const wrapUp = sum(answered.map(({ wrapUpSeconds }) => wrapUpSeconds ?? 0))
  const mean = (total: number, count: number): number | null => (count === 0 ? null : Math.round(total / count))
  const part = (count: number): number | null => (waits.length + missed.length === 0 ? null : count / (waits.length + missed.length))
  const inTime = waits.filter((wait) => wait <= 20).length
  return {
    calls: own.length,
    offered: inbound.length,
    answered: answered.length,
    answeredInbound: waits.length,
    missed: missed.length,
    unreached: own.length - inbound.length - (answered.length - waits.length),
    answeredInTime: inTime,
    serviceLevel: part(inTime),
    answerRate: part(waits.length),
    averageWaitSeconds: mean(sum(waits), waits.length),
    timed: answered.length,
    talkSeconds: talk,
    averageTalkSeconds: mean(talk, answered.length),
    wrapUps: answered.length,
    wrapUpSeconds: wrapUp,
    averageWrapUpSeconds: mean(wrapUp, answered.length),
    handlingSeconds: talk + wrapUp,
    averageHandlingSeconds: mean(talk + wrapUp, answered.length),
    returned: returns.length,
    averageReturnSeconds: mean(sum(returns), returns.length),
    withoutOutcome: answered.filter(({ disposition }) => disposition === null).length,
    dispositions: [...Map.groupBy(answered, ({ disposition }) => disposition ?? '')]
      .filter(([disposition]) => disposition !== '')
      .map(([disposition, same]) => ({ disposition, calls: same.length }))
      .toSorted((one, other) => other.calls - one.calls || (one.disposition < other.disposition ? -1 : 1)),
  }
}

function returnOf({ endedAt }: RawCall, sameNumber: readonly RawCall[]): readonly number[] {
  const answers = sameNumber.flatMap(({ answeredAt }) => (answeredAt !== null && answeredAt >= endedAt ? [answeredAt] : []))
  return answers.length === 0 ? [] : [(Math.min(...answers) - endedAt) / second]
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
