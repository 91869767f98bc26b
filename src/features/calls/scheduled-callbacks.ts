import { isoMoment } from '../../kernel/clock.ts'
import type { Ports } from '../../ports/ports.ts'

/** Callbacks that agents promised with a disposition, by the customer's number. Errors of all functions: STORE_UNAVAILABLE. */

/** `ucid`: the call with whose disposition it was promised. `at`: ISO 8601. */
export type ScheduledCallback = { readonly ucid: string; readonly at: string }

/** An overdue callback is shown for this long. */
const overdueMs = 14 * 86_400_000
const maxShown = 10

export async function scheduleCallback(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  { phoneNumber, ucid, at }: ScheduledCallback & { readonly phoneNumber: string },
): Promise<void> {
  await store.sortedAdd(callbackList(workspaceId, phoneNumber), ucid, Date.parse(at))
}

/** Removes all callbacks of a customer who was reached. */
export async function clearCallbacks({ store }: Pick<Ports, 'store'>, workspaceId: string, phoneNumber: string): Promise<void> {
  await store.sortedTrim(callbackList(workspaceId, phoneNumber), Number.MAX_SAFE_INTEGER)
}

/** The next first, at most 10. */
export async function readCallbacks(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  workspaceId: string,
  phoneNumber: string,
): Promise<readonly ScheduledCallback[]> {
  const list = callbackList(workspaceId, phoneNumber)
  await store.sortedTrim(list, clock.now() - overdueMs)
  const members = await store.sortedRange(list, { limit: maxShown })
  return members.map(({ member, score }) => ({ ucid: member, at: isoMoment(score) }))
}

const callbackList = (workspaceId: string, phoneNumber: string): string => `scheduled-callbacks:${workspaceId}:${phoneNumber}`
