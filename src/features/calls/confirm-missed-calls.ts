import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { type CallKey, readCall } from './call-state-store.ts'
import { addMissedCall, linkMissedCall } from './missed-call-store.ts'

/**
 * The end of a call may be reported before its answer. So the live end of an unanswered call counts as missed after this time, the
 * provider's record at once.
 */
const confirmAfterMs = 5_000
const maxPerRun = 200
const retryMs = 30_000
const unconfirmedList = 'calls-perhaps-missed'

/**
 * Publishes the calls that ended unanswered and were not reported as answered since. Resolves to their number. One that fails is tried
 * again later, until what we know of it is forgotten. Errors: STORE_UNAVAILABLE.
 */
export async function confirmMissedCalls(ports: Pick<CallPorts, 'bus' | 'clock' | 'log' | 'notifications' | 'store'>): Promise<number> {
  const { store, clock, log } = ports
  const due = await store.sortedRange(unconfirmedList, { max: clock.now(), limit: maxPerRun })
  let missed = 0
  for (const { member } of due) {
    const key = keyIn(member)
    try {
      missed += (await confirm(ports, key)) ? 1 : 0
      await store.sortedRemove(unconfirmedList, member)
    } catch (error) {
      log.warn({ ...key, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }, 'missed-call.not-confirmed')
      await store.sortedAdd(unconfirmedList, member, clock.now() + retryMs)
    }
  }
  return missed
}

/** True for a call that was missed. */
async function confirm(ports: Pick<CallPorts, 'bus' | 'clock' | 'notifications' | 'store'>, key: CallKey): Promise<boolean> {
  const call = await readCall(ports, key)
  if (call?.phase !== 'MISSED') return false
  await publishMissedCall(ports, key.workspaceId, call)
  // Its lead may have been created meanwhile.
  const leadId = (await readCall(ports, key))?.leadId ?? null
  if (leadId !== null && leadId !== call.leadId) await linkMissedCall(ports, key, leadId)
  return true
}

/** Leaves an unanswered call to `confirmMissedCalls`. */
export async function confirmLater({ store, clock }: Pick<CallPorts, 'clock' | 'store'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await store.sortedAdd(unconfirmedList, JSON.stringify([workspaceId, ucid]), clock.now() + confirmAfterMs)
}

/** Adds a call to the missed ones and publishes `call.missed`. Repeatable. */
export async function publishMissedCall(
  ports: Pick<CallPorts, 'bus' | 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  const { ucid, phoneNumber, did, campaignName, leadId, startedAt } = call
  const at = call.endedAt ?? call.startedAt ?? isoMoment(ports.clock.now())
  await addMissedCall(ports, workspaceId, { ucid, phoneNumber, did, campaignName, leadId, startedAt, at })
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
