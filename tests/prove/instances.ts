import { readFileSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { getCACertificates, setDefaultCACertificates } from 'node:tls'
import { freePort } from '../harness/free-port.ts'
import { findKafka } from '../harness/kafka/find.ts'
import { startKafkaServer } from '../harness/kafka/server.ts'
import { waitFor } from '../harness/wait-for.ts'
import { type Following, followEvents, followSocket } from './instances/streams.ts'
import { playTour, type Toured } from './instances/tour.ts'
import { createClient } from './stage/client.ts'
import { type Load, percentileOf, startLoad } from './stage/load.ts'
import { startNginx } from './stage/nginx.ts'
import { type Figure, say, startReport } from './stage/report.ts'
import { type ServiceProcess, setStage } from './stage/stage.ts'
import { openTraffic } from './stage/traffic.ts'
import { eventsOf } from './stop/events.ts'

const rate = 50
/** A call is in progress then. The tour pauses for a second, so none of its own requests is under way. */
const step = '✓ A call rings, and the screen pops'

const report = startReport('Several instances')
const kafka = await findKafka()
if (kafka === null) throw new Error('prove:instances needs java (17 or later), mvn, redis-server, nginx and openssl on PATH')
const ports = [await freePort(), await freePort()]
await using nginx = await startNginx(ports.map((port) => `127.0.0.1:${port}`))
setDefaultCACertificates([...getCACertificates('default'), readFileSync(nginx.caFile, 'utf8')])
await using server = await startKafkaServer(kafka)
await using stage = await setStage({ agents: 0, redis: 'durable', environment: { NODE_EXTRA_CA_CERTS: nginx.caFile } })
await using client = createClient()
const shared = { KAFKA_BROKERS: server.broker, STOP_DELAY_SECONDS: '5', PUBLIC_URL: nginx.url }
const instances: ServiceProcess[] = []
for (const port of ports) instances.push(await stage.service('redis', { ...shared, PORT: String(port) }))
const traffic = await openTraffic(client, nginx.url, { webhookEvery: 40 })

const figures: Figure[] = []
for (const how of ['killed', 'stopped'] as const) {
  const victim = instances[how === 'killed' ? 0 : 1]
  if (!victim) break
  say(`the tour, one of two instances ${how}`)
  figures.push(...(await endOne(victim, how)))
  await victim.start()
  // The platform gives its API key 100 requests a minute; the tour and the load need most of them.
  if (how === 'killed') await setTimeout(60_000)
}
const { lost, unread } = await eventsOf(server.broker, traffic.calls)
figures.push({
  claim: 'Calls whose webhooks were accepted, without an event on Kafka; events that no consumer has read',
  figure: `${lost.length} of ${traffic.calls.length}; ${unread}`,
  holds: lost.length === 0 && unread === 0 && traffic.calls.length >= 5,
})
report(figures)

async function endOne(victim: ServiceProcess, how: 'killed' | 'stopped'): Promise<readonly Figure[]> {
  const load = startLoad(nginx.url, rate, traffic.next)
  const streams = [0, 1, 2].flatMap(() => [followEvents(nginx.url, traffic.manager), followSocket(nginx.url, traffic.manager)])
  await waitFor(() => streams.every((stream) => stream.isConnected()), { what: 'the streams' })
  let [endedAt, doneAt] = [0, 0]
  const tour = await playTour(nginx.url, nginx.caFile, {
    step,
    async onStep() {
      endedAt = performance.now()
      await (how === 'killed' ? victim.kill() : victim.stop())
      doneAt = performance.now()
    },
  })
  await waitFor(() => streams.every(({ lastEventAt }) => lastEventAt() > doneAt), { what: 'an event on each stream' }).catch(() => null)
  await load.stop()
  streams.forEach((stream) => stream.leave())
  for (const { kind, status, at, text } of load.failures.slice(0, 20))
    say(`failed after ${Math.round(at - endedAt)} ms: ${kind}: ${status} ${text}`)
  return figuresOf(how, { load, tour, streams, endedAt, doneAt })
}

type Seen = {
  readonly load: Load
  readonly tour: Toured
  readonly streams: readonly Following[]
  readonly endedAt: number
  readonly doneAt: number
}

function figuresOf(how: 'killed' | 'stopped', { load: { failures, tookMs }, tour, streams, endedAt, doneAt }: Seen): readonly Figure[] {
  const all = failures.length + tookMs.length
  const lastMs = Math.max(0, ...failures.map(({ at }) => at - endedAt))
  const kinds = [...new Set(failures.map(({ kind, status }) => `${kind} ${status}`))].join(', ')
  const gaps = streams.flatMap((stream) => stream.gapsMs)
  const silent = streams.filter(({ lastEventAt }) => lastEventAt() < doneAt).length
  const name = how === 'killed' ? 'SIGKILL' : 'SIGTERM'
  return [
    {
      claim: `${name} to one of two instances behind nginx in the middle of the tour`,
      figure: tour.lastLine,
      holds: tour.code === 0,
    },
    {
      claim: `${name}: other requests, ${rate} a second, that failed`,
      figure: `${failures.length} of ${all}${failures.length > 0 ? ` (${kinds}), the last one sent ${Math.round(lastMs)} ms after it` : ''}; p50 ${percentileOf(tookMs, 0.5).toFixed(0)} ms, p99 ${percentileOf(tookMs, 0.99).toFixed(0)} ms`,
      // What it was answering is lost, at most a second's worth.
      holds: how === 'killed' ? lastMs < 5_000 && failures.length <= rate : failures.length === 0,
    },
    {
      claim: `${name}: streams that connect again and get events (3 SSE, 3 WebSocket)`,
      figure: `${gaps.length} ended, and were connected again within ${Math.round(Math.max(0, ...gaps))} ms; ${silent} got no event afterwards`,
      holds: silent === 0 && gaps.length > 0 && Math.max(...gaps) < 10_000,
    },
  ]
}
