import { readAgentStates } from '../calls/agent-state-store.ts'
import { countWaitingCalls, listMissedCalls } from '../calls/missed-calls.ts'
import type { Ports } from '../../ports/ports.ts'
import type { AgentEntry } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Directory } from '../../ports/doctors.ts'
import { isoMoment } from '../../kernel/clock.ts'
import type { LiveSessions } from '../sessions/list-sessions.ts'
import { agentNames } from './agent-names.ts'
import type { Boards } from './workspace-stats.ts'
import { callsNow, callsToday, freeSlots, type Overview, supervisedAgents } from './overview.ts'
import type { DayRecords } from './rebuild-day.ts'

export type ReadOverviewDeps = Pick<Ports, 'store' | 'clock'> & {
  readonly boards: Boards
  readonly days: DayRecords
  readonly liveSessions: LiveSessions
  /** The platform's agent records as they were read last; never waits long, never throws. */
  readonly agentsOf: (workspaceId: string) => Promise<readonly AgentEntry[]>
  /** Doctors and slots as they were read last; never waits long, never throws. */
  readonly directoryOf: (workspaceId: string) => Promise<Directory>
  readonly configuration: Configuration
  readonly now: () => number
}

/** Errors: STORE_UNAVAILABLE. */
export type ReadOverview = (workspaceId: string) => Promise<Overview>

const shownMissed = 20

/** What stands now, from what is kept here. */
export function createReadOverview(deps: ReadOverviewDeps): ReadOverview {
  return (workspaceId) => readOverview(deps, workspaceId)
}

async function readOverview(deps: ReadOverviewDeps, workspaceId: string): Promise<Overview> {
  const { boards, days, now } = deps
  const { timeZone } = (await deps.configuration.read(workspaceId, 'platform')).visits
  const board = await boards.read(workspaceId, timeZone)
  const [sessions, activities, entries, directory, waiting, calls, complete] = await Promise.all([
    deps.liveSessions(workspaceId),
    readAgentStates(deps, workspaceId),
    deps.agentsOf(workspaceId),
    deps.directoryOf(workspaceId),
    countWaitingCalls(deps, workspaceId),
    listMissedCalls(deps, workspaceId, { first: shownMissed, waitingOnly: true }),
    days.isComplete(workspaceId, board.day),
  ])
  const names = agentNames(entries, sessions)
  return {
    at: isoMoment(now()),
    agents: supervisedAgents(sessions, activities),
    callsNow: callsNow(board.live, names),
    today: callsToday(board, names, complete),
    missedWaiting: { ...waiting, calls },
    freeSlots: freeSlots(directory, now(), timeZone),
  }
}
