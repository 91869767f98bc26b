import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { telephonyAccounts } from '../../../src/sandbox/accounts.ts'
import { indiaTime, wireJson } from '../../../src/sandbox/telephony/wire.ts'
import { ask } from '../../harness/instances.ts'
import type { OverviewAnswer } from '../../harness/supervision.ts'
import { waitFor } from '../../harness/wait-for.ts'
import { createChance, disturb, type ExpectedCall, playCall, type Posting } from '../calls/traffic.ts'
import { type Figure, say } from '../stage/report.ts'
import { clinicDay, type Desk, milliseconds, openDesk, percentile } from './desk.ts'

const agents = 100
const calls = 10_000
const inFlight = 32
const steady = { perSecond: 10, reads: 300 }
const targetMs = 50
const wrapUpMs = 30_000

/** A day of 100 agents and 10,000 calls, with every webhook, and how long a manager's overview takes meanwhile. */
export async function proveDay(): Promise<readonly Figure[]> {
  await using desk = await openDesk()
  const { platform, telephony } = desk.sandbox.standIns
  telephony.accountMode({ mode: 'token' })
  platform.seedAgents('demo', agents)
  const token = await desk.signIn('manager@demo.example')
  for (let number = 1; number <= agents; number += 1) await desk.signIn(`load${number}@demo.example`)
  const { body } = await ask(desk.url(), '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  const { path } = z.object({ path: z.string() }).parse(body)
  const before = (await waitFor(() => complete(desk, token), { deadlineMs: 60_000 })).today
  const day = playDay()
  say(`${agents} agents are signed in; ${day.sent.length} webhooks of ${calls} calls follow`)
  const flood = await during(desk, token, async () => {
    const left = day.sent.values()
    const work = async (): Promise<void> => {
      for (const posting of left) await post(desk, path, posting)
    }
    await Promise.all(Array.from({ length: inFlight }, work))
  })
  say(`all were accepted after ${(flood.lastedMs / 1000).toFixed(0)} s; waiting for the counts`)
  const wrong = (seen: OverviewAnswer): readonly string[] => differences(seen, { day: day.expected, before })
  const counted = performance.now()
  await waitFor(async () => wrong((await desk.overview(token)).seen).length === 0, { deadlineMs: 180_000 }).catch(() => undefined)
  const { seen } = await desk.overview(token)
  const wrongCounts = wrong(seen)
  const waitedMs = performance.now() - counted
  say(`counted ${(waitedMs / 1000).toFixed(0)} s later${wrongCounts.length === 0 ? '' : `, but for ${wrongCounts.slice(0, 3).join('; ')}`}`)
  const took = await steadyReads(desk, token, path)
  const again = await afterRestart(desk, token, seen)
  return [
    {
      claim: `${calls} calls of ${agents} agents in ${day.sent.length} webhooks, 10 % twice, 20 % out of order: counts by agent, campaign, disposition and hour, average handling and wrap-up time`,
      figure:
        wrongCounts.length === 0
          ? 'each call counted once, all counts right'
          : `${wrongCounts.length} counts wrong: ${wrongCounts.slice(0, 3).join('; ')}`,
      holds: wrongCounts.length === 0,
    },
    {
      claim: `Overview with those counts and ${agents} live sessions, ${steady.perSecond} webhooks a second meanwhile (limit: ${targetMs} ms at p95)`,
      figure: milliseconds(took),
      holds: percentile(took, 0.95) < targetMs,
    },
    {
      claim: `The same while the whole day's webhooks arrive as fast as they are accepted (${Math.round(day.sent.length / (flood.lastedMs / 1000))} a second)`,
      figure: milliseconds(flood.took),
      holds: flood.took.length > 0,
    },
    again,
  ]
}

async function complete(desk: Desk, token: string): Promise<OverviewAnswer | null> {
  const { seen } = await desk.overview(token)
  return seen.today.complete ? seen : null
}

type DayCall = ExpectedCall & { readonly talkSeconds: number; readonly hour: number }

function playDay(): { readonly sent: readonly Posting[]; readonly expected: readonly DayCall[] } {
  const chance = createChance(20_261_121)
  const { startsAt: from, proofAt } = clinicDay
  // Spread over the day so far, so that no call lies in the future; an agent's next call begins when the last one is over.
  const everyMs = Math.floor((proofAt - from - 600_000) / calls)
  const played = Array.from({ length: calls }, (_, index) => {
    const beganAt = Math.floor((from + index * everyMs) / 1000) * 1000
    return playCall(index, chance, { beganAt, agentId: `load${(index % agents) + 1}` })
  })
  const postings = played.flatMap(({ postings: own, expected }) => [...own.slice(0, 3), ...agentPostings(expected), ...own.slice(3)])
  return { sent: disturb(postings, chance), expected: played.map(({ expected }) => dayCall(expected)) }
}

function dayCall(call: ExpectedCall): DayCall {
  const talkSeconds = call.answeredAt === null ? 0 : (Date.parse(call.endedAt) - Date.parse(call.answeredAt)) / 1000
  return { ...call, talkSeconds, hour: Math.floor((Date.parse(call.startedAt) - clinicDay.startsAt) / 3_600_000) }
}

/** Wrap-up, then idle. */
function agentPostings({ providerAgentId, answeredAt, endedAt }: ExpectedCall): readonly Posting[] {
  if (providerAgentId === null || answeredAt === null) return []
  const moments = [
    ['ACW', Date.parse(endedAt)],
    ['IDLE', Date.parse(endedAt) + wrapUpMs],
  ] as const
  return moments.map(([action, at]) => {
    const data = { action, agentUniqeId: 1, agentId: providerAgentId, agentMode: 'INBOUND', eventTime: indiaTime(at) }
    const body = wireJson({ eventType: 'Agent', eventTime: indiaTime(at), username: telephonyAccounts.demo.userName, data })
    return { contentType: 'application/json', body }
  })
}

async function post(desk: Desk, path: string, { contentType, body }: Posting): Promise<void> {
  const response = await fetch(desk.url() + path, { method: 'POST', headers: { 'content-type': contentType }, body })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`a webhook was answered ${response.status}`)
}

