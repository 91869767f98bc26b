import type { Log } from './kernel/log.ts'
import type { Settings } from './settings/settings.ts'
import { openHandlers } from './wiring/server.ts'
import { consumeEvents } from './wiring/consumers.ts'
import { createFeatures, type ScheduledJob } from './wiring/features.ts'
import { openInfrastructure, type Overrides } from './wiring/infrastructure.ts'
import { createPorts, useCasePorts } from './wiring/ports.ts'

/** The running service. Disposing stops taking requests, lets those under way finish, and closes all in reverse order. */
export type App = AsyncDisposable & {
  /** `http://host:port` */
  readonly url: string
}

/** Builds the service and opens its port: infrastructure, then ports, features, doors. What was opened is closed where building fails. */
export async function createApp(settings: Settings, overrides: Overrides = {}): Promise<App> {
  await using opening = new AsyncDisposableStack()
  const infrastructure = await openInfrastructure(settings, overrides, opening)
  const ports = opening.use(createPorts(settings, infrastructure))
  const features = createFeatures(settings, infrastructure, ports)
  opening.use(features.recordings)
  opening.use(features.supervision)
  opening.use(features.widget)
  await infrastructure.bus.start()
  features.calls.webhookInbox.start()
  opening.defer(() => features.calls.webhookInbox.stop())
  for (const sweep of features.scheduledJobs) opening.use(startScheduledJob(sweep, infrastructure.log))
  // Before the rest is closed: what waits for the platform's minute would hold up everything below.
  opening.defer(() => ports.records.stopWaiting())
  const server = opening.use(await openHandlers(settings, { infrastructure, ports, features, stack: opening, overrides }))
  const open = opening.move()
  return { url: server.url, [Symbol.asyncDispose]: () => open.disposeAsync() }
}

/** The consumers of events alone, without a door: further processes beside the service share its work. */
export async function createConsumer(settings: Settings, overrides: Overrides = {}): Promise<AsyncDisposable> {
  await using opening = new AsyncDisposableStack()
  const infrastructure = await openInfrastructure(settings, overrides, opening)
  const ports = opening.use(createPorts(settings, infrastructure))
  consumeEvents(useCasePorts(infrastructure, ports))
  await infrastructure.bus.start()
  opening.defer(() => ports.records.stopWaiting())
  return opening.move()
}

/** One run at a time; a run that fails is logged and comes again. */
function startScheduledJob({ name, everyMs, run }: ScheduledJob, log: Log): AsyncDisposable {
  let running: Promise<void> = Promise.resolve()
  let isRunning = false
  const timer = setInterval(() => {
    if (isRunning) return
    isRunning = true
    running = run()
      .catch((error: unknown) => log.warn({ err: error, sweep: name }, 'a sweep failed'))
      .then(() => void (isRunning = false))
  }, everyMs).unref()
  return {
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      await running
    },
  }
}
