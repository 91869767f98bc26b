import { countUpstreamCall, type Figures } from '../ports/figures.ts'
import type { PortCall } from './port-guard.ts'

/** Counts the calls of guarded ports. */
export function countPortCalls(figures: Pick<Figures, 'upstreamCalls'>): (call: PortCall) => void {
  return ({ provider, method, outcome, seconds }) => countUpstreamCall(figures, { provider, operation: method, result: outcome, seconds })
}
