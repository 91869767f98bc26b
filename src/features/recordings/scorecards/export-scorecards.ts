import { type Actor, auditActor } from '../../../access/actor.ts'
import { requireConfirmed, requireRole } from '../../../access/require-role.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { csvRow } from '../../../kernel/csv.ts'
import type { AgentEntry } from '../../../ports/call-records.ts'
import type { Ports } from '../../../ports/ports.ts'
import { type ScorecardList, scorecardBatches } from './list-scorecards.ts'
import type { ScoredCriterion, StoredScorecard } from './stored-scorecard.ts'

type Cell = string | number | null
/** The agents of a workspace, as far as they are known. */
type Agents = { read(workspaceId: string): Promise<readonly Pick<AgentEntry, 'id' | 'name'>[]> }

const columns: Readonly<Record<string, (scorecard: StoredScorecard, criterion: ScoredCriterion) => Cell>> = {
  callId: ({ callId }) => callId,
  agentId: ({ agentId }) => agentId,
  at: ({ at }) => isoMoment(at),
  analyzedAt: ({ analyzedAt }) => analyzedAt,
  criterion: (_scorecard, { key }) => key,
  name: (_scorecard, { name }) => name,
  weight: (_scorecard, { weight }) => weight,
  modelVerdict: (_scorecard, { verdict }) => verdict,
  managerVerdict: (_scorecard, { correction }) => correction?.verdict ?? null,
  managerReason: (_scorecard, { correction }) => correction?.reason ?? null,
  managerName: (_scorecard, { correction }) => correction?.by.name ?? null,
  managerMemberId: (_scorecard, { correction }) => correction?.by.memberId ?? null,
  correctedAt: (_scorecard, { correction }) => correction?.at ?? null,
  verdict: (_scorecard, { verdict, correction }) => correction?.verdict ?? verdict,
}

/**
 * The scorecards of a list as CSV, a row for each criterion, newest call first; the first text has the names of the columns. For managers; each
 * export is audited when it begins. Errors: ROLE_MISSING, INVALID_INPUT, STORE_UNAVAILABLE: thrown before the promise resolves, if they are known then.
 */
export async function exportScorecards(
  ports: Pick<Ports, 'audit' | 'clock' | 'store'> & { readonly agentEntries: Agents },
  actor: Actor,
  list: ScorecardList,
): Promise<AsyncIterable<string>> {
  requireRole(actor.principal, 'MANAGER')
  requireConfirmed(actor.principal)
  const { workspaceId } = actor.principal
  const batches = scorecardBatches(ports, workspaceId, { ...list, before: null })
  const first = await batches.next()
  const { from = null, to = null, agentId = null, correctedOnly } = list
  const agents = agentId === null ? [] : await ports.agentEntries.read(workspaceId)
  const name = agents.find(({ id }) => id === agentId)?.name ?? null
  await ports.audit.record(workspaceId, {
    actor: auditActor(actor),
    action: 'scorecards.exported',
    target: agentId === null ? null : { kind: 'agent', id: agentId, name },
    details: { from, to, correctedOnly },
  })
  return rowsOf(first, batches)
}

type Batches = ReturnType<typeof scorecardBatches>

async function* rowsOf(first: Awaited<ReturnType<Batches['next']>>, batches: Batches): AsyncGenerator<string> {
  // A spreadsheet takes the file for UTF-8 only if it begins with this mark.
  yield `\uFEFF${csvRow(Object.keys(columns))}`
  for (let found = first; found.done !== true; found = await batches.next()) {
    const scorecards = found.value.scorecards.filter((scorecard) => scorecard !== null)
    const rows = scorecards.flatMap((scorecard) =>
      scorecard.criteria.map((criterion) => csvRow(Object.values(columns).map((column) => column(scorecard, criterion)))),
    )
    // Also if it is empty: only here can the reading end for a reader who has left.
    yield rows.join('')
  }
}
