import { z } from 'zod'
import { createApp } from '../../../src/app.ts'
import type { Clock } from '../../../src/kernel/clock.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { type Sandbox, startSandbox } from '../../../src/sandbox/start.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { createRunningClock } from '../../harness/clock.ts'
import { ask } from '../../harness/instances.ts'
import { type OverviewAnswer, overviewSchema } from '../../harness/supervision.ts'
import { createTempDir } from '../../harness/temp-dir.ts'

/** In the clinic's time zone (Asia/Kolkata for the seeded workspace). A proof begins late in the day, whatever the time of its run. */
export const clinicDay = { startsAt: Date.parse('2025-01-15T00:00:00+05:30'), proofAt: Date.parse('2025-01-15T21:00:00+05:30') } as const

/** The service on its embedded store; it can be restarted on the same data. */
export type Desk = AsyncDisposable & {
  /** Of the service and of the stand-ins. */
  readonly clock: Clock
  readonly sandbox: Sandbox
  url(): string
  restart(): Promise<void>
  signIn(email: string): Promise<string>
  overview(token: string): Promise<{ readonly seen: OverviewAnswer; readonly tookMs: number }>
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

export async function openDesk(): Promise<Desk> {
  await using starting = new AsyncDisposableStack()
  const clock = createRunningClock(new Date(clinicDay.proofAt).toISOString())
  const { path } = starting.use(await createTempDir())
  const sandbox = starting.use(await startSandbox({ dataDir: null, clock }))
  const settings = readSettings({ ...sandbox.environmentOf('demo'), DATA_DIR: path, PORT: '0' }, [sandbox.environmentOf('acme')])
  const start = () => createApp(settings, { log: createLog('silent'), clock })
  let app = await start()
  starting.defer(() => app[Symbol.asyncDispose]())
  const running = starting.move()
  return {
    clock,
    sandbox,
    url: () => app.url,
    async restart() {
      await app[Symbol.asyncDispose]()
      app = await start()
    },
    async signIn(email) {
      const { status, body } = await ask(app.url, '/auth/login', { body: { email, password: sandboxPassword, workspace: 'demo' } })
      if (status !== 200) throw new Error(`${email} could not sign in: ${status}`)
      return signInSchema.parse(body).tokens.accessToken.token
    },
    async overview(token) {
      const { status, body, tookMs } = await ask(app.url, '/api/supervisor/overview', { token })
      if (status !== 200) throw new Error(`the overview answered ${status}`)
      return { seen: overviewSchema.parse(body), tookMs }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export function milliseconds(took: readonly number[]): string {
  return `p50 ${percentile(took, 0.5).toFixed(1)} ms, p95 ${percentile(took, 0.95).toFixed(1)} ms, p99 ${percentile(took, 0.99).toFixed(1)} ms`
}
