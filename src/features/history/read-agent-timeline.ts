import type { Actor } from '../../access/actor.ts'
import { type ClinicDay } from '../../kernel/clinic-day.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { AgentActivity } from '../../ports/agent-activity.ts'
import { readAgentStateLog } from '../calls/agent-state/agent-state-log.ts'
import { agentNames } from '../supervision/agent-names.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import type { CallRow } from './call-row.ts'
import { dayOf, readableAgent } from './history-days.ts'
import { readRows } from './history-store.ts'

type TimelineState = Pick<AgentActivity, 'state' | 'reason'> & { readonly from: string; readonly to: string | null }
type TimelineCall = Omit<CallRow, 'startedAt'> & { readonly startedAt: string; readonly answeredAt: string | null }
export type AgentTimeline = {
  readonly agentId: string
  readonly agentName: string | null
  readonly date: string
  readonly timeZone: string
  readonly states: readonly TimelineState[]
  readonly calls: readonly TimelineCall[]
}

/** Reads the store only. Errors: INVALID_INPUT, NOT_YOURS, STORE_UNAVAILABLE. */
export async function readAgentTimeline(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'clock' | 'configuration' | 'store'>,
  actor: Actor,
  input: { readonly agentId: string; readonly date: string },
): Promise<AgentTimeline> {
  const { workspaceId } = actor.principal
  const agentId = readableAgent(actor, input.agentId) ?? input.agentId
  const { timeZone } = (await ports.configuration.read(workspaceId, 'platform')).visits
  const day = dayOf(input.date, { field: 'date', timeZone })
  const entries = await ports.agentEntries.read(workspaceId)
  const entry = entries.find(({ id }) => id === agentId) ?? null
  const names = agentNames(entries, [])
  const [reports, rows] = await Promise.all([
    entry ? readAgentStateLog(ports, { workspaceId, agentId: entry.providerAgentId }, day) : [],
    readRows(ports, workspaceId, day.date),
  ])
  const own = rows.filter(({ providerAgentId, recordId }) => names.find({ providerAgentId, recordId }).agentId === agentId)
  const calls = own.map((row) => timelineCall(row))
  return { agentId, agentName: entry?.name ?? null, date: day.date, timeZone, states: statesOf(reports, day, ports.clock.now()), calls }
}

/** From report to report within the day. Of the reports of one second, the last counts. */
function statesOf(reports: readonly AgentActivity[], { from, to }: ClinicDay, now: number): readonly TimelineState[] {
  const lasting = reports.filter(({ since }, index) => reports[index + 1]?.since !== since)
  const changes = lasting.filter((report, index) => !isSame(report, lasting[index - 1]))
  return changes.flatMap(({ state, reason, since }, index) => {
    const next = changes[index + 1]?.since
    const end = next === undefined ? Math.min(to, now) : Date.parse(next)
    const begin = Math.max(from, Date.parse(since))
    if (end <= begin) return []
    return [{ state, reason, from: isoMoment(begin), to: next === undefined && now < to ? null : isoMoment(end) }]
  })
}

function isSame(one: AgentActivity, other: AgentActivity | undefined): boolean {
  return other !== undefined && one.state === other.state && one.reason === other.reason
}

function timelineCall(row: CallRow): TimelineCall {
  const { startedAt, waitSeconds } = row
  return { ...row, startedAt: isoMoment(startedAt), answeredAt: waitSeconds === null ? null : isoMoment(startedAt + waitSeconds * 1000) }
}
