import type { Clock } from '../../kernel/clock.ts'
import type { Store } from '../../ports/store.ts'

/** Who keeps which slot from everybody else, for a while; on all instances. Errors: STORE_UNAVAILABLE. */
export interface SlotHolds {
  /** True for the one that holds the slot now; a holder asks again to hold it for another `ttlMs`. */
  take(slot: HeldSlot, ttlMs: number): Promise<boolean>
  /** Does nothing where somebody else holds it. */
  free(slot: HeldSlot): Promise<void>
  /** The ids of the workspace's held slots. */
  held(workspaceId: string): Promise<ReadonlySet<string>>
}

export type HeldSlot = { readonly workspaceId: string; readonly slotId: string; readonly bookingId: string }

const mostShown = 5_000

/** One entry per slot says whose it is; a list by the end of the hold tells which are held, and proves nothing. */
export function createSlotHolds({ store, clock }: { readonly store: Store; readonly clock: Clock }): SlotHolds {
  const keyOf = ({ workspaceId, slotId }: HeldSlot): string => `widget-hold:${workspaceId}:${slotId}`
  const listOf = (workspaceId: string): string => `widget-holds:${workspaceId}`
  return {
    async take(slot, ttlMs) {
      const { workspaceId, slotId, bookingId } = slot
      const isTaken =
        (await store.setIfAbsent(keyOf(slot), bookingId, { ttlMs })) ||
        (await store.compareAndSet(keyOf(slot), { expected: bookingId, value: bookingId, ttlMs }))
      if (!isTaken) return false
      await store.sortedTrim(listOf(workspaceId), clock.now())
      await store.sortedAdd(listOf(workspaceId), slotId, clock.now() + ttlMs)
      return true
    },
    async free(slot) {
      const isFreed = await store.compareAndDelete(keyOf(slot), slot.bookingId)
      if (isFreed) await store.sortedRemove(listOf(slot.workspaceId), slot.slotId)
    },
    async held(workspaceId) {
      const entries = await store.sortedRange(listOf(workspaceId), { min: clock.now(), limit: mostShown })
      return new Set(entries.map(({ member }) => member))
    },
  }
}
