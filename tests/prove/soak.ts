import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { startWatchedService } from './security/watched.ts'
import { agentRound, type Work } from './soak/agent-day.ts'
import { growthPerHour, type Reading } from './soak/growth.ts'
import { createClient, inFlight, tokensOf } from './stage/client.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

// `npm run prove:soak`: half an hour of mixed load after a quarter of an hour of five times as much, in which all code is compiled that is used
// often. SOAK_MINUTES and SOAK_WARM_UP change that for a trial.

const agents = 20
const minutes = Number(process.env['SOAK_MINUTES'] ?? 30)
const warmUpMinutes = Number(process.env['SOAK_WARM_UP'] ?? 15)
const everyMs = 30_000
const pauseMs = 500
const mostMbPerHour = 1
/** The eleven steps of a day, the sign-in and the sign-out. */
const kinds = 13

async function soak(): Promise<readonly Figure[]> {
  await using service = await startWatchedService({ agents })
  await using client = createClient()
  const manager = tokensOf(await client.logIn(service.url, 'manager')).accessToken
  const options = { headers: { authorization: `Bearer ${manager}` }, body: { provider: 'ozonetel' } }
  const { path } = z.object({ path: z.string() }).parse((await client.send(`${service.url}/api/calls/callback-keys`, options)).body)
  const steps = new Map<string, number>()
  const wrong = new Map<string, number>()
  const note: Work['note'] = (step, status, isRight) => {
    steps.set(step, (steps.get(step) ?? 0) + 1)
    if (!isRight) wrong.set(`${step}: ${status}`, (wrong.get(`${step}: ${status}`) ?? 0) + 1)
  }
  const warmUntil = performance.now() + warmUpMinutes * 60_000
  const work: Work = {
    url: service.url,
    client,
    webhookPath: path,
    note,
    pauseMs: () => (performance.now() < warmUntil ? pauseMs / 5 : pauseMs),
  }
  const ending = new AbortController()
  const load = inFlight(agents, agents, async (index) => {
    for (let round = 0; !ending.signal.aborted; round += 1) await agentRound(work, { number: index + 1, round, signal: ending.signal })
  })
  const readings: Reading[] = []
  const startedAt = performance.now()
  while (performance.now() - startedAt < (warmUpMinutes + minutes) * 60_000) {
    await pause(everyMs)
    const { heldMb, rssMb, descriptors } = await service.read()
    const atMinutes = (performance.now() - startedAt) / 60_000
    if (atMinutes >= warmUpMinutes) readings.push({ atMinutes, heldMb })
    say(
      `minute ${atMinutes.toFixed(1)}: ${heldMb.toFixed(2)} MB held, ${rssMb.toFixed(0)} MB in all, ${descriptors} files, ${steps.size} kinds of steps, wrong: ${JSON.stringify([...wrong])}`,
    )
  }
  ending.abort()
  await load
  const growth = growthPerHour(readings)
  const total = sum(steps)
  const fewest = Math.min(...steps.values())
  return [
    {
      claim: `${minutes} minutes of mixed load by ${agents} agents after ${warmUpMinutes} of five times as much: what is held after a collection of garbage grows by less than ${mostMbPerHour} MB an hour`,
      figure: `${growth.toFixed(2)} MB an hour; ${readings.at(0)?.heldMb.toFixed(1)} MB at the beginning, ${readings.at(-1)?.heldMb.toFixed(1)} MB at the end; ${total} requests`,
      holds: growth < mostMbPerHour,
    },
    {
      claim: 'every step gets the answer that it must get, refusals of wrong input too',
      figure: `${total - sum(wrong)} of ${total}; ${steps.size} kinds of steps, each at least ${fewest} times${wrong.size > 0 ? `; ${JSON.stringify([...wrong])}` : ''}`,
      holds: wrong.size === 0 && steps.size === kinds && fewest >= 100,
    },
  ]
}

function sum(counts: ReadonlyMap<string, number>): number {
  return [...counts.values()].reduce((one, other) => one + other, 0)
}

await proveParts('Half an hour of mixed load', { soak })
