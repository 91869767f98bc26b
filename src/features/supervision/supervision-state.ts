import { createSingleFlight } from '../../kernel/single-flight.ts'
import type { AgentEntry } from '../../ports/call-records.ts'
import type { Directory } from '../../ports/doctors.ts'
import { asService } from '../../ports/record-access.ts'
import { createBackgroundCache } from './background-cache.ts'
import { createOverviewFeed } from './overview-feed.ts'
import { computeOverview, type OverviewPorts } from './read-overview.ts'
import type { OutsidePorts, SupervisionState } from './supervision-ports.ts'
import { createWorkspaceStats } from './workspace-stats.ts'

const agentsFreshMs = 300_000
const slotsFreshMs = 15_000

export function createSupervisionState(ports: OutsidePorts): SupervisionState {
  const { clock, agentDirectory, doctorDirectory } = ports
  const workspaceStats = createWorkspaceStats(ports)
  const agentEntries = createBackgroundCache<readonly AgentEntry[]>({
    load: (workspaceId) => agentDirectory.all(asService(workspaceId, 'INSIGHTS')),
    fallback: [],
    clock,
    freshMs: agentsFreshMs,
  })
  const directories = createBackgroundCache<Directory>({
    load: (workspaceId) => doctorDirectory.read(workspaceId),
    fallback: { doctors: [], slots: [] },
    clock,
    freshMs: slotsFreshMs,
  })
  const overviewPorts: OverviewPorts = { ...ports, workspaceStats, agentEntries, directories }
  return {
    workspaceStats,
    agentEntries,
    directories,
    overviewReads: createSingleFlight(),
    overviewFeed: createOverviewFeed(ports, (workspaceId) => computeOverview(overviewPorts, workspaceId)),
    [Symbol.dispose]: () => workspaceStats[Symbol.dispose](),
  }
}
