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
import { retentionOf } from '../../../src/wiring/stored-values.ts'

const days = 30
const reads = 100
const targetMs = 100
const yearDays = 366
/** The longest time in which no other request is answered, in processor time. */
const maxBlockMs = 100
const dayMs = 86_400_000
const hours = Array.from({ length: 24 }, (_, hour) => String(hour).padStart(2, '0'))

type Source = { readonly workspaceId: string; readonly dates: readonly string[] }

/** A year whose days are copies of the week's: questions about a month and a year, asked of the service over HTTP. */
export async function proveMonth(week: Store, source: Source): Promise<readonly Figure[]> {
  await using sandbox = await startSandbox({ dataDir: null })
  await using dir = await createTempDir()
  const last = Date.parse(source.dates.at(-1) ?? '')
  const year = Array.from({ length: yearDays }, (_, index) => new Date(last - index * dayMs).toISOString().slice(0, 10)).toReversed()
  const store = createSqliteStore({ dataDir: dir.path, clock: systemClock, retentionOf })
  await copyDays(week, store, { source, workspaceId: sandbox.standIns.platform.workspaceIdOf('demo'), dates: year })
  await store.close()
  await using app = await createApp(readSettings({ ...sandbox.environmentOf('demo'), DATA_DIR: dir.path, PORT: '0' }), {
    log: createLog('silent'),
  })
  const { body } = await ask(app.url, '/auth/login', {
    body: { email: 'manager@demo.example', password: sandboxPassword, workspace: 'demo' },
  })
  const { token } = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(body).tokens.accessToken
  const asked: Asked = { url: `${app.url}/api/history`, token, dates: year.slice(-days) }
  const figures: Figure[] = []
  for (const groupBy of ['TOTAL', 'DAY', 'AGENT', 'AGENT_AND_CAMPAIGN', 'DAY_AND_AGENT', 'HOUR'])
    figures.push(await monthBy(groupBy, asked))
  for (const groupBy of ['DAY', 'HOUR', 'DAY_AND_HOUR', 'DAY_AND_CAMPAIGN']) figures.push(await yearBy(groupBy, { ...asked, dates: year }))
  return figures
}

type Asked = { readonly url: string; readonly token: string; readonly dates: readonly string[] }

async function read({ url, token, dates }: Asked, groupBy: string): Promise<{ readonly tookMs: number; readonly body: ArrayBuffer }> {
  const startedAt = performance.now()
  const address = `${url}?from=${dates[0]}&to=${dates.at(-1)}&groupBy=${groupBy}`
  const answer = await fetch(address, { headers: { authorization: `Bearer ${token}` } })
  const body = await answer.arrayBuffer()
  return { tookMs: performance.now() - startedAt, body }
}

function rowsIn(body: ArrayBuffer): number {
  return z.object({ rows: z.array(z.unknown()) }).parse(JSON.parse(Buffer.from(body).toString())).rows.length
}

async function monthBy(groupBy: string, asked: Asked): Promise<Figure> {
  const took: number[] = []
  let rows = 0
  for (let asks = 0; asks < reads; asks += 1) {
    const { tookMs, body } = await read(asked, groupBy)
    took.push(tookMs)
    rows = rowsIn(body)
  }
  const mayBeSlow = groupBy === 'DAY_AND_AGENT' || groupBy === 'HOUR'
  return {
    claim: `A month with 100 agents by ${groupBy}: ${rows} rows over HTTP, ${reads} times${mayBeSlow ? '' : ` (limit: ${targetMs} ms at p95)`}`,
    figure: milliseconds(took),
    holds: rows > 0 && (mayBeSlow || percentile(took, 0.95) < targetMs),
  }
}

/** Three times: the longest block of the event loop is that of all. */
async function yearBy(groupBy: string, asked: Asked): Promise<Figure> {
  const took: number[] = []
  let longestMs = 0
  let rows = 0
  for (let asks = 0; asks < 3; asks += 1) {
    const block = watchBlocks()
    const { tookMs, body } = await read(asked, groupBy)
    longestMs = Math.max(longestMs, block.end())
    took.push(tookMs)
    rows = rowsIn(body)
  }
  return {
    claim: `A year with 100 agents by ${groupBy}: ${rows} rows over HTTP; the longest block of the event loop (limit: ${maxBlockMs} ms of processor time)`,
    figure: `${longestMs.toFixed(0)} ms; the answer takes ${percentile(took, 0.5).toFixed(0)} ms`,
    holds: rows > 0 && longestMs < maxBlockMs,
  }
}

/** In processor time of this thread: on a busy machine it also waits for its turn. */
function watchBlocks(): { end(): number } {
  let [last, longest, isWatching] = [process.threadCpuUsage(), 0, true]
  const tick = (): void => {
    const { user, system } = process.threadCpuUsage(last)
    last = process.threadCpuUsage()
    longest = Math.max(longest, (user + system) / 1_000)
    if (isWatching) setImmediate(tick)
  }
  setImmediate(tick)
  return {
    end: () => {
      isWatching = false
      return longest
    },
  }
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
