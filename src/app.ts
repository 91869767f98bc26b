import { scaleDeadlines } from './kernel/deadlines.ts'
import type { Log } from './kernel/log.ts'
import type { Settings } from './settings/settings.ts'
import { showMetrics } from './server/operations/register-metrics.ts'
import { drainMsAfter } from './server/http/stop.ts'
import { openHandlers } from './wiring/server.ts'
import { consumeEvents } from './wiring/calls.ts'
import { keepLiveEvents } from './features/calls/live-events/keep-live-events.ts'
import { createFeatures, type Features, type ScheduledJob } from './wiring/features.ts'
import { openInfrastructure, type Overrides } from './wiring/infrastructure.ts'
import { createPorts } from './wiring/ports.ts'
import { reportUnreachable } from './server/operations/report-unreachable.ts'

/** For the answers of requests that no longer wait, before the server closes all connections: the model may still write a reply. */
const lastAnswersMs = 3_500

/** The running service. Disposing makes it not ready, stops accepting requests, lets running ones finish, and closes everything in reverse order. */
export type App = AsyncDisposable & {
  /** `http://host:port` */
  readonly url: string
}

/** Builds the service and opens its port: infrastructure, ports, features, handlers. If one step fails, the earlier ones are closed. */
export async function createApp(settings: Settings, overrides: Overrides = {}): Promise<App> {
  scaleDeadlines(settings.deadlineFactor)
  await using opening = new AsyncDisposableStack()
  const infrastructure = await openInfrastructure(settings, overrides, opening)
  opening.use(await showMetrics(infrastructure, settings))
  const ports = opening.use(createPorts(settings, infrastructure))
  opening.use(await reportUnreachable(infrastructure.log, settings.platform.url, ports.checkPlatform))
  const features = createFeatures(settings, ports)
  await readRefusedTokens(features, infrastructure.log)
  opening.use(features.recordings)
  opening.use(features.supervision)
  opening.use(features.widget)
  await infrastructure.bus.start()
  opening.defer(() => features.calls.webhookLog.stop())
  features.calls.webhookInbox.start()
  opening.defer(() => features.calls.webhookInbox.stop())
  features.alertOutbox.start()
  opening.defer(() => features.alertOutbox.stop())
  features.calls.recordRetries.start()
  opening.defer(() => features.calls.recordRetries.stop())
  opening.use(features.dueWork)
  for (const job of features.scheduledJobs) opening.use(startScheduledJob(job, infrastructure.log))
  // Before the jobs and consumers end: records that wait for the platform's rate limit would delay them.
  opening.defer(() => ports.stopWaiting())
  const server = opening.use(await openHandlers(settings, { ports, features, overrides }, opening))
  features.calls.publicAddress.listensOn(server.port)
  // From now on webhooks are answered.
  if (settings.http.publicUrl === null) infrastructure.log.warn({ set: 'PUBLIC_URL' }, 'live-events.no-public-address')
  const liveEvents = { name: 'live events', everyMs: 1_000, run: () => keepLiveEvents(features.calls) }
  opening.use(startScheduledJob(liveEvents, infrastructure.log, { startsAtOnce: true }))
  // Before the server lets running requests finish.
  opening.defer(() => features.recordings.runs.stopWaiting())
  // Requests that wait for the platform's rate limit get their answer, or an error, before the server closes their connections.
  const { stopDelayMs } = settings.http
  opening.defer(() => ports.stopWaiting(stopDelayMs + drainMsAfter(stopDelayMs) - lastAnswersMs))
  // First of all.
  opening.defer(() => server.beginStop())
  const open = opening.move()
  return { url: server.url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** Tokens whose sign-in has ended. A store that is away keeps the service from nothing: the platform accepts these tokens anyway, and the list is read again. */
async function readRefusedTokens({ refusedTokens }: Pick<Features, 'refusedTokens'>, log: Log): Promise<void> {
  await refusedTokens.load().catch((error: unknown) => log.warn({ err: error }, 'refused-tokens.not-read'))
}

/** Only the consumers of events, without handlers: further processes that share the service's work. */
export async function createConsumer(settings: Settings, overrides: Overrides = {}): Promise<AsyncDisposable> {
  scaleDeadlines(settings.deadlineFactor)
  await using opening = new AsyncDisposableStack()
  const infrastructure = await openInfrastructure(settings, overrides, opening)
  opening.use(await showMetrics(infrastructure, settings))
  const ports = opening.use(createPorts(settings, infrastructure))
  consumeEvents(ports)
  await infrastructure.bus.start()
  opening.defer(() => ports.stopWaiting())
  return opening.move()
}

/** Runs the job again and again, one run at a time. A failed run is logged. */
function startScheduledJob({ name, everyMs, run }: ScheduledJob, log: Log, { startsAtOnce = false } = {}): AsyncDisposable {
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  const begin = (): void => {
    if (isRunning) return
    isRunning = true
    running = run()
      .catch((error: unknown) => log.warn({ err: error, job: name }, 'scheduled-job.failed'))
      .then(() => void (isRunning = false))
  }
  const timer = setInterval(begin, everyMs).unref()
  if (startsAtOnce) begin()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
