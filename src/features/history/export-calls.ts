import { auditActor, type Actor } from '../../access/actor.ts'
import { requireRole } from '../../access/require-role.ts'
import { csvRow } from '../../kernel/csv.ts'
import { localMoment } from '../../kernel/time-zone.ts'
import type { Ports } from '../../ports/ports.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { type HistoryCallsInput, type ListedCall, listHistoryCalls } from './list-history-calls.ts'

const columns = [
  'startedAt',
  'answeredAt',
  'endedAt',
  'direction',
  'status',
  'phoneNumber',
  'did',
  'campaignName',
  'agentId',
  'agentName',
  'leadId',
  'durationSeconds',
  'wrapUpSeconds',
  'disposition',
  'notes',
  'ucid',
  'id',
] as const satisfies readonly (keyof ListedCall)[]
const times: ReadonlySet<string> = new Set(['startedAt', 'answeredAt', 'endedAt'])
/** With one more, and those of the same second, one request of the platform. */
const perPage = 160

/**
 * Call records as CSV (RFC 4180), a page of the platform at a time, the newest first; the first text has the names of the columns. Times are those
 * of the clinic's time zone, with the offset. For managers; each export is audited when it begins. Errors: ROLE_MISSING, INVALID_INPUT, the
 * platform's, STORE_UNAVAILABLE: the first page is read, and these errors are thrown, before the promise resolves.
 */
export async function exportCalls(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'configuration'> & Pick<Ports, 'audit'>,
  actor: Actor,
  input: HistoryCallsInput,
): Promise<AsyncIterable<string>> {
  requireRole(actor.principal, 'MANAGER')
  const { workspaceId } = actor.principal
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const read = (after: string | null) => listHistoryCalls(ports, actor, { ...input, first: perPage, after })
  const first = await read(null)
  const { from, to, agentId = null } = input
  const target = agentId === null ? null : { kind: 'agent', id: agentId, name: first.nodes[0]?.agentName ?? null }
  await ports.audit.record(workspaceId, { actor: auditActor(actor), action: 'calls.exported', target, details: { from, to } })
  return rowsFrom(first, { read, timeZone })
}

type Page = Awaited<ReturnType<typeof listHistoryCalls>>
type Reading = { readonly read: (after: string | null) => Promise<Page>; readonly timeZone: string }

async function* rowsFrom(first: Page, { read, timeZone }: Reading): AsyncGenerator<string> {
  // A spreadsheet takes the file for UTF-8 only if it begins with this mark.
  yield `\uFEFF${csvRow(columns)}`
  for (let page = first; ; page = await read(page.pageInfo.endCursor)) {
    for (const call of page.nodes) yield csvRow(columns.map((column) => cellOf(call, { column, timeZone })))
    if (!page.pageInfo.hasNextPage) return
  }
}

type Cell = { readonly column: (typeof columns)[number]; readonly timeZone: string }

function cellOf(call: ListedCall, { column, timeZone }: Cell): string | number | null {
  const value = call[column]
  return typeof value === 'string' && times.has(column) ? localMoment(Date.parse(value), timeZone) : value
}
