import { expect, onTestFinished, test, vi } from 'vitest'
import { isoMoment, systemClock } from '../../src/kernel/clock.ts'
import { derivedId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { CallRecords, PlatformCall } from '../../src/ports/call-records.ts'
import { callRecord } from '../../src/ports/records/call.ts'
import { createStoreAudit } from '../../src/providers/store/audit.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { createRequestContext } from '../../src/server/http/request-context.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { createCallsCsvHandler } from '../../src/server/rest/calls-csv-handler.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
const newest = Date.parse('2024-06-01T12:00:00.000Z')

/** Calls without end; each page after the first comes when it is released. */
function endlessCalls() {
  const released: (() => void)[] = []
  let asked = 0
  const search: CallRecords['search'] = async (_access, { to, skip = 0 }, first) => {
    asked += 1
    if (asked > 1) await new Promise<void>((resolve) => void released.push(resolve))
    const from = Math.min(Date.parse(to), newest)
    return Array.from({ length: first }, (_, index): PlatformCall => {
      const startedAt = isoMoment(from - skip - index)
      return { ...callRecord.schema.parse({ ...empty, id: derivedId('call', startedAt) }), startedAt }
    })
  }
  return { search, asked: () => asked, release: () => waitFor(() => released.shift()).then((resolve) => resolve()) }
}

test('an export that has not ended after 10 minutes is ended, and reads nothing more; the 30 seconds of other requests do not count', async () => {
  const { search, asked, release } = endlessCalls()
  await using closing = new AsyncDisposableStack()
  const { path } = closing.use(await createTempDir())
  const store = createSqliteStore({ dataDir: path, clock: systemClock, retentionOf })
  closing.defer(() => store.close())
  const notUsed = () => Promise.reject(new Error('not used here'))
  const unused = { ofLead: notUsed, withPhone: notUsed, byUcid: notUsed, answered: notUsed, byId: notUsed }
  const ports = {
    store,
    agentEntries: { read: async () => [] },
    audit: createStoreAudit({ store, clock: systemClock }),
    callRecords: { ...unused, write: notUsed, writeMany: notUsed, search },
    log: createLog('silent'),
    leadRecords: { byIds: async () => [], byId: notUsed, byPhone: notUsed, byPhones: notUsed, wasDeleted: notUsed },
    configuration: fixedConfiguration(),
  }
  const principal = testPrincipal({ role: 'MANAGER' })
  const closed: string[] = []
  await using server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: ['loopback'],
    handlers: {
      '/calls.csv': createCallsCsvHandler(ports, (ctx) => {
        ctx.onAbort((cause) => void closed.push(cause))
        return createRequestContext(ctx, async () => principal)
      }),
      '/hangs': problemHandler(() => {}),
    },
    health: {},
    log: createLog('silent'),
  })
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const headers = { authorization: 'Bearer token' }
  const file = await fetch(`${server.url}/calls.csv?from=2024-06-01&to=2024-06-01`, { headers })
  const rows = file.body?.getReader()
  expect([file.status, (await rows?.read())?.done]).toEqual([200, false])

  const other = fetch(`${server.url}/hangs`)
  await waitFor(async () => (await (await fetch(`${server.url}/metrics`)).text()) !== '')
  vi.advanceTimersByTime(10 * 60_000 - 1_000)
  // Its deadline was checked together with that of the export.
  expect((await other).status).toBe(504)
  expect(closed).toEqual([])
  const reading = readToEnd(rows)
  for (let page = 0; page < 3; page += 1) await release()

  vi.advanceTimersByTime(1_000)
  await expect(reading).rejects.toThrow('terminated')
  expect(closed).toEqual(['DEADLINE'])
  const before = asked()
  await release()
  expect((await fetch(`${server.url}/health`)).status).toBe(200)
  expect([before, asked()]).toEqual([5, 5])
})

async function readToEnd(rows: ReadableStreamDefaultReader<Uint8Array> | undefined): Promise<void> {
  while ((await rows?.read())?.done === false);
}
