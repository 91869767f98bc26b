import { auditActor, type Actor } from '../../access/actor.ts'
import { requireConfirmed, requireRole } from '../../access/require-role.ts'
import { csvRow } from '../../kernel/csv.ts'
import { localMoment } from '../../kernel/time-zone.ts'
import type { Ports } from '../../ports/ports.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { type HistoryCallsInput, type ListedCall, listHistoryCalls } from './list-history-calls.ts'

/** `leadName`: null also if the manager may not read leads. */
type NamedCall = ListedCall & { readonly leadName: string | null }

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
  'leadName',
] as const satisfies readonly (keyof NamedCall)[]
const times: ReadonlySet<string> = new Set(['startedAt', 'answeredAt', 'endedAt'])
/** With one more, and those of the same second, one request of the platform. */
const perPage = 160

type ExportPorts = Pick<SupervisionPorts, 'agentEntries' | 'callRecords' | 'configuration' | 'store'> &
  Pick<Ports, 'audit' | 'leadRecords' | 'log'>

/**
 * Call records as CSV (RFC 4180), a page of the platform at a time, the newest first; the first text has the names of the columns. Times are those
 * of the clinic's time zone, with the offset. For managers; each export is audited when it begins. Errors: ROLE_MISSING, INVALID_INPUT, the
 * platform's, STORE_UNAVAILABLE: the first page is read, and these errors are thrown, before the promise resolves.
 */
export async function exportCalls(ports: ExportPorts, actor: Actor, input: HistoryCallsInput): Promise<AsyncIterable<string>> {
  requireRole(actor.principal, 'MANAGER')
  requireConfirmed(actor.principal)
  const { workspaceId } = actor.principal
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const read = (after: string | null) => listHistoryCalls(ports, actor, { ...input, first: perPage, after })
  const first = await read(null)
  const { from, to, agentId = null } = input
  const target = agentId === null ? null : { kind: 'agent', id: agentId, name: first.nodes[0]?.agentName ?? null }
  await ports.audit.record(workspaceId, { actor: auditActor(actor), action: 'calls.exported', target, details: { from, to } })
  return rowsFrom(first, { read, timeZone, named: (calls) => withLeadNames(ports, actor, calls) })
}

type Page = Awaited<ReturnType<typeof listHistoryCalls>>
type Reading = {
  readonly read: (after: string | null) => Promise<Page>
  readonly timeZone: string
  readonly named: (calls: readonly ListedCall[]) => Promise<readonly NamedCall[]>
}

async function* rowsFrom(first: Page, { read, timeZone, named }: Reading): AsyncGenerator<string> {
  // A spreadsheet takes the file for UTF-8 only if it begins with this mark.
  yield `\uFEFF${csvRow(columns)}`
  for (let page = first; ; page = await read(page.pageInfo.endCursor)) {
    for (const call of await named(page.nodes)) yield csvRow(columns.map((column) => cellOf(call, { column, timeZone })))
    if (!page.pageInfo.hasNextPage) return
  }
}

/** One request for the leads of a page. A file without names is worth having. */
async function withLeadNames({ leadRecords, log }: ExportPorts, actor: Actor, calls: readonly ListedCall[]): Promise<readonly NamedCall[]> {
  const ids = calls.flatMap(({ leadId }) => leadId ?? [])
  const leads = await leadRecords.byIds(asPerson(actor.principal.workspaceId, actor.accessToken), ids).catch((error: unknown) => {
    log.warn({ workspaceId: actor.principal.workspaceId, err: error }, 'history.export-without-names')
    return []
  })
  const names = new Map(leads.map(({ id, name }) => [id, name]))
  return calls.map((call) => ({ ...call, leadName: names.get(call.leadId ?? '') ?? null }))
}

type Cell = { readonly column: (typeof columns)[number]; readonly timeZone: string }

function cellOf(call: NamedCall, { column, timeZone }: Cell): string | number | null {
  const value = call[column]
  return typeof value === 'string' && times.has(column) ? localMoment(Date.parse(value), timeZone) : value
}
