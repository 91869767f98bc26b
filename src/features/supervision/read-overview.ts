import type { Actor } from '../../access/actor.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { Ports } from '../../ports/ports.ts'
import { readAgentStates } from '../calls/agent-state/agent-state-store.ts'
import { countWaitingCalls, listMissedCalls } from '../calls/missed-calls/missed-call-store.ts'
import { liveSessions } from '../sessions/list-sessions.ts'
import { readNewLeadUse } from '../calls/unknown-callers/hourly-limit.ts'
import { agentNames } from './agent-names.ts'
import { callsNow, callsToday, freeSlots, type Overview, supervisedAgents } from './overview.ts'
import type { SupervisionPorts, SupervisionState } from './supervision-ports.ts'

export type OverviewPorts = Pick<Ports, 'clock' | 'configuration' | 'store'> &
  Pick<SupervisionState, 'workspaceStats' | 'agentEntries' | 'directories'>

const shownMissedCalls = 20

/** The workspace's current overview; concurrent reads share one computation. Errors: STORE_UNAVAILABLE. */
export function readOverview(ports: SupervisionPorts, { principal: { workspaceId } }: Actor): Promise<Overview> {
  return ports.overviewReads.run(workspaceId, () => computeOverview(ports, workspaceId))
}

/** Reads the store and the caches only, so it works while the platform is down. Errors: STORE_UNAVAILABLE. */
export async function computeOverview(ports: OverviewPorts, workspaceId: string): Promise<Overview> {
  const [{ visits }, { serviceLevelSeconds }] = await Promise.all([
    ports.configuration.read(workspaceId, 'platform'),
    ports.configuration.read(workspaceId, 'telephony'),
  ])
  const { timeZone } = visits
  const stats = await ports.workspaceStats.read(workspaceId, timeZone)
  const [sessions, activities, entries, directory, waiting, missedCalls, unknownCallers] = await Promise.all([
    liveSessions(ports, workspaceId),
    readAgentStates(ports, workspaceId),
    ports.agentEntries.read(workspaceId),
    ports.directories.read(workspaceId),
    countWaitingCalls(ports, workspaceId),
    listMissedCalls(ports, workspaceId, { first: shownMissedCalls, waitingOnly: true }),
    readNewLeadUse(ports, workspaceId),
  ])
  const names = agentNames(entries, sessions)
  const now = ports.clock.now()
  return {
    at: isoMoment(now),
    agents: supervisedAgents(sessions, activities),
    callsNow: callsNow(stats.live, names),
    today: callsToday(stats, names, serviceLevelSeconds),
    missedWaiting: { ...waiting, calls: missedCalls.nodes },
    freeSlots: freeSlots(directory, now, timeZone),
    unknownCallers,
  }
}
