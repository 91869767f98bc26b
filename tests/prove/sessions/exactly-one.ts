import { createClient, inFlight, percentile, countByStatus } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage, type Stage } from '../stage/stage.ts'

const agents = 500
const logins = 10_000
/** One may have 1,000 connections without a token. */
const addresses = 20

/** 10,000 sign-ins of 500 agents through two instances on one Redis: 500 in flight, then all at once. */
export async function proveExactlyOne(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const atOnce of [500, logins]) {
    await using stage = await setStage({ agents })
    figures.push(await crowd(stage, atOnce))
  }
  return figures
}

async function crowd(stage: Stage, atOnce: number): Promise<Figure> {
  const instances = [await stage.service('redis'), await stage.service('redis')]
  await using client = createClient({ addresses })
  say(`${logins} sign-ins of ${agents} agents, ${atOnce} in flight`)
  const startedAt = performance.now()
  const answers = await inFlight(logins, atOnce, (index) => client.logIn(instances[index % 2]?.url ?? '', `load${(index % agents) + 1}`))
  const seconds = (performance.now() - startedAt) / 1_000
  const counts = countByStatus(answers)
  const how = atOnce === logins ? 'all at once' : `${atOnce} in flight`
  const times = `${seconds.toFixed(1)} s, p50 ${percentile(answers, 0.5)} ms, p99 ${percentile(answers, 0.99)} ms`
  return {
    claim: `10,000 sign-ins for 500 agents, two instances, one Redis, ${addresses} addresses, ${how}`,
    figure: `${counts['200'] ?? 0} sessions, ${counts['409'] ?? 0} × 409, all: ${JSON.stringify(counts)}; ${times}`,
    holds: counts['200'] === agents && counts['409'] === logins - agents,
  }
}
