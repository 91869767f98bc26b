import { isoMoment } from '../../kernel/clock.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { type CallKey, readCall } from './call-state-store.ts'
import { addMissedCall } from './missed-call-store.ts'

export type ConfirmMissedCallsPorts = Pick<CallPorts, 'bus' | 'clock' | 'store'>

/**
 * The end of a call may be reported before its answer. So the live end of an unanswered call counts as missed after this time, the
 * provider's record at once.
 */
const confirmAfterMs = 5_000
const maxPerRun = 200
const unconfirmedList = 'calls-perhaps-missed'

/** Publishes the calls that ended unanswered and were not reported as answered since. Resolves to their number. */
export async function confirmMissedCalls(ports: ConfirmMissedCallsPorts): Promise<number> {
  const { store, clock } = ports
  const due = await store.sortedRange(unconfirmedList, { max: clock.now(), limit: maxPerRun })
  let missed = 0
  for (const { member } of due) {
    const key = keyIn(member)
    const call = await readCall(ports, key)
    if (call?.phase === 'MISSED') {
      await publishMissedCall(ports, key.workspaceId, call)
      missed += 1
    }
    await store.sortedRemove(unconfirmedList, member)
  }
  return missed
}

/** Leaves an unanswered call to `confirmMissedCalls`. */
export async function confirmLater({ store, clock }: ConfirmMissedCallsPorts, { workspaceId, ucid }: CallKey): Promise<void> {
  await store.sortedAdd(unconfirmedList, JSON.stringify([workspaceId, ucid]), clock.now() + confirmAfterMs)
}

/** Adds a call to the missed ones and publishes `call.missed`. Repeatable. */
export async function publishMissedCall(ports: ConfirmMissedCallsPorts, workspaceId: string, call: KnownCall): Promise<void> {
  const { ucid, phoneNumber, did, campaignName, leadId } = call
  const at = call.endedAt ?? call.startedAt ?? isoMoment(ports.clock.now())
  await addMissedCall(ports, workspaceId, { ucid, phoneNumber, did, campaignName, leadId, at })
  await ports.bus.publish({
    id: derivedId('call.missed', workspaceId, ucid),
    type: 'call.missed',
    version: 1,
    workspaceId,
    occurredAt: at,
    ucid,
    callId: derivedId('call', workspaceId, ucid),
    leadId,
  })
}

function keyIn(member: string): CallKey {
  const parts: unknown = JSON.parse(member)
  const [workspaceId = '', ucid = ''] = Array.isArray(parts) ? parts.map(String) : []
  return { workspaceId, ucid }
}
