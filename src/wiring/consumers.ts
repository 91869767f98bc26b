import { leadOfCall } from '../features/calls/lead-of-call.ts'
import { type InsightPorts, writeInsight } from '../features/insights/write-insight.ts'
import type { Infrastructure } from './infrastructure.ts'
import { useCasePorts, type WiredPorts } from './ports.ts'

/** Subscribes our own consumers to the bus; also in a process that only consumes. */
export function consumeEvents(infrastructure: Infrastructure, ports: WiredPorts): void {
  const useCases = useCasePorts(infrastructure, ports)
  const insightPorts: InsightPorts = { ...useCases, leadOfCall: (call) => leadOfCall(useCases, call) }
  const handle = (event: Parameters<typeof writeInsight>[1], signal: AbortSignal) => writeInsight(insightPorts, event, signal)
  infrastructure.bus.subscribe({ name: 'insights', topic: 'call.completed', handle })
}
