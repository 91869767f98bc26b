import { createCallStores } from '../features/calls/calls.ts'
import { createLeadOfCall } from '../features/calls/lead-of-call.ts'
import { writeInsight } from '../features/insights/write-insight.ts'
import type { Infrastructure } from './infrastructure.ts'
import { useCasePorts, type WiredPorts } from './ports.ts'

/** Subscribes our own consumers to the bus; also in a process that only consumes. */
export function consumeEvents(infrastructure: Infrastructure, ports: WiredPorts): void {
  const { bus, clock } = infrastructure
  const insightPorts = {
    ...useCasePorts(infrastructure, ports),
    leadOfCall: createLeadOfCall({ ...createCallStores(infrastructure), ...ports.records, now: () => clock.now() }),
  }
  bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(insightPorts, event, signal) })
}
