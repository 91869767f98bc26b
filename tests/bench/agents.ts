import { cpus, loadavg, totalmem } from 'node:os'
import { setTimeout as pause } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import { Redis } from 'ioredis'
import { z } from 'zod'
import { createClient, inFlight, tokensOf } from '../prove/stage/client.ts'
import { percentileOf } from '../prove/stage/load.ts'
import { say } from '../prove/stage/report.ts'
import { setStage, type Stage } from '../prove/stage/stage.ts'
import { agentSubscriptions, type AgentStream, openStream, wallboardSubscriptions } from './agents/streams.ts'
import { startCalls } from './agents/calls.ts'
import { countSent } from './agents/sent-commands.ts'
import { cpuMicros, residentMb } from './processes.ts'

/**
 * `npm run bench:agents`: agents with sessions, heartbeats and event streams, and calls in proportion to them, on two instances with a Redis. Prints
 * a table for docs/benchmarks.md. `--agents 100,300,1000`, `--calls 0.05` (calls a second for each agent), `--seconds 30`; `--wallboards` adds a
 * manager who follows the whole workspace on each instance; `--profile DIRECTORY` writes a CPU profile of each instance, `--monitor` what the
 * instances send to Redis. This process is the load; the instances, Redis and the stand-ins are processes of their own, and all share the machine.
 */
const { values: given } = parseArgs({
  options: {
    agents: { type: 'string', default: '100,300,1000' },
    calls: { type: 'string', default: '0.05' },
    seconds: { type: 'string', default: '30' },
    wallboards: { type: 'boolean', default: false },
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
  /** Of both instances: before the first sign-in, with all streams, after the calls. */
  readonly memoryMb: readonly (readonly number[])[]
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
  '| agents | calls/s | CPU of both instances, idle -> with calls (% of a core) | CPU ms a call | Redis commands a call | CPU of Redis | memory of the instances, MB: empty -> idle -> after the calls | of Redis | screen pop p50, p95, p99 ms | lost, failed | CPU of the stand-ins, the load |',
)
console.log('|---|---|---|---|---|---|---|---|---|---|---|')
const rows: Row[] = []
for (const agents of sizes) {
  const row = await measure(agents)
  rows.push(row)
  printRow(row)
}
printExtrapolated(10_000)

/** From the largest size: CPU and commands in proportion to the agents, which is true as long as a call costs the same at each size. */
function printExtrapolated(agents: number): void {
  const last = rows.at(-1)
  if (!last) return
  const factor = agents / last.agents
  const [empty = 0, , after = 0] = last.memoryMb.map((each) => each.reduce((sum, one) => sum + one, 0))
  console.log(
    `\n${agents} agents with ${(last.callsPerSecond * factor).toFixed(0)} calls a second, extrapolated from ${last.agents} in proportion: ` +
      `${(last.cpu.instances * factor).toFixed(1)} cores for the instances, ${(last.cpu.redis * factor).toFixed(1)} for Redis with ` +
      `${(last.cpu.commands * factor).toFixed(0)} commands a second, ${(((after - empty) * factor) / 1_024).toFixed(1)} GB for agents and calls`,
  )
}

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
    memoryMb.map((each) => each.join(' + ')).join(' -> '),
    redisMb,
    [0.5, 0.95, 0.99].map((share) => percentileOf(popsMs, share).toFixed(0)).join(', '),
    `${lost}, ${failed}`,
    `${percent(cpu.standIns)}, ${percent(cpu.load)}`,
  ]
  console.log(`| ${cells.join(' | ')} |`)
}

async function measure(agents: number): Promise<Row> {
  await using stage = await setStage({ agents })
  const profile = given.profile === undefined ? '' : `--cpu-prof --cpu-prof-dir=${given.profile}`
  // As `npm start` does.
  const environment = { NODE_OPTIONS: `--max-semi-space-size=8 --v8-pool-size=1 ${profile}` }
  const instances = [await stage.service('redis', environment), await stage.service('redis', environment)]
  const urls = instances.map(({ url }) => url)
  const pids = instances.map(({ pid }) => pid() ?? 0)
  await using client = createClient()
  const emptyMb = pids.map(residentMb)
  const tokens = await signInAll(client, urls, agents)
  say(`${agents} agents are signed in`)
  const manager = tokensOf(await client.logIn(urls[0] ?? '', 'manager')).accessToken
  const hook = await openHook(client, urls[0] ?? '', manager)
  const streams = await inFlight(agents, 50, (index) => openStream(urls[index % 2] ?? '', tokens[index] ?? '', agentSubscriptions))
  const watched = given.wallboards ? urls : []
  const wallboards = await Promise.all(watched.map((url) => openStream(url, manager, wallboardSubscriptions)))
  const beats = startHeartbeats(streams, client)
  say('all streams are open')
  const reader = createReader(stage, pids)
  await pause(3_000)
  const idle = await reader.during(() => pause(idleSeconds * 1_000))
  const idleMb = pids.map(residentMb)
  const calls = startCalls({ urls, hook, perSecond: agents * callsPerAgent, streams })
  await pause(warmUpSeconds * 1_000)
  calls.forget()
  const counted = given.monitor ? countSent(stage.redis.url, say) : null
  const cpu = await reader.during(() => pause(seconds * 1_000))
  await counted?.()
  const callsPerSecond = calls.begun() / seconds
  const { popsMs, lost, failed } = await calls.stop()
  const failedBeats = await beats.stop()
  const memoryMb = [emptyMb, idleMb, pids.map(residentMb)]
  const ended = [...streams, ...wallboards].reduce((sum, { errors }) => sum + errors, 0)
  for (const stream of [...streams, ...wallboards]) stream.leave()
  // Only a process that exits by itself writes its profile.
  if (given.profile !== undefined) await Promise.all(instances.map((instance) => instance.stop()))
  return {
    agents,
    callsPerSecond,
    cpu,
    idle,
    memoryMb,
    redisMb: residentMb(stage.redis.pid),
    popsMs,
    lost,
    failed: failed + failedBeats + ended,
  }
}

type Client = ReturnType<typeof createClient>

async function signInAll(client: Client, urls: readonly string[], agents: number): Promise<readonly string[]> {
  return inFlight(agents, 20, async (index) => tokensOf(await client.logIn(urls[index % 2] ?? '', `load${index + 1}`)).accessToken)
}

/** The path to which the provider's webhooks go. */
async function openHook(client: Client, url: string, manager: string): Promise<string> {
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
