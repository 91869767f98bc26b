import type { Ports } from '../../ports/ports.ts'

/** A slot that is held for a booking. */
export type SlotHold = { readonly workspaceId: string; readonly slotId: string; readonly bookingId: string }

type HoldPorts = Pick<Ports, 'store' | 'clock'>

const maxHeld = 5_000

// An entry per slot names the booking that holds it. The list, by the end of the hold, serves only to read all held slots at once.
const keyOf = ({ workspaceId, slotId }: SlotHold): string => `widget-hold:${workspaceId}:${slotId}`
const listOf = (workspaceId: string): string => `widget-holds:${workspaceId}`

/** Holds a slot against other visitors on all instances; again with the same booking, for another `ttlMs`. False if another booking holds it. */
export async function takeHold({ store, clock }: HoldPorts, hold: SlotHold, ttlMs: number): Promise<boolean> {
  const { workspaceId, slotId, bookingId } = hold
  const isTaken =
    (await store.setIfAbsent(keyOf(hold), bookingId, { ttlMs })) ||
    (await store.compareAndSet(keyOf(hold), { expected: bookingId, value: bookingId, ttlMs }))
  if (!isTaken) return false
  await store.sortedTrim(listOf(workspaceId), clock.now())
  await store.sortedAdd(listOf(workspaceId), slotId, clock.now() + ttlMs)
  return true
}

/** Does nothing if another booking holds the slot. */
export async function releaseHold({ store }: Pick<Ports, 'store'>, hold: SlotHold): Promise<void> {
  const isReleased = await store.compareAndDelete(keyOf(hold), hold.bookingId)
  if (isReleased) await store.sortedRemove(listOf(hold.workspaceId), hold.slotId)
}

export async function heldSlotIds({ store, clock }: HoldPorts, workspaceId: string): Promise<ReadonlySet<string>> {
  const entries = await store.sortedRange(listOf(workspaceId), { min: clock.now() + 1, limit: maxHeld })
  return new Set(entries.map(({ member }) => member))
}
