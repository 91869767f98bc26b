import { cpus, loadavg, totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { createClient, inFlight, tokensOf } from '../prove/stage/client.ts'
import { percentileOf } from '../prove/stage/load.ts'
import { say } from '../prove/stage/report.ts'
import { setStage, type Stage } from '../prove/stage/stage.ts'
import { type AgentStream, openStream } from './agents/streams.ts'
import { startCalls } from './agents/calls.ts'
import { countSent } from './agents/sent-commands.ts'
import { cpuMicros, residentMb } from './processes.ts'

/**
 * `npm run bench:agents`: agents with sessions, heartbeats and event streams, and calls in proportion to them, on two instances with a Redis. Prints
 * a table for docs/benchmarks.md. `--agents 100,300,1000`, `--calls 0.05` (calls a second for each agent), `--seconds 30`; `--profile DIRECTORY`
 * writes a CPU profile of each instance, `--monitor` what the instances send to Redis. This process is the load; the instances, Redis and the
 * stand-ins are processes of their own, and all share the machine.
 */
const { values: given } = parseArgs({
  options: {
    agents: { type: 'string', default: '100,300,1000' },
    calls: { type: 'string', default: '0.05' },
    seconds: { type: 'string', default: '30' },
    profile: { type: 'string' },
    monitor: { type: 'boolean', default: false },
  },
})
const sizes = given.agents.split(',').map(Number)
const callsPerAgent = Number(given.calls)
const seconds = Number(given.seconds)
const heartbeatEverySeconds = 300
const idleSeconds = 10
const warmUpSeconds = 10

type Used = {
  readonly instances: number
  readonly redis: number
  readonly standIns: number
  readonly load: number
  readonly commands: number
}
type Row = {
  readonly agents: number
  readonly callsPerSecond: number
  readonly cpu: Used
  readonly idle: Used
  readonly memoryMb: readonly number[]
  readonly redisMb: number
  readonly popsMs: readonly number[]
  readonly lost: number
  readonly failed: number
}

const machine = `${cpus().length} x ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.version}`
console.log(
  `\`npm run bench:agents\`, ${new Date().toISOString().slice(0, 10)}, ${machine}, load average ${(loadavg()[0] ?? 0).toFixed(1)} at the start\n`,
)
console.log(
  '| agents | calls/s | CPU of both instances, idle -> with calls (% of a core) | CPU ms a call | Redis commands a call | CPU of Redis | memory of the instances, MB | of Redis | screen pop p50, p95, p99 ms | lost, failed | CPU of the stand-ins, the load |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
for (const agents of sizes) printRow(await measure(agents))

function printRow({ agents, callsPerSecond, cpu, idle, memoryMb, redisMb, popsMs, lost, failed }: Row): void {
  const percent = (share: number): string => `${(share * 100).toFixed(0)} %`
  const perCall = (used: number, idleUsed: number): number => (used - idleUsed) / callsPerSecond
  const cells = [
    agents,
    callsPerSecond.toFixed(1),
    `${percent(idle.instances)} -> ${percent(cpu.instances)}`,
    (perCall(cpu.instances, idle.instances) * 1_000).toFixed(1),
    perCall(cpu.commands, idle.commands).toFixed(0),
    percent(cpu.redis),
    memoryMb.join(' + '),
    redisMb,
    [0.5, 0.95, 0.99].map((share) => percentileOf(popsMs, share).toFixed(0)).join(', '),
    `${lost}, ${failed}`,
    `${percent(cpu.standIns)}, ${percent(cpu.load)}`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

async function measure(agents: number): Promise<Row> {
  await using stage = await setStage({ agents })
  const profile = given.profile === undefined ? {} : { NODE_OPTIONS: `--cpu-prof --cpu-prof-dir=${given.profile}` }
  const instances = [await stage.service('redis', profile), await stage.service('redis', profile)]
  const urls = instances.map(({ url }) => url)
  const pids = instances.map(({ pid }) => pid() ?? 0)
  await using client = createClient()
  const tokens = await signInAll(client, urls, agents)
  say(`${agents} agents are signed in`)
  const hook = await openHook(client, urls[0] ?? '')
  const streams = await inFlight(agents, 50, (index) => openStream(urls[index % 2] ?? '', tokens[index] ?? ''))
  const beats = startHeartbeats(streams, client)
  say('all streams are open')
  const reader = createReader(stage, pids)
  await pause(3_000)
  const idle = await reader.during(() => pause(idleSeconds * 1_000))
  const calls = startCalls({ urls, hook, perSecond: agents * callsPerAgent, streams })
  await pause(warmUpSeconds * 1_000)
  calls.forget()
  const counted = given.monitor ? countSent(stage.redis.url, say) : null
  const cpu = await reader.during(() => pause(seconds * 1_000))
  await counted?.()
  const callsPerSecond = calls.begun() / seconds
  const { popsMs, lost, failed } = await calls.stop()
  const failedBeats = await beats.stop()
  const memoryMb = pids.map(residentMb)
  for (const stream of streams) stream.leave()
  // Only a process that exits by itself writes its profile.
  if (given.profile !== undefined) await Promise.all(instances.map((instance) => instance.stop()))
  return { agents, callsPerSecond, cpu, idle, memoryMb, redisMb: residentMb(stage.redis.pid), popsMs, lost, failed: failed + failedBeats }
}

type Client = ReturnType<typeof createClient>

async function signInAll(client: Client, urls: readonly string[], agents: number): Promise<readonly string[]> {
  return inFlight(agents, 20, async (index) => tokensOf(await client.logIn(urls[index % 2] ?? '', `load${index + 1}`)).accessToken)
}

/** The path to which the provider's webhooks go. */
async function openHook(client: Client, url: string): Promise<string> {
  const manager = tokensOf(await client.logIn(url, 'manager')).accessToken
  const options = { headers: { authorization: `Bearer ${manager}` }, body: { provider: 'ozonetel' } }
  const { body } = await client.send(`${url}/api/calls/callback-keys`, options)
  return z.object({ path: z.string() }).parse(body).path
}

function startHeartbeats(streams: readonly AgentStream[], client: Client) {
  let [next, failed] = [0, 0]
  const timer = setInterval(
    () => {
      const stream = streams[next % streams.length]
      next += 1
      if (!stream) return
      const sent = client.send(`${stream.url}/auth/heartbeat`, { headers: { authorization: `Bearer ${stream.token}` }, body: {} })
      void sent.then(({ status }) => void (failed += status === 200 ? 0 : 1))
    },
    (heartbeatEverySeconds * 1_000) / streams.length,
  )
  return {
    async stop() {
      clearInterval(timer)
      await pause(500)
      return failed
    },
  }
}

/** What processes and Redis use a second while something happens. */
function createReader(stage: Stage, pids: readonly number[]) {
  const read = async () => {
    const redis = new Redis(stage.redis.url)
    const info = await redis.info('stats')
    redis.disconnect()
    const { user, system } = process.cpuUsage()
    return {
      at: performance.now(),
      instances: pids.reduce((sum, pid) => sum + cpuMicros(pid), 0) / 1e6,
      redis: cpuMicros(stage.redis.pid) / 1e6,
      standIns: cpuMicros(stage.standInsPid) / 1e6,
      load: (user + system) / 1e6,
      commands: Number(/total_commands_processed:(\d+)/.exec(info)?.[1] ?? 0),
    }
  }
  return {
    async during(step: () => Promise<unknown>): Promise<Used> {
      const before = await read()
      await step()
      const after = await read()
      const each = (name: keyof Used): number => ((after[name] - before[name]) * 1_000) / (after.at - before.at)
      return {
        instances: each('instances'),
        redis: each('redis'),
        standIns: each('standIns'),
        load: each('load'),
        commands: each('commands'),
      }
    },
  }
}
