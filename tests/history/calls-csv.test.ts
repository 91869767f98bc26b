import { expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { listHistoryCalls } from '../../src/features/history/list-history-calls.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { csvRow } from '../../src/kernel/csv.ts'
import { derivedId } from '../../src/kernel/ids.ts'
import type { CallRecords, PlatformCall } from '../../src/ports/call-records.ts'
import { callRecord } from '../../src/ports/records/call.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'
import { createTestApp } from '../harness/app.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const range = 'from=2024-06-01&to=2024-06-01'

test('call records as a file: every page, in the zone of the clinic, safe for a spreadsheet, for managers, and audited', async () => {
  await using app = await createTestApp()
  const [manager, agent] = [await app.signIn('manager@demo.example'), await app.signIn('agent1@demo.example')]
  const leadId = String(app.standIns.platform.records('demo', 'lead', { name: { eq: 'Ananya Sharma' } })[0]?.['id'])
  const notes = ['=HYPERLINK("http://x")', '  +cmd', '-2', '@sum', '\tx', 'two\r\nlines', 'a "word", quoted', 'plain', '']
  const data = Array.from({ length: 200 + notes.length }, (_, index) => ({
    ucid: `csv-${index}`,
    startedAt: new Date(Date.UTC(2024, 5, 1, 6, 0, 200 + notes.length - index)).toISOString(),
    phone: '+919876543210',
    notes: notes[index - 200] ?? 'many',
    ...(index === 0 ? { leadId } : {}),
    ...(index % 2 === 0 ? { agentId: agent.agentId } : {}),
  }))
  for (let at = 0; at < data.length; at += 100) {
    const made = await app.graphql('mutation($data: [CallCreateInput!]!) { createCalls(data: $data) { id } }', {
      variables: { data: data.slice(at, at + 100) },
      token: manager.token,
    })
    expect(made.errors).toBeUndefined()
  }
  const download = (query: string, token: string) =>
    fetch(`${app.url}/api/history/calls.csv?${query}`, { headers: { authorization: `Bearer ${token}` } })
  const answer = await download(range, manager.token)
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8; header=present'])
  expect(answer.headers.get('content-disposition')).toBe('attachment; filename="calls-2024-06-01-2024-06-01.csv"')
  const bytes = Buffer.from(await answer.arrayBuffer())
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf])
  const text = bytes.subarray(3).toString()
  expect(text.startsWith('startedAt,answeredAt,endedAt,direction,')).toBe(true)
  expect(data.filter(({ ucid }) => !text.includes(`,${ucid},`))).toEqual([])
  expect(text.match(/2024-06-01T11:3\d:\d\d\+05:30/g)).toHaveLength(data.length)
  expect(text).toContain(',+919876543210,')
  expect(text.match(new RegExp(`,${leadId},.*,Ananya Sharma\r?$`, 'gm'))).toHaveLength(1)
  const written = [`"'=HYPERLINK(""http://x"")"`, `'+cmd`, `'-2`, `'@sum`, ',x,', '"two\r\nlines"', '"a ""word"", quoted"', ',plain,']
  for (const cell of written) expect(text).toContain(cell)

  const own = await app.rest('GET', `/api/history/calls?${range}&first=200`, { token: agent.token })
  expect(own.body).toHaveLength(Math.ceil(data.length / 2))
  expect((await download(range, agent.token)).status).toBe(403)
  expect((await download('from=2024-06-01', manager.token)).status).toBe(400)
  expect((await download(`${range}&colour=red`, manager.token)).status).toBe(400)
  expect((await fetch(`${app.url}/api/history/calls.csv?${range}`)).status).toBe(401)
  expect((await download(`${range}&agentId=${agent.agentId}`, manager.token).then((file) => file.text())).split('\r\n')).toHaveLength(
    Math.ceil(data.length / 2) + 2,
  )
  const audit = await app.rest('GET', '/api/audit?first=5', { token: manager.token })
  expect(JSON.stringify(audit.body)).toContain('calls.exported')
})

