import type { AgentDirectory, CallRecords, LeadAgenda, LeadRecords } from '../../ports/call-records.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { DoctorRecords } from '../../ports/doctors.ts'
import type { InsightRecords, LeadActivityRecords } from '../../ports/insight-records.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import type { LeadNotes, NewLeads } from '../../ports/lead-notes.ts'
import { createLeadActivityRecords } from './activity.ts'
import { createLeadAgenda } from './agenda.ts'
import { createAgentDirectory } from './agent-directory.ts'
import { createCallRecords } from './calls.ts'
import { createDoctorRecords } from './doctors.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { createInsightRecords } from './insights.ts'
import { createLeadNotes } from './lead-notes.ts'
import { createLeadRecords } from './leads.ts'
import { createNewLeads } from './new-leads.ts'
import { createObjectShapes } from './object-shapes.ts'
import { createRecordGate } from './record-gate.ts'
import { createRecords, type Records } from './records.ts'
import { createRequestWindow } from './request-window.ts'
import { createServiceQueue } from './service-queue.ts'

export type RecordPortsOptions = {
  readonly endpoint: PlatformEndpoint
  readonly configuration: Configuration
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** What the platform lets an API key do in a minute. */
  readonly requestsPerMinute?: number
}

/** Every port onto the platform's records, over one gate and one limiter. */
export type RecordPorts = {
  readonly records: Records
  readonly leads: LeadRecords
  readonly newLeads: NewLeads
  readonly calls: CallRecords
  readonly activity: LeadActivityRecords
  readonly insights: InsightRecords
  readonly leadNotes: LeadNotes
  readonly agentDirectory: AgentDirectory
  readonly agenda: LeadAgenda
  readonly doctors: DoctorRecords
  /** The service ends: what waits for the API key's next minute fails with OVERLOADED, and is done another time. */
  stopWaiting(): void
}

export function createRecordPorts({
  endpoint,
  configuration,
  store,
  clock,
  log,
  requestsPerMinute = 100,
}: RecordPortsOptions): RecordPorts {
  const window = createRequestWindow({ store, clock, perMinute: requestsPerMinute })
  const queue = createServiceQueue(window)
  const gate = createRecordGate({ endpoint, configuration, window, queue })
  const shapes = createObjectShapes(gate, clock)
  const records = createRecords({ gate, shapes, configuration, log })
  const calls = createCallRecords(records)
  const leadNotes = createLeadNotes({ gate, shapes, configuration })
  const doctors = createDoctorRecords({ records, configuration, store, clock, log })
  return {
    records,
    calls,
    doctors,
    leads: createLeadRecords(records, configuration),
    newLeads: createNewLeads(records),
    activity: createLeadActivityRecords({ records, calls, doctors, gate, shapes, configuration, clock }),
    insights: createInsightRecords({ records, leadNotes }),
    leadNotes,
    agentDirectory: createAgentDirectory(records, clock),
    agenda: createLeadAgenda({ doctors, gate, shapes, configuration }),
    stopWaiting: () => queue.stop(),
  }
}
