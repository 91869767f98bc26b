import type { Booking, Doctor } from './model.ts'
import type { Held } from './session.ts'

/** What the panel shows. */
export type View =
  | { readonly name: 'conversation' }
  | { readonly name: 'doctors' }
  | { readonly name: 'slots'; readonly doctorId: string | null; readonly doctor: Doctor | null }
  /** `isProposed`: the conversation shows it too, so going back does not release it. */
  | { readonly name: 'visit'; readonly booking: Booking; readonly isProposed: boolean }
  | { readonly name: 'booked'; readonly booking: Booking }

/** The first views of a page: the time that this tab still holds, with the views before it, else `root`. `now` in ms. */
export function firstViews(root: View, held: Held | null, now: number): readonly View[] {
  if (held === null || Date.parse(held.booking.heldUntil ?? '') <= now) return [root]
  const { booking, isProposed } = held
  const visit: View = { name: 'visit', booking, isProposed }
  return isProposed ? [root, visit] : [root, { name: 'slots', doctorId: booking.slot.doctorId, doctor: booking.doctor }, visit]
}

/** The views after opening the widget `at` a view, or at the previous one if that is null. A held time remains in view. */
export function openedAt(views: readonly View[], at: View | null, root: View): readonly View[] {
  if (at === null || views.at(-1)?.name === 'visit') return views
  return at.name === root.name ? [root] : [root, at]
}

/** The views after going back; `root` after a booking. */
export function previousViews(views: readonly View[], root: View): readonly View[] {
  return views.length > 1 && views.at(-1)?.name !== 'booked' ? views.slice(0, -1) : [root]
}
