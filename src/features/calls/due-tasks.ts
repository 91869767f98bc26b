import type { DueTask } from '../../ports/due/due-work.ts'
import { retryDispositions } from './dispositions/retry-dispositions.ts'
import { confirmMissedCalls } from './missed-calls/confirm-missed-calls.ts'
import { writeRecords } from './records/write-records.ts'
import type { CallPorts } from './state/call-ports.ts'
import { checkOutboundCalls } from './tracking/check-outbound-calls.ts'
import { createLeadsOfCallers } from './unknown-callers/create-leads-of-callers.ts'
import { writeTasks } from './worklist/write-tasks.ts'

/** What this feature does later, or again until it succeeds. */
export function callTasks(ports: CallPorts): readonly DueTask[] {
  const make = [confirmMissedCalls, createLeadsOfCallers, writeTasks, checkOutboundCalls, writeRecords, retryDispositions]
  return make.map((task) => task(ports))
}
