import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Ports } from '../../ports/ports.ts'
import { createLeadActivityRecords } from './activity.ts'
import { createLeadAgenda } from './agenda.ts'
import { createAgentDirectory } from './agent-directory.ts'
import { createPlatformAgents } from './agents.ts'
import { createCallbackTasks } from './callback-tasks.ts'
import { createCallRecords } from './calls.ts'
import { createDataModel } from './data-model.ts'
import { createDoctorRecords } from './doctors.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { createPlatformIdentity } from './identity.ts'
import { createInsightRecords } from './insights.ts'
import { createLeadNotes } from './lead-notes.ts'
import { createLeadRecords, createNewLeads } from './leads.ts'
import { createPlatformMembers } from './members.ts'
import { createObjectShapes } from './object-shapes.ts'
import { createRecordRights } from './record-rights.ts'
import { createRecordGate } from './record-gate.ts'
import { createRecords } from './records.ts'
import { createRequestWindow, platformRequestsPerMinute } from './api-key-limit.ts'
import { createServiceQueue } from './api-key-queue.ts'
import { createTeamAgents } from './team-agents.ts'
import { createWorkspaceFacts } from './workspace-facts.ts'

export type RecordPortsOptions = Pick<Ports, 'configuration' | 'store' | 'clock' | 'log'> & {
  readonly endpoint: PlatformEndpoint
  /** The configuration as it was last read: agents sign in while the store is away. Default: `configuration`. */
  readonly lastKnownConfiguration?: Configuration
  /** Default: what the platform allows an API key. */
  readonly requestsPerMinute?: number
}

export type RecordPorts = ReturnType<typeof createRecordPorts>

/** Every port onto the platform's records, over one gate and one rate limit. */
export function createRecordPorts({ endpoint, requestsPerMinute = platformRequestsPerMinute, ...ports }: RecordPortsOptions) {
  const { configuration, lastKnownConfiguration = configuration, clock, log } = ports
  const window = createRequestWindow({ ...ports, perMinute: requestsPerMinute })
  const queue = createServiceQueue(window)
  const gate = createRecordGate({ endpoint, configuration, window, queue })
  const shapes = createObjectShapes(gate, clock)
  const objectsOf = async (workspaceId: string) => (await configuration.read(workspaceId, 'platform')).objects
  const records = createRecords({ gate, shapes, objectsOf, log })
  const callRecords = createCallRecords(records)
  const leadNotes = createLeadNotes({ gate, shapes, configuration })
  const doctorRecords = createDoctorRecords({ ...ports, records })
  return {
    records,
    callRecords,
    doctorRecords,
    leadNotes,
    leadRecords: createLeadRecords(records, configuration),
    newLeads: createNewLeads(records),
    leadActivity: createLeadActivityRecords({ records, calls: callRecords, doctors: doctorRecords, gate, shapes, configuration, clock }),
    insightRecords: createInsightRecords({ records, leadNotes }),
    agentRecords: createPlatformAgents({ gate, shapes, configuration: lastKnownConfiguration, log }),
    agentDirectory: createAgentDirectory(records, clock),
    teamAgents: createTeamAgents(records),
    leadAgenda: createLeadAgenda({ doctors: doctorRecords, gate, shapes, configuration }),
    callbackTasks: createCallbackTasks({ gate, shapes, configuration }),
    dataModel: createDataModel(endpoint, shapes),
    /** The service ends: what still waits for the API key's next minute after this time (default: now) fails with OVERLOADED, and is repeated later. */
    stopWaiting: (afterMs?: number) => queue.stop(afterMs),
  }
}

type PlatformOptions = RecordPortsOptions & {
  /** The full address of a workspace's frontend, by subdomain. */
  readonly originOf: (subdomain: string) => string
}

/** Every port onto the platform, except `workspaces`, which the configuration needs first. */
export function createPlatformPorts({ originOf, ...options }: PlatformOptions) {
  const { endpoint } = options
  return {
    ...createRecordPorts(options),
    workspaceFacts: createWorkspaceFacts(endpoint),
    recordRights: createRecordRights(endpoint),
    identity: createPlatformIdentity({ endpoint, originOf }),
    members: createPlatformMembers(endpoint),
  }
}
