import { isoMoment } from '../../../kernel/clock.ts'
import { derivedId } from '../../../kernel/ids.ts'
import { DueList, itemOfPair } from '../../../ports/due/due-list.ts'
import { carryOverShared, type DueTask, eachAlone } from '../../../ports/due/due-work.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type CallKey, readCall } from '../state/call-state-store.ts'
import { addMissedCall, linkMissedCall } from './missed-call-store.ts'

/**
 * The end of a call may be reported before its answer. So the live end of an unanswered call counts as missed after this time, the
 * provider's record at once.
 */
const confirmAfterMs = 5_000
const atOnce = 10

export const perhapsMissedCalls = new DueList({
  name: 'calls-perhaps-missed',
  about: 'call',
  what: 'calls that may have been missed',
  retry: { firstMs: 30_000, longestMs: 10 * 60_000 },
  giveUpAfterMs: 6 * 86_400_000,
  batch: 200,
})

type ConfirmPorts = Pick<CallPorts, 'bus' | 'clock' | 'notifications' | 'store'>

/** Publishes the calls that ended unanswered and were not reported as answered since. */
export function confirmMissedCalls(ports: ConfirmPorts): DueTask {
  const list = perhapsMissedCalls
  return {
    list,
    run: eachAlone(atOnce, ({ workspaceId, id: ucid }) => confirm(ports, { workspaceId, ucid })),
    carryOver: () => carryOverShared(ports, list, { former: list.shared, itemIn: itemOfPair }),
  }
}

async function confirm(ports: ConfirmPorts, key: CallKey): Promise<'DONE'> {
  const call = await readCall(ports, key)
  if (call?.phase !== 'MISSED') return 'DONE'
  await publishMissedCall(ports, key.workspaceId, call)
  // Its lead may have been created meanwhile.
  const leadId = (await readCall(ports, key))?.leadId ?? null
  if (leadId !== null && leadId !== call.leadId) await linkMissedCall(ports, key, leadId)
  return 'DONE'
}

/** Leaves an unanswered call to `confirmMissedCalls`. */
export async function confirmLater(ports: Pick<CallPorts, 'clock' | 'store'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await perhapsMissedCalls.add(ports, { workspaceId, id: ucid }, ports.clock.now() + confirmAfterMs)
}

/** Adds a call to the missed ones and publishes `call.missed`. Repeatable. */
export async function publishMissedCall(
  ports: Pick<CallPorts, 'bus' | 'clock' | 'notifications' | 'store'>,
  workspaceId: string,
  call: KnownCall,
): Promise<void> {
  const { ucid, phoneNumber, dialledNumber, did, campaignName, leadId, startedAt } = call
  const at = call.endedAt ?? call.startedAt ?? isoMoment(ports.clock.now())
  await addMissedCall(ports, workspaceId, { ucid, phoneNumber, dialledNumber, did, campaignName, leadId, startedAt, at })
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
