import type { SingleFlight } from '../../kernel/single-flight.ts'
import type { AgentEntry } from '../../ports/call-records.ts'
import type { Directory } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import type { AuthPorts } from '../auth/auth-ports.ts'
import type { BackgroundCache } from './background-cache.ts'
import type { OverviewFeed } from './overview-feed.ts'
import type { Overview } from './overview.ts'
import type { WorkspaceStats } from './workspace-stats.ts'

/** The objects of supervision that hold state. Disposing stops their subscriptions. */
export type SupervisionState = Disposable & {
  readonly workspaceStats: WorkspaceStats
  /** The platform's agent records. */
  readonly agentEntries: BackgroundCache<readonly AgentEntry[]>
  /** Doctors and visit slots. */
  readonly directories: BackgroundCache<Directory>
  /** Overviews that are being computed. */
  readonly overviewReads: SingleFlight<Overview>
  readonly overviewFeed: OverviewFeed
}

/** What supervision needs from outside and from the features to its right. */
export type OutsidePorts = Pick<
  Ports,
  'agentDirectory' | 'callRecords' | 'clock' | 'configuration' | 'doctorDirectory' | 'log' | 'notifications' | 'store'
> &
  Pick<AuthPorts, 'principals'>

/** What the use cases of supervision work with. */
export type SupervisionPorts = OutsidePorts & SupervisionState