/** How long reads of the overview take during the step. */
async function during(desk: Desk, token: string, step: () => Promise<void>) {
  const took: number[] = []
  const startedAt = performance.now()
  const stepping = step().then(() => true)
  while (!(await Promise.race([stepping, pause(100, false)]))) took.push((await desk.overview(token)).tookMs)
  return { took, lastedMs: performance.now() - startedAt }
}

/** Reads one after the other, with a webhook before each that changes the overview. */
async function steadyReads(desk: Desk, token: string, path: string): Promise<readonly number[]> {
  const chance = createChance(5)
  const beganAt = Math.floor((desk.clock.now() - 400_000) / 1000) * 1000
  const postings = Array.from(
    { length: 300 },
    (_, index) => playCall(calls + index, chance, { beganAt: beganAt + index * 1000, agentId: 'load1' }).postings,
  ).flat()
  const everyMs = 1000 / steady.perSecond
  const took: number[] = []
  for (const posting of postings.slice(0, steady.reads)) {
    const next = pause(everyMs)
    await post(desk, path, posting)
    took.push((await desk.overview(token)).tookMs)
    await next
  }
  return took
}

async function afterRestart(desk: Desk, token: string, before: OverviewAnswer): Promise<Figure> {
  await desk.restart()
  desk.sandbox.standIns.platform.forgetCalls()
  const { seen, tookMs } = await desk.overview(token)
  const key = `Bearer ${desk.sandbox.standIns.platform.apiKeyOf('demo')}`
  const asked = desk.sandbox.standIns.platform
    .calls()
    .filter(({ headers, body }) => headers.authorization === key && body.includes('startedAt') && body.includes('gte')).length
  const holds = seen.today.total.calls >= before.today.total.calls && seen.today.complete && asked === 0
  return {
    claim: 'The first overview after a restart, with the counts of that day from the store',
    figure: `${seen.today.total.calls} calls after ${tookMs.toFixed(0)} ms; ${asked} requests to the platform for them`,
    holds,
  }
}

type Day = { readonly day: readonly DayCall[]; readonly before: OverviewAnswer['today'] }

/** The differences between the overview and the played calls. Calls from before them only count in the total. */
function differences({ today, callsNow }: OverviewAnswer, { day, before }: Day): readonly string[] {
  const answered = day.filter(({ status }) => status === 'COMPLETED')
  const checks: [what: string, actual: unknown, expected: unknown][] = [
    ['calls', today.total.calls, before.total.calls + day.length],
    ['answered', today.total.answered, before.total.answered + answered.length],
    ['missed', today.total.missed, before.total.missed + day.length - answered.length],
    ['wrap-up', today.total.averageWrapUpSeconds, wrapUpMs / 1000],
    ['calls now', callsNow.ringing + callsNow.onCall, 0],
  ]
  for (const [agentId, own] of Map.groupBy(answered, ({ providerAgentId }) => providerAgentId)) {
    const counts = today.byAgent.find(({ agentName }) => agentName === `Load ${String(agentId).slice(4)}`)?.counts
    const talk = own.reduce((sum, { talkSeconds }) => sum + talkSeconds, 0)
    checks.push([`${agentId} answered`, counts?.answered, own.length])
    checks.push([`${agentId} talk`, counts?.averageTalkSeconds, Math.round(talk / own.length)])
  }
  const disposedAs = (rows: OverviewAnswer['today']['byDisposition'], disposition: string | null): number =>
    rows.find((row) => row.disposition === disposition)?.counts.answered ?? 0
  for (const [disposition, own] of Map.groupBy(answered, (call) => call.disposition)) {
    const right = disposedAs(before.byDisposition, disposition) + own.length
    checks.push([disposition ?? 'none', disposedAs(today.byDisposition, disposition), right])
  }
  const inHours = (rows: readonly { readonly hour: number }[], hour: number): number => rows.filter((row) => row.hour === hour).length
  for (const { hour, counts } of today.byHour) {
    const most = inHours(day, hour) + before.total.calls
    checks.push([`hour ${hour}`, counts.calls >= inHours(day, hour) && counts.calls <= most, true])
  }
  return checks
    .filter(([, actual, expected]) => actual !== expected)
    .map(([what, actual, expected]) => `${what}: ${String(actual)} instead of ${String(expected)}`)
}
