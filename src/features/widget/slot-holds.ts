import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'
import { z } from 'zod'

/** A slot that is held for a booking. */
export type SlotHold = { readonly workspaceId: string; readonly slotId: string; readonly bookingId: string }

type HoldPorts = Pick<Ports, 'store' | 'clock'>

const maxHeld = 5_000

const hourMs = 3_600_000

/** The booking that holds a slot. */
export const slotHolds = new Family({
  name: 'widget-hold',
  key: ({ workspaceId, slotId }: SlotHold) => [workspaceId, slotId],
  schema: z.string(),
  form: 'TEXT',
  lifetime: hourMs,
  about: 'visitor',
  what: 'a time that is held for a visitor',
})

/** By the end of the hold: only to read all held slots at once. */
export const heldSlots = new SortedList({
  name: 'widget-holds',
  key: (workspaceId: string) => [workspaceId],
  lifetime: hourMs,
  about: 'visitor',
  what: 'times that are held',
})

/** Holds a slot against other visitors on all instances; again with the same booking, for another `lifetime` (milliseconds). False if another booking holds it. */
export async function takeHold(ports: HoldPorts, hold: SlotHold, lifetime: number): Promise<boolean> {
  const { workspaceId, slotId, bookingId: value } = hold
  const version = slotHolds.versionOf(value)
  const now = ports.clock.now()
  const isTaken =
    (await slotHolds.writeNew(ports, hold, { value, lifetime })) ||
    (await slotHolds.replace(ports, hold, { version, value, lifetime })) !== null
  if (!isTaken) return false
  await heldSlots.trim(ports, workspaceId, now)
  await heldSlots.add(ports, workspaceId, { member: slotId, score: now + lifetime })
  return true
}

/** Does nothing if another booking holds the slot. */
export async function releaseHold(ports: Pick<Ports, 'store'>, hold: SlotHold): Promise<void> {
  const isReleased = await slotHolds.deleteVersion(ports, hold, slotHolds.versionOf(hold.bookingId))
  if (isReleased) await heldSlots.remove(ports, hold.workspaceId, hold.slotId)
}

export async function heldSlotIds(ports: HoldPorts, workspaceId: string): Promise<ReadonlySet<string>> {
  const entries = await heldSlots.range(ports, workspaceId, { min: ports.clock.now() + 1, limit: maxHeld })
  return new Set(entries.map(({ member }) => member))
}
