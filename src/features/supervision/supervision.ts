import type { WatchCaller } from '../auth/watch-actor.ts'
import { workspacesWithCalls } from '../calls/record-queue.ts'
import type { AgentDirectory, CallRecords } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorDirectory } from '../../ports/doctors.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Notifications } from '../../ports/notifications.ts'
import { asService } from '../../ports/record-access.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { Store } from '../../ports/store.ts'
import type { LiveSessions } from '../sessions/list-sessions.ts'
import { createBackgroundView } from './background-view.ts'
import { createBoards } from './workspace-stats.ts'
import { createFeed } from './feed.ts'
import { createFollowUpdates } from './follow-updates.ts'
import type { Overview } from './overview.ts'
import { createReadOverview } from './read-overview.ts'
import { createDayRecords } from './rebuild-day.ts'
import { createCleanUpDays } from './clean-up-days.ts'

export type SupervisionOptions = {
  readonly calls: CallRecords
  readonly agentDirectory: AgentDirectory
  readonly doctorDirectory: DoctorDirectory
  readonly liveSessions: LiveSessions
  readonly watchCaller: WatchCaller
  readonly configuration: Configuration
  readonly store: Store
  readonly notifications: Notifications
  readonly clock: Clock
  readonly log: Log
}

/** What a manager watches: the use cases, put together. */
export type Supervision = ReturnType<typeof createSupervision>

const agentsFreshMs = 300_000
const slotsFreshMs = 15_000

export function createSupervision(options: SupervisionOptions) {
  const { agentDirectory, doctorDirectory, clock } = options
  const deps = { ...options, now: (): number => clock.now() }
  const { now } = deps
  const boards = createBoards(deps)
  const days = createDayRecords(deps)
  const agentsOf = createBackgroundView({
    read: (workspaceId) => agentDirectory.all(asService(workspaceId, 'INSIGHTS')),
    otherwise: [],
    now,
    freshMs: agentsFreshMs,
  })
  const directoryOf = createBackgroundView({
    read: (workspaceId) => doctorDirectory.read(workspaceId),
    otherwise: { doctors: [], slots: [] },
    now,
    freshMs: slotsFreshMs,
  })
  const read = createReadOverview({ ...deps, boards, days, agentsOf, directoryOf })
  const shared = createSingleFlight<Overview>()
  return {
    /** Looks of one moment are one. Those of the feed are not among them: each shows what it was told of before. */
    read: (workspaceId: string) => shared.run(workspaceId, () => read(workspaceId)),
    follow: createFollowUpdates({ ...options, feed: createFeed({ ...options, read }) }),
    sweep: createCleanUpDays({ ...deps, days, boards, workspaces: () => workspacesWithCalls(options) }),
    [Symbol.dispose]: () => boards[Symbol.dispose](),
  }
}
