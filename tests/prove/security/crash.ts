import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { ExpectedCall } from '../calls/traffic.ts'
import { createClient, inFlight } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { disposition, playAcknowledged, signPeopleIn, type Telephony, untilWritten } from './acknowledged-calls.ts'
import { setStage, type StageRedis } from '../stage/stage.ts'

const limitMs = 30_000
/** Long enough to tell a late record from one that never comes. */
const patienceMs = 240_000
const rounds = 3
const callsPerRound = 45
const atOnce = 12

/** What the service is doing when it is killed. */
const points = ['webhooks come in', 'records are being written'] as const
type Point = (typeof points)[number]

type Deployment = { readonly name: string; readonly redis: StageRedis | null; readonly instances: 1 | 2 }

const deployments: readonly Deployment[] = [
  { name: 'two instances on a durable Redis, the other one goes on', redis: 'durable', instances: 2 },
  { name: 'one instance on a durable Redis, started again', redis: 'durable', instances: 1 },
  { name: 'one instance on a Redis in memory, started again', redis: 'in memory', instances: 1 },
  { name: 'one instance without Redis, started again', redis: null, instances: 1 },
]

/** kill -9 while webhooks and dispositions are acknowledged and written: how long until the CRM has every call that was acknowledged. */
export async function proveCrash(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const deployment of deployments) figures.push(await figureOf(deployment))
  return figures
}

type Scene = Telephony & { readonly deployment: Deployment }

async function figureOf(deployment: Deployment): Promise<Figure> {
  await using stage = await setStage({ agents: 0, ...(deployment.redis !== null && { redis: deployment.redis }) })
  await using client = createClient()
  const on = deployment.redis === null ? 'embedded' : 'redis'
  const services = [await stage.service(on), ...(deployment.instances === 2 ? [await stage.service(on)] : [])]
  const [first] = services
  if (!first) throw new Error('no service')
  const people = await signPeopleIn(client, first.url)
  const took: Taken[] = []
  for (let round = 0; round < rounds * points.length; round += 1) {
    const doomed = services[round % services.length] ?? first
    took.push(await playRound({ stage, client, deployment, doomed, ...people }, round))
  }
  const sum = (of: (one: Taken) => number): number => took.reduce((total, one) => total + of(one), 0)
  const slowest = Math.max(...took.map(({ ms }) => ms))
  const seconds = took.map(({ ms }) => (ms / 1_000).toFixed(0)).join(', ')
  return {
    claim: `kill -9; ${deployment.name}: until the CRM has what was acknowledged`,
    figure: `${took.length} kills: ${seconds} s; ${sum(({ calls }) => calls)} calls and ${sum(({ disposed }) => disposed)} dispositions acknowledged, ${sum(({ wrong }) => wrong)} missing or wrong`,
    holds: slowest <= limitMs && sum(({ wrong }) => wrong) === 0,
  }
}

type Taken = { readonly ms: number; readonly calls: number; readonly disposed: number; readonly wrong: number }

async function playRound(scene: Scene, round: number): Promise<Taken> {
  const { stage, doomed, deployment } = scene
  const point = points[round % points.length] ?? points[0]
  say(`${deployment.name}: round ${round + 1}, ${point}`)
  const acknowledged: ExpectedCall[] = []
  if (point === 'records are being written') {
    await stage.command('platform', 'forget-calls')
    await stage.command('platform', 'fault', { operation: writes, delayMs: 2_000 })
  }
  const traffic = inFlight(callsPerRound, atOnce, async (index) => {
    const expected = await playAcknowledged(scene, round * callsPerRound + index)
    if (expected) acknowledged.push(expected)
  })
  await untilKill(scene, point, acknowledged)
  await doomed.kill()
  const killedAt = performance.now()
  await traffic
  if (point === 'records are being written') await stage.command('platform', 'clear-faults')
  await doomed.start()
  const wrong = await untilWritten(stage, acknowledged, killedAt + patienceMs)
  const ms = performance.now() - killedAt
  say(`${acknowledged.length} acknowledged calls, ${wrong} missing, after ${Math.round(ms / 1_000)} s`)
  return { ms, wrong, calls: acknowledged.length, disposed: acknowledged.filter((call) => call.disposition === disposition).length }
}

/** The request that writes many calls. */
const writes = 'createCalls'

async function untilKill({ stage }: Scene, point: Point, acknowledged: readonly ExpectedCall[]): Promise<void> {
  if (point === 'webhooks come in') return until(async () => acknowledged.length >= callsPerRound / 2)
  return until(async () => z.array(z.unknown()).parse(await stage.command('platform', 'calls', { operation: writes })).length > 0)
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('the point of the kill was never reached')
    await pause(5)
  }
}
