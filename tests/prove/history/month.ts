import { createApp } from '../../../src/app.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import type { Store } from '../../../src/ports/store.ts'
import { createSqliteStore } from '../../../src/providers/store/sqlite.ts'
import { sandboxPassword } from '../../../src/sandbox/platform/seed.ts'
import { startSandbox } from '../../../src/sandbox/start.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { z } from 'zod'
import { ask } from '../../harness/instances.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import type { Figure } from '../stage/report.ts'
import { milliseconds, percentile } from '../supervision/desk.ts'

const days = 30
const reads = 100
const targetMs = 100
const dayMs = 86_400_000
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

type Source = { readonly workspaceId: string; readonly dates: readonly string[] }

/** A month whose days are copies of the week's, asked of the service over HTTP. */
export async function proveMonth(week: Store, source: Source): Promise<readonly Figure[]> {
  await using sandbox = await startSandbox({ dataDir: null })
  await using dir = await createTempDir()
  const last = Date.parse(source.dates.at(-1) ?? '')
  const dates = Array.from({ length: days }, (_, index) => new Date(last - index * dayMs).toISOString().slice(0, 10)).toReversed()
  const store = createSqliteStore({ dataDir: dir.path, clock: systemClock })
  await copyDays(week, store, { source, workspaceId: sandbox.standIns.platform.workspaceIdOf('demo'), dates })
  await store.close()
  await using app = await createApp(readSettings({ ...sandbox.environmentOf('demo'), DATA_DIR: dir.path, PORT: '0' }), {
    log: createLog('silent'),
  })
  const { body } = await ask(app.url, '/auth/login', {
    body: { email: 'manager@demo.example', password: sandboxPassword, workspace: 'demo' },
  })
  const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(body).tokens.accessToken
  const figures: Figure[] = []
  for (const groupBy of ['TOTAL', 'DAY', 'AGENT', 'AGENT_AND_CAMPAIGN', 'DAY_AND_AGENT', 'HOUR']) {
    const took: number[] = []
    let rows = 0
    for (let read = 0; read < reads; read += 1) {
      const answer = await ask(app.url, `/api/history?from=${dates[0]}&to=${dates.at(-1)}&groupBy=${groupBy}`, { token })
      took.push(answer.tookMs)
      rows = z.object({ rows: z.array(z.unknown()) }).parse(answer.body).rows.length
    }
    const mayBeSlow = groupBy === 'DAY_AND_AGENT' || groupBy === 'HOUR'
    figures.push({
      claim: `A month with 100 agents by ${groupBy}: ${rows} rows over HTTP, ${reads} times${mayBeSlow ? '' : ` (limit: ${targetMs} ms at p95)`}`,
      figure: milliseconds(took),
      holds: rows > 0 && (mayBeSlow || percentile(took, 0.95) < targetMs),
    })
  }
  return figures
}

type Copy = { readonly source: Source; readonly workspaceId: string; readonly dates: readonly string[] }

async function copyDays(from: Store, to: Store, { source, workspaceId, dates }: Copy): Promise<void> {
  for (const [index, date] of dates.entries()) {
    const model = source.dates[index % source.dates.length] ?? ''
    const keys = [['history-day', ''] as const, ...hours.map((hour) => ['history-hour', `T${hour}`] as const)]
    for (const [family, hour] of keys) {
      const value = await from.get(`${family}:${source.workspaceId}:${model}${hour}`)
      if (value !== null) await to.set(`${family}:${workspaceId}:${date}${hour}`, value)
    }
  }
}
