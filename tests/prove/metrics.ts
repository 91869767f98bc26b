import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { dashboardQueries } from '../harness/dashboard.ts'
import { freePort } from '../harness/free-port.ts'
import { findKafka } from '../harness/kafka/find.ts'
import { startKafkaServer } from '../harness/kafka/server.ts'
import { personalData } from '../harness/metrics-text.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { type ServiceProcess, startServiceProcess } from '../harness/service-process.ts'
import { subscribe } from '../harness/subscribe.ts'
import { findOnPath } from '../harness/system.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { tokenWithoutSession } from '../harness/tokens-without-session.ts'
import { waitFor } from '../harness/wait-for.ts'
import { proveAlerts } from './metrics/alerts.ts'
import { checkWithPromtool, type Prometheus, startPrometheus } from './metrics/prometheus.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

const sandboxSchema = z.tuple([z.object({ PLATFORM_URL: z.string(), PLATFORM_WORKSPACE_URL: z.string() })], z.unknown())

const run = promisify(execFile)

/** For queries, in the place of Grafana's variables: all of this run. */
const window = '10m'

async function playBadMoments(url: string, platformUrl: string): Promise<void> {
  const post = (path: string, body: unknown) =>
    fetch(url + path, { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }).then((answer) =>
      answer.text(),
    )
  await fetch(`${platformUrl}/_sandbox/fault`, {
    method: 'POST',
    body: JSON.stringify({ operation: '', act: 'refuse', status: 503, times: 3 }),
  })
  await post('/graphql', { query: '{ leads(first: 1) { edges { node { id } } } }' })
  await post('/graphql', { query: '{ me { role } }' })
  await post('/auth/login', { email: 'agent3@demo.example', password: 'wrong', workspace: 'demo' })
  await fetch(`${url}/nothing`).then((answer) => answer.text())
  await fetch(`${platformUrl}/_sandbox/clear-faults`, { method: 'POST', body: '{}' })
}

/** The queries of the dashboard that give no value. */
async function unanswered(prometheus: Prometheus): Promise<readonly string[]> {
  const missing: string[] = []
  for (const { where, expr } of dashboardQueries()) {
    const asked = expr.replaceAll('$instance', '.*').replaceAll('$__rate_interval', window)
    if ((await prometheus.query(asked)).length === 0) missing.push(`${where}: ${expr}`)
  }
  return missing
}

async function proveMetrics(): Promise<readonly Figure[]> {
  const [prometheusBinary, promtool, redisBinary, kafkaPrograms] = [
    await findOnPath(['prometheus']),
    await findOnPath(['promtool']),
    await findOnPath(['redis-server', 'valkey-server']),
    await findKafka(),
  ]
  if (prometheusBinary === null || promtool === null || redisBinary === null || kafkaPrograms === null)
    throw new Error('prove:metrics needs prometheus (with promtool), redis-server, java (17 or later) and mvn on PATH')
  const checked = await checkWithPromtool(promtool)
  await using stack = new AsyncDisposableStack()
  const redis = stack.use(await startRedisServer(redisBinary, { durable: true }))
  say('starting Kafka')
  const kafka = stack.use(await startKafkaServer(kafkaPrograms))
  const { path } = stack.use(await createTempDir())
  const target = `127.0.0.1:${await freePort()}`
  const service = stack.use(
    await startServiceProcess({
      DATA_DIR: path,
      PORT: String(await freePort()),
      METRICS_ADDRESS: target,
      REDIS_URL: redis.url,
      SECRETS_KEY: randomBytes(32).toString('base64'),
      KAFKA_BROKERS: kafka.broker,
      LOG_LEVEL: 'error',
    }),
  )
  const [sandbox] = sandboxSchema.parse(JSON.parse(readFileSync(join(path, 'sandbox-environment.json'), 'utf8')))
  const prometheus = stack.use(await startPrometheus(prometheusBinary, target))
  const desk = { url: service.url, workspaceUrl: sandbox.PLATFORM_WORKSPACE_URL }
  const token = await tokenWithoutSession(desk, 'agent1@demo.example')
  // The tour asks for its calls; a frontend subscribes.
  const stream = await subscribe(service.url, { query: 'subscription { callEvents { call { ucid phase } } }', token })
  stack.defer(() => stream.leave())
  say('playing the tour')
  await run(process.execPath, ['src/commands/tour.ts', service.url])
  await playBadMoments(service.url, sandbox.PLATFORM_URL)
  const missing = await waitFor(
    async () => {
      const found = await unanswered(prometheus)
      return found.length === 0 && { found }
    },
    { what: 'every query of the dashboard to have a value', deadlineMs: 30_000 },
  ).then(
    ({ found }) => found,
    () => unanswered(prometheus),
  )
  for (const query of missing) say(`no value: ${query}`)
  const rules = await prometheus.rules()
  const text = await (await fetch(`http://${target}/metrics`)).text()
  const personal = personalData(text)
  const [slowest = Number.NaN] = await prometheus.query('max_over_time(scrape_duration_seconds[10m])')
  const [samples = Number.NaN] = await prometheus.query('max_over_time(scrape_samples_scraped[10m])')
  const all = dashboardQueries().length
  return [
    {
      claim: 'The alert rules, checked by promtool; unit tests: all of them fire on the first bad night, none when everything is well',
      figure: `${/(\d+) rules found/.exec(checked)?.[1] ?? '?'} rules; the tests pass; a real Prometheus evaluates ${rules.filter(({ health }) => health === 'ok').length} of them without an error`,
      holds: rules.length > 0 && rules.every(({ health }) => health === 'ok'),
    },
    {
      claim: 'Every query of the dashboard has a value after the tour, with Redis and Kafka',
      figure: `${all - missing.length} of ${all}`,
      holds: missing.length === 0,
    },
    {
      claim: 'One scrape after the tour (to take under 0.5 s)',
      figure: `${samples} samples, ${Math.round(text.length / 1024)} kB; the slowest took ${(slowest * 1_000).toFixed(0)} ms`,
      holds: slowest < 0.5,
    },
    {
      claim: 'Phone numbers, e-mail addresses and tokens in /metrics',
      figure: String(personal.length),
      holds: personal.length === 0,
    },
    await proveAlerts({ url: service.url, platformUrl: sandbox.PLATFORM_URL, kafka }, prometheus),
    await proveDown(service, prometheus),
  ]
}

async function proveDown(service: Pick<ServiceProcess, 'kill'>, prometheus: Prometheus): Promise<Figure> {
  const isRaised = async (wanted: 'pending' | 'firing'): Promise<boolean> =>
    (await prometheus.alerts()).some(({ name, state }) => name === 'SidecarDown' && (wanted === 'pending' || state === 'firing'))
  const before = await isRaised('pending')
  const startedAt = performance.now()
  await service.kill()
  await waitFor(() => isRaised('firing'), { what: 'the alert', deadlineMs: 30_000 })
  const seconds = (performance.now() - startedAt) / 1_000
  return {
    claim:
      'Before: no alert that the service is down. After kill -9: it fires (with a scrape each second and `for:` of 2 s instead of a minute)',
    figure: `after ${seconds.toFixed(1)} s`,
    holds: !before,
  }
}

await proveParts('Metrics, read by a real Prometheus', { dashboard: proveMetrics })
