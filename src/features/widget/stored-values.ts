import type { Declared } from '../../ports/stored/declaration.ts'
import { bookedVisits, heldTimes } from './booking-shares.ts'
import { bookings } from './booking-store.ts'
import { replyLease } from './chat/reply-lease.ts'
import { conversations } from './chat/stored-conversations.ts'
import { confirmingLease } from './confirm-booking.ts'
import { heldSlots, slotHolds } from './slot-holds.ts'
import { usedTokens } from './token-budget.ts'

/** What this feature stores. */
export const widgetStoredValues: readonly { readonly declaration: Declared }[] = [
  bookedVisits,
  bookings,
  confirmingLease,
  conversations,
  heldSlots,
  heldTimes,
  replyLease,
  slotHolds,
  usedTokens,
]
