import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { wrongCalls } from '../calls/records.ts'
import { createChance, type ExpectedCall, playCall, type Posting } from '../calls/traffic.ts'
import { type Client, createClient, inFlight, tokensOf } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { type ServiceProcess, setStage, type Stage, type StageRedis } from '../stage/stage.ts'

const limitMs = 30_000
/** Long enough to tell a late record from one that never comes. */
const patienceMs = 240_000
const rounds = 3
const callsPerRound = 45
const atOnce = 12
const disposition = 'Information Given'

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

type Scene = {
  readonly stage: Stage
  readonly client: Client
  readonly deployment: Deployment
  readonly doomed: ServiceProcess
  /** Where a webhook is sent. */
  readonly path: string
  readonly agents: readonly { readonly id: string; readonly token: string }[]
}

async function figureOf(deployment: Deployment): Promise<Figure> {
  await using stage = await setStage({ agents: 0, ...(deployment.redis !== null && { redis: deployment.redis }) })
  await using client = createClient()
  const on = deployment.redis === null ? 'embedded' : 'redis'
  const services = [await stage.service(on), ...(deployment.instances === 2 ? [await stage.service(on)] : [])]
  const [first] = services
  if (!first) throw new Error('no service')
  const path = await webhookPath(client, first.url)
  const ids = ['agent1', 'agent2', 'agent3']
  const agents = await inFlight(ids.length, 1, async (index) => {
    const id = ids[index] ?? ''
    return { id, token: tokensOf(await client.logIn(first.url, id)).accessToken }
  })
  const took: Taken[] = []
  for (let round = 0; round < rounds * points.length; round += 1) {
    const doomed = services[round % services.length] ?? first
    took.push(await playRound({ stage, client, deployment, doomed, path, agents }, round))
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

/** A call with all its webhooks, and for every third one an agent's disposition. Null unless all of it was acknowledged. */
async function playAcknowledged(scene: Scene, index: number): Promise<ExpectedCall | null> {
  const { client, doomed, path, agents, stage } = scene
  const beganAt = Math.floor(Date.now() / 1_000) * 1_000 - 600_000
  const agent = index % 3 === 0 ? agents[(index / 3) % agents.length] : undefined
  const played =
    agent &&
    z
      .object({ ucid: z.string() })
      .parse(await stage.command('telephony', 'inboundCall', { from: `+9198${String(70_000_000 + index)}`, agentId: agent.id }))
  const options = { beganAt, disposed: false, ...(played && { ucid: played.ucid, agentId: agent.id }) }
  const { postings, expected } = playCall(1_000_000 + index, agent ? () => 0.5 : createChance(index), options)
  for (const posting of postings) if (!(await isAccepted(doomed.url + path, posting))) return null
  if (!agent) return expected
  const headers = { authorization: `Bearer ${agent.token}` }
  const { status } = await client.send(`${doomed.url}/api/calls/${expected.ucid}/disposition`, { headers, body: { disposition } })
  return status === 200 ? { ...expected, disposition } : null
}

async function isAccepted(address: string, { contentType, body }: Posting): Promise<boolean> {
  const send = fetch(address, { method: 'POST', headers: { 'content-type': contentType }, body })
  return send.then(
    ({ ok }) => ok,
    () => false,
  )
}

async function webhookPath(client: Client, url: string): Promise<string> {
  const { accessToken } = tokensOf(await client.logIn(url, 'manager'))
  const options = { headers: { authorization: `Bearer ${accessToken}` }, body: { provider: 'ozonetel' } }
  return z.object({ path: z.string() }).parse((await client.send(`${url}/api/calls/callback-keys`, options)).body).path
}

const rowsSchema = z.array(z.record(z.string(), z.unknown()))

/** Resolves to the number of calls that are still missing or wrong. */
async function untilWritten(stage: Stage, expected: readonly ExpectedCall[], giveUpAt: number): Promise<number> {
  for (;;) {
    const read = async (object: string) => rowsSchema.parse(await stage.command('platform', 'records', { workspace: 'demo', object }))
    const rows = { agent: await read('agent'), call: await read('call') }
    const wrong = wrongCalls({ records: (_, object) => (object === 'agent' ? rows.agent : rows.call) }, expected)
    if (wrong.length === 0 || performance.now() > giveUpAt) return wrong.length
    await pause(250)
  }
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  const giveUpAt = performance.now() + 30_000
  while (!(await condition())) {
    if (performance.now() > giveUpAt) throw new Error('the point of the kill was never reached')
    await pause(5)
  }
}
