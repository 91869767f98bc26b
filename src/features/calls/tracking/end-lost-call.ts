import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { factsOf, type KnownCall, knownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type CallKey, readFacts } from '../state/call-state-store.ts'
import { compareSoon } from '../reconciliation/compare-soon.ts'
import { trackAgentOfCall } from './track-call.ts'
import { readTransferState } from '../outcomes/transfer-state.ts'
import { updateCall } from '../state/update-call.ts'

/** The webhook with the end of a call may be lost. What else the provider says then ends the call. */
export type EndLostPorts = Pick<CallPorts, 'agentDirectory' | 'bus' | 'clock' | 'log' | 'notifications' | 'store'>

/** Before this, a webhook may be on its way, and a provider may not know its own call everywhere. */
const settledAfterMs = 60_000

/** Whether nothing was reported about a live call for so long that its end may be lost. */
export function isSettled({ startedAt, answeredAt }: Pick<KnownCall, 'startedAt' | 'answeredAt'>, now: number): boolean {
  const last = answeredAt ?? startedAt
  return last !== null && now - Date.parse(last) >= settledAfterMs
}

/**
 * Ends a call whose end is not known exactly: anything that the provider reports about it later replaces this end. So nothing is published
 * that cannot be taken back: neither a missed call nor a completed one. Repeatable. Errors: STORE_UNAVAILABLE, the bus's.
 */
export async function endLostCall(ports: EndLostPorts, key: CallKey): Promise<void> {
  const now = ports.clock.now()
  // Whole seconds, as the provider's times of the agent's states.
  const facts = factsOf({ endedAt: isoMoment(now - (now % 1_000)) }, { source: 'GUESSED', receivedAt: now })
  const { after } = await updateCall(ports, key, facts)
  await trackAgentOfCall(ports, key.workspaceId, after)
  ports.log.warn({ ...key }, 'call.end-not-reported')
}

/**
 * After an error of the provider: if it says that it knows no such call, a call that is live here ends. Not one that has just begun; not if
 * the DID of the request was our guess, because the provider looks for both; and not if only the agent has left. Those are left to the
 * provider's record, which is read soon. Never fails: the error that was caught is the one to show.
 */
export async function endIfUnknown(ports: EndLostPorts, key: CallKey, error: unknown): Promise<void> {
  if (!(error instanceof AppError) || error.reason !== 'NOT_FOUND') return
  try {
    const facts = await readFacts(ports, key)
    const call = facts && knownCall(key.ucid, facts)
    if (!call || call.endedAt !== null) return
    await compareSoon(ports, key.workspaceId)
    const isDidReported = facts.did?.source === 'LIVE' || facts.did?.source === 'RECORD'
    if (isDidReported && isSettled(call, ports.clock.now()) && !(await hasLeft(ports, key))) await endLostCall(ports, key)
  } catch (failure) {
    ports.log.warn({ err: failure, ...key }, 'call.unknown-call-not-ended')
  }
}

async function hasLeft(ports: EndLostPorts, key: CallKey): Promise<boolean> {
  const stage = (await readTransferState(ports, key))?.stage
  return stage === 'LEAVING' || stage === 'COMPLETED'
}