test('pages of calls that began in the same second neither repeat nor skip a call', async () => {
  const empty = Object.fromEntries(Object.keys(callRecord.fields).map((field) => [field, null]))
  const startOf = (index: number): string => new Date(Date.UTC(2024, 5, 1, 6, 0, 10 - Math.floor(index / 35))).toISOString()
  const all = Array.from({ length: 80 }, (_, index): PlatformCall => ({
    ...callRecord.schema.parse({ ...empty, id: derivedId('call', String(index)) }),
    startedAt: startOf(index),
  }))
  const search: CallRecords['search'] = async (_access, { to, skip = 0 }, first) =>
    all.filter(({ startedAt }) => (startedAt ?? '') <= to).slice(skip, skip + first)
  const notUsed = () => Promise.reject(new Error('not used here'))
  const unused = { ofLead: notUsed, withPhone: notUsed, byUcid: notUsed, answered: notUsed, byId: notUsed }
  const callRecords: CallRecords = { ...unused, write: notUsed, writeMany: notUsed, search }
  await using closing = new AsyncDisposableStack()
  const { path } = closing.use(await createTempDir())
  const store = createSqliteStore({ dataDir: path, clock: systemClock, retentionOf })
  closing.defer(() => store.close())
  const ports = { callRecords, agentEntries: { read: async () => [] }, configuration: fixedConfiguration(), store }
  const actor: Actor = { principal: testPrincipal({ role: 'MANAGER' }), accessToken: 'token', clientAddress: '127.0.0.1' }
  const seen: string[] = []
  let after: string | null = null
  for (let pages = 0; pages < 40; pages += 1) {
    const page = await listHistoryCalls(ports, actor, { from: '2024-06-01', to: '2024-06-01', first: 3, after })
    seen.push(...page.nodes.map(({ id }) => id))
    after = page.pageInfo.endCursor
    if (!page.pageInfo.hasNextPage) break
  }
  expect(seen).toEqual(all.map(({ id }) => id))
})

test('no part of a cell is computed, whatever the spreadsheet takes for the end of a cell; a phone number is no formula', () => {
  const written = (text: string): string => csvRow([text]).slice(0, -2)
  expect(['=1', ' =1', '\uFEFF@x', '-2', 'a;=1', 'a; +1', 'a;"=1"', 'a\t-1'].map(written)).toEqual([
    "'=1",
    "' =1",
    "'\uFEFF@x",
    "'-2",
    "a;'=1",
    "a;' +1",
    `"a;'""=1"""`,
    "a\t'-1",
  ])
  expect(written('two\r\n=lines')).toBe(`"two\r\n'=lines"`)
  expect(['+919876543210', 'a-b', 'a; b', '1;2'].map(written)).toEqual(['+919876543210', 'a-b', 'a; b', '1;2'])
  expect(written('+91 98')).toBe("'+91 98")
})

test('what nobody sees before a formula hides it from no spreadsheet: every kind of control, format and space character', () => {
  const written = (text: string): string => csvRow([text]).slice(0, -2)
  const isComputed = (cell: string): boolean => /^[\p{C}\p{Z}\p{M}\p{Default_Ignorable_Code_Point}\u2800"]*[=+\-@]/u.test(cell)
  const invisible = [
    '\u200B',
    '\u0085',
    '\v',
    '\u001F',
    '\0',
    '\u001C',
    '\f',
    '\u2028',
    '\u2060',
    '\u00AD',
    '\u202E',
    '\u3164',
    '\uFE0F',
    '\u2800',
  ]
  invisible.push('\u{E0001}', '\uE000', '\uD800', '\u034F', '\u00A0', '\u3000', '\u200B \u200B', '\u200B"')
  for (const lead of invisible) {
    for (const text of [`${lead}=1`, `a;${lead}@x`, `a\t${lead}-1`]) {
      const parts = written(text).split(/[;\p{Cc}\p{Zl}\p{Zp}]/u)
      expect(parts.filter(isComputed), JSON.stringify(text)).toEqual([])
    }
  }
  expect(['\u200Bnote', 'a\u0085b', '\u2212', '\u200B+'].map(written)).toEqual(['\u200Bnote', 'a\u0085b', "'\u2212", "'\u200B+"])
  // A long run costs no more than it is long: its square would take minutes.
  const before = process.threadCpuUsage()
  written(`${'\u200B;'.repeat(50_000)}${'\u200B'.repeat(100_000)}`)
  expect(process.threadCpuUsage(before).user).toBeLessThan(5_000_000)
})
