import type { Ports } from '../../../ports/ports.ts'
import type { CallControls } from '../state/call-controls.ts'
import { writeControls } from '../state/call-state-store.ts'
import { type HeldCall, lineOf } from '../control/held-call.ts'

/** Puts the customer on hold or takes them off. Resolves to the controls after it. Errors: the provider's, STORE_UNAVAILABLE. */
export async function setHold(ports: Pick<Ports, 'store'>, held: HeldCall, isHeld: boolean): Promise<CallControls> {
  const { key, controls, lost } = held
  const { telephony, parties } = lineOf(held, 'HOLD', 'HOLD')
  lost.throwIfAborted()
  await telephony.control({ ...parties, action: isHeld ? 'HOLD' : 'UNHOLD' })
  const changed = { ...controls, held: isHeld }
  await writeControls(ports, key, changed)
  return changed
}
