import type { CallFacts } from '../../../ports/call-facts.ts'
import type { MissedCall } from '../../../ports/telephony.ts'
import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { knownCall, mergeFacts } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readManyFacts } from '../state/call-state-store.ts'
import { factsOfUpdate } from '../state/facts-of-update.ts'

export type QueueMissingPorts = Pick<CallPorts, 'clock' | 'store' | 'webhookInbox'>
type Origin = { readonly workspaceId: string; readonly provider: string }

/** Calls per read of the store. */
const readBatch = 250

/**
 * Queues the updates that change what we know, as if their webhooks had come; resolves to their number. The inbox drops one that came
 * before, and a webhook that comes later. Errors: OVERLOADED, STORE_UNAVAILABLE.
 */
export async function queueMissing(ports: QueueMissingPorts, origin: Origin, updates: readonly CallUpdate[]): Promise<number> {
  const missing: CallUpdate[] = []
  for (let at = 0; at < updates.length; at += readBatch) {
    const batch = updates.slice(at, at + readBatch)
    const known = await readManyFacts(
      ports,
      origin.workspaceId,
      batch.map(({ ucid }) => ucid),
    )
    missing.push(...batch.filter((update, index) => adds(update, known[index] ?? {}, ports.clock.now())))
  }
  const queued = withoutFormerLegs(missing)
  for (const update of queued) await ports.webhookInbox.add({ ...origin, update })
  return queued.length
}

/** Whether the update would change the call. An answered call also has records of the agents who did not answer: they change nothing. */
function adds(update: CallUpdate, known: CallFacts, receivedAt: number): boolean {
  const { ucid, facts } = update
  if (known.answered?.value === true && facts.answered === false) return false
  return comparable(ucid, mergeFacts(known, factsOfUpdate(update, receivedAt))) !== comparable(ucid, known)
}

/** Reports spell one number in several ways. */
function comparable(ucid: string, facts: CallFacts): string {
  const call = knownCall(ucid, facts)
  return JSON.stringify(call.phoneNumber === null ? call : { ...call, dialledNumber: null })
}

/** A call that went from agent to agent has a record of each: the unanswered ones do not count. */
function withoutFormerLegs(updates: readonly CallUpdate[]): readonly CallUpdate[] {
  const answered = new Set(updates.filter(({ facts }) => facts.answered === true).map(({ ucid }) => ucid))
  return updates.filter(({ ucid, facts }) => facts.answered === true || !answered.has(ucid))
}

/** A report of a missed call says less than a record: it ranks as a live event that says when the caller had gone. */
export function updateOfMissedCall({ ucid, phoneNumber, dialledNumber, did, agentId, at }: MissedCall): CallUpdate {
  const facts = { direction: 'INBOUND', phoneNumber, dialledNumber, did, agentId, startedAt: at, endedAt: at } as const
  return { about: 'CALL', ucid, source: 'LIVE', facts, automaticDisposition: null }
}
