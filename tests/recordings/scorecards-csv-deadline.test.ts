import { expect, onTestFinished, test, vi } from 'vitest'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { Store } from '../../src/ports/store.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { createRequestContext } from '../../src/server/http/request-context.ts'
import { createScorecardsCsvHandler } from '../../src/server/rest/scorecards-csv-handler.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const newest = Date.parse('2024-06-01T12:00:00.000Z')

/** The store, but the list of calls with a scorecard has no end, and none of them is part of the export; each batch after the first comes when it is released. */
function endlessScorecards(store: Store) {
  const released: (() => void)[] = []
  let asked = 0
  const sortedRange: Store['sortedRange'] = async (list, range) => {
    if (list !== 'scorecards:w1') return store.sortedRange(list, range)
    asked += 1
    if (asked > 1) await new Promise<void>((resolve) => void released.push(resolve))
    const from = Math.min(range.max ?? newest, newest)
    return Array.from({ length: range.limit }, (_, index) => ({ member: `call-${from - index}`, score: from - index }))
  }
  const ports = { store: { ...store, sortedRange } }
  return { ...ports, asked: () => asked, release: () => waitFor(() => released.shift()).then((resolve) => resolve()) }
}

test('an export that has not ended after 10 minutes is ended, and reads nothing more', async () => {
  await using closing = new AsyncDisposableStack()
  const { path } = closing.use(await createTempDir())
  const sqlite = createSqliteStore({ dataDir: path, clock: systemClock, retentionOf })
  closing.defer(() => sqlite.close())
  const { store, asked, release } = endlessScorecards(sqlite)
  const audit = createStoreAudit({ store, clock: systemClock })
  const ports = { store, audit, clock: systemClock, agentEntries: { read: async () => [] } }
  const principal = testPrincipal({ role: 'MANAGER', workspaceId: 'w1' })
  const closed: string[] = []
  const exported = createScorecardsCsvHandler(ports, (ctx) => {
    ctx.onAbort((cause) => void closed.push(cause))
    ctx.onClosed(() => void closed.push('closed'))
    return createRequestContext(ctx, async () => principal)
  })
  await using server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    handlers: { '/scorecards.csv': exported },
    health: {},
    log: createLog('silent'),
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const file = await fetch(`${server.url}/scorecards.csv`, { headers: { authorization: 'Bearer token' } })
  const rows = file.body?.getReader()
  expect([file.status, (await rows?.read())?.done]).toEqual([200, false])

  // Those of other requests are 30 seconds.
  vi.advanceTimersByTime(10 * 60_000 - 1_000)
  for (let batch = 0; batch < 3; batch += 1) await release()
  await waitFor(() => asked() === 5)
  expect(closed).toEqual([])

  vi.advanceTimersByTime(1_000)
  await expect(readToEnd(rows)).rejects.toThrow('terminated')
  await waitFor(() => closed.length === 2)
  expect(closed).toEqual(['DEADLINE', 'closed'])
  await release()
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect(asked()).toBe(5)
})

async function readToEnd(rows: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while ((await rows?.read())?.done === false);
}
