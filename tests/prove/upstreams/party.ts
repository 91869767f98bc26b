import { type Answer, countByStatus, inFlight, percentile } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import type { Stage } from '../stage/stage.ts'
import { type Desk, everyMs, openDesk, recovered, untilGood, untilPaused } from './desk.ts'

type StandIn = Parameters<Stage['command']>[0]
type Send = (desk: Desk, index: number) => Promise<Answer>

/** A party, and a request of a client that needs it. */
export type Party = {
  /** The name of its breaker. */
  readonly name: string
  readonly standIn: StandIn
  readonly members: readonly string[]
  /** Further agents that the stand-ins have: `load1`, `load2`, ... */
  readonly agents?: number
  /** `round`: 0 before, 1 while it answers 503, 2 while it stalls; an answer of one round may be cached. `index` 0 is the one that is to work. */
  readonly send: (desk: Desk, round: number, index: number) => Promise<Answer>
  readonly isGood: (answer: Answer) => boolean
  /** Whether the request can be sent again and again while the party works. Default true. */
  readonly repeats?: boolean
  /** The statuses of requests that it does not answer. */
  readonly refusedWith: readonly number[]
  /** Requests that do not need it. */
  readonly others: Readonly<Record<string, Send>>
}

const stallSeconds = 12
const requests = 300

export async function proveParty(party: Party): Promise<readonly Figure[]> {
  await using desk = await openDesk(party.members, party.agents)
  await untilGood(() => party.send(desk, 0, 0), party.isGood)
  return [...(await proveFailing(desk, party)), ...(await proveStalling(desk, party))]
}

async function proveFailing(desk: Desk, { name, standIn, send, isGood, refusedWith }: Party): Promise<readonly Figure[]> {
  const { stage } = desk
  await stage.command(standIn, 'fault', { act: 'refuse', status: 503 })
  const before = await callsOf(stage, standIn)
  const answers = await inFlight(requests, 10, (index) => send(desk, 1, index + 1))
  const wasPaused = await desk.isPaused(name)
  const calls = (await callsOf(stage, standIn)) - before
  await stage.command(standIn, 'clear-faults')
  const recoveryMs = await untilGood(() => send(desk, 1, 0), isGood)
  const ratio = calls / requests
  return [
    {
      claim: `${name} answers only 503: its calls for each of ${requests} requests, 10 at a time`,
      figure: `${ratio.toFixed(2)} (${calls} calls; clients got ${Object.keys(countByStatus(answers)).join(', ')})`,
      holds: calls > 0 && wasPaused && ratio <= 1.1 && answers.every(({ status }) => refusedWith.includes(status)),
    },
    recovered(`${name} answers again after 503`, recoveryMs),
  ]
}

async function proveStalling(desk: Desk, { name, standIn, send, isGood, others, repeats = true }: Party): Promise<readonly Figure[]> {
  const { stage } = desk
  // So many that single collections of garbage are not their 99th percentile.
  const measureOthers = (seconds: number) =>
    Promise.all(Object.entries(others).map(async ([what, other]) => ({ what, answers: await everyMs(10, seconds, () => other(desk, 0)) })))
  const sameRequests = repeats ? everyMs(50, stallSeconds, (index) => send(desk, 0, index + 1)) : null
  // Reading the metrics costs the service some milliseconds, before the stall as during it.
  const [usual] = await Promise.all([measureOthers(stallSeconds), sameRequests, untilPaused(desk, name, { giveUpMs: 5_000 })])
  await stage.command(standIn, 'fault', { act: 'hang' })
  const pausedMs = untilPaused(desk, name)
  const asked = everyMs(50, stallSeconds, (index) => send(desk, 2, index + 1))
  const during = await measureOthers(stallSeconds)
  await stage.command(standIn, 'clear-faults')
  const recoveryMs = await untilGood(() => send(desk, 2, 0), isGood)
  await asked
  const openedMs = await pausedMs
  return [
    {
      claim: `${name} stalls at 20 requests a second: until it gets no more of them`,
      figure: `${(openedMs / 1_000).toFixed(1)} s`,
      holds: openedMs <= 5_000,
    },
    ...during.map(({ what, answers }, index) => latencyOf(what, usual[index]?.answers ?? [], answers)),
    recovered(`${name} answers again after the stall`, recoveryMs),
  ]
}

function latencyOf(what: string, usual: readonly Answer[], during: readonly Answer[]): Figure {
  const [usualMs, duringMs] = [percentile(usual, 0.99), percentile(during, 0.99)]
  say(`${what}: ${usual.length} before, ${JSON.stringify(countByStatus(during))} during the stall`)
  return {
    claim: `meanwhile: ${what}, 99th percentile`,
    figure: `${duringMs} ms; ${usualMs} ms before`,
    holds: duringMs <= 2 * usualMs && during.every(({ status }) => status === 200),
  }
}

/** What the service's own check of the platform asks does not count. */
async function callsOf(stage: Stage, standIn: StandIn): Promise<number> {
  const calls = await stage.command(standIn, 'calls', { operation: 'P' })
  return Array.isArray(calls) ? calls.length : 0
}
