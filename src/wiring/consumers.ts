import { type InsightPorts, writeInsight } from '../features/insights/write-insight.ts'
import type { Ports } from '../ports/ports.ts'

/** Subscribes our own consumers to the bus; also in a process that only consumes. */
export function consumeEvents(ports: InsightPorts & Pick<Ports, 'bus'>): void {
  ports.bus.subscribe({ name: 'insights', topic: 'call.completed', handle: (event, signal) => writeInsight(ports, event, signal) })
}
