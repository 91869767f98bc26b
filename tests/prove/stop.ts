import { parseArgs } from 'node:util'
import { findKafka } from '../harness/kafka/find.ts'
import { startKafkaServer } from '../harness/kafka/server.ts'
import { startBalancer } from './stage/balancer.ts'
import { createClient } from './stage/client.ts'
import { type Failure, percentileOf, startLoad } from './stage/load.ts'
import { type Figure, say, startReport } from './stage/report.ts'
import { setStage } from './stage/stage.ts'
import { openTraffic } from './stage/traffic.ts'
import { eventsOf } from './stop/events.ts'
import { playRound, type Round, stopDelaySeconds } from './stop/round.ts'

const { values } = parseArgs({ options: { rounds: { type: 'string', default: '50' }, rate: { type: 'string', default: '200' } } })
const [rounds, rate] = [Number(values.rounds), Number(values.rate)]

const report = startReport('Stop')
const kafka = await findKafka()
if (kafka === null) throw new Error('prove:stop needs java (17 or later), mvn and redis-server on PATH')
await using server = await startKafkaServer(kafka)
await using stage = await setStage({ agents: 0, redis: 'durable' })
await using client = createClient()
const environment = { KAFKA_BROKERS: server.broker, STOP_DELAY_SECONDS: String(stopDelaySeconds) }
const instances = [await stage.service('redis', environment), await stage.service('redis', environment)]
await stage.command('models', 'pace', { ms: 1_000 })
await stage.command('speech', 'pace', { ms: 25_000 })
await using balancer = await startBalancer(instances.map(({ url }) => url))
// More calls than the platform's API key can write would hold up the chats.
const traffic = await openTraffic(client, balancer.url, { webhookEvery: 400 })
const load = startLoad(balancer.url, rate, traffic.next)

const played: Round[] = []
for (let number = 0; number < rounds; number += 1) {
  const victim = instances[number % 2]
  if (!victim) break
  const round = await playRound({ stage, client, balancer, traffic }, victim, number)
  played.push(round)
  for (const wrong of round.wrong) say(`round ${number + 1}: ${wrong}`)
  say(
    `round ${number + 1}: exit ${round.code} after ${Math.round(round.tookMs)} ms; ${load.tookMs.length} answers, ${load.failures.length} failures`,
  )
}
await load.stop()
for (const { kind, status, text } of load.failures.slice(0, 20)) say(`failed: ${kind}: ${status} ${text}`)
const { lost, unread } = await eventsOf(server.broker, traffic.calls)
report(figuresOf(load.failures))

function figuresOf(failures: readonly Failure[]): readonly Figure[] {
  const longestMs = Math.max(...played.map(({ tookMs }) => tookMs))
  const codes = [...new Set(played.map(({ code }) => code))]
  const slowestNotReady = Math.max(...played.map(({ notReadyAfterMs }) => notReadyAfterMs ?? Number.POSITIVE_INFINITY))
  const wrong = played.flatMap((round) => round.wrong)
  const silent = failures.filter(({ status }) => status === 0 || status === 502).length
  const [p50, p99] = [percentileOf(load.tookMs, 0.5), percentileOf(load.tookMs, 0.99)]
  return [
    {
      claim: `SIGTERM to one of two instances at ${rate} requests a second, ${rounds} times: requests that failed`,
      figure: `${failures.length} of ${load.tookMs.length + silent}; ${silent} without an answer; p50 ${p50.toFixed(0)} ms, p99 ${p99.toFixed(0)} ms, starts of instances included`,
      holds: failures.length === 0,
    },
    {
      claim: 'Streams without a last event and close code, waiting analyses without 202, slow requests and chats without their answer',
      figure: `${wrong.length} of ${played.length * 10}`,
      holds: wrong.length === 0 && played.length === rounds,
    },
    {
      claim: '`/ready` answers 503 before the port closes',
      figure: `each time; the slowest ${slowestNotReady.toFixed(0)} ms after the signal`,
      holds: Number.isFinite(slowestNotReady),
    },
    {
      claim: `From the signal to the exit, with a delay of ${stopDelaySeconds} s`,
      figure: `at most ${(longestMs / 1_000).toFixed(1)} s, exit code ${codes.join(', ')}`,
      holds: longestMs < 10_000 && codes.length === 1 && codes[0] === 0,
    },
    {
      claim: 'Calls whose webhooks were accepted, without an event on Kafka; events that no consumer has read',
      figure: `${lost.length} of ${traffic.calls.length}; ${unread}`,
      holds: lost.length === 0 && unread === 0,
    },
  ]
}
