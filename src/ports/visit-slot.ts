export const slotStates = ['FREE', 'HELD', 'BOOKED', 'PAST'] as const
/** FREE alone can be booked. HELD: kept from booking, whatever the workspace calls it. PAST: it has begun. */
export type SlotState = (typeof slotStates)[number]

/** A time at which a doctor sees somebody, the same for all who read one. */
export type VisitSlot = {
  readonly id: string
  readonly doctorId: string | null
  /** ISO 8601 in UTC. */
  readonly startsAt: string
  readonly endsAt: string
  /** As the clinic's clocks show it, with the offset: `2026-11-23T10:00:00+05:30`. */
  readonly localStartsAt: string
  readonly localEndsAt: string
  /** The clinic's, a name of the IANA database. */
  readonly timeZone: string
  readonly durationMinutes: number
  readonly state: SlotState
  /** Whose visit it is. */
  readonly leadId: string | null
  readonly title: string | null
}

/** The slot at a moment: what has begun is PAST. */
export function slotAt(slot: VisitSlot, now: number): VisitSlot {
  return slot.state !== 'PAST' && Date.parse(slot.startsAt) <= now ? { ...slot, state: 'PAST' } : slot
}
