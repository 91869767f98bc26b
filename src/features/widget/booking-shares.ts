import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'
import type { Directory, VisitSlot } from '../../ports/doctors.ts'
import { freeSlots } from './availability.ts'
import type { BookingLimit } from './limit-counts.ts'
import type { WidgetPorts } from './widget-ports.ts'

/**
 * Nobody empties the calendar: with one widget key, and from one address, only a part of the free times can be held at once, and only a part
 * booked in a day. The parts are configured; they grow with the hospital, so that a shared address (a ward, a mobile network) has room. Half
 * of what a key must leave is for addresses that have nothing yet, so that a few addresses cannot shut out the others. Each use is counted
 * first and checked then: of visitors on several instances never too many pass.
 */
export type Visitor = { readonly workspaceId: string; readonly widgetKey: string; readonly clientAddress: string }

const dayMs = 86_400_000
/** So many are always allowed: two members of a family, and a visitor who tries three times. */
const least = { heldWithKey: 2, heldFromAddress: 3, bookedWithKey: 5, bookedFromAddress: 3 }

/** `allowed`: as long as the address has others too; `allowedFirst`: for its only one. */
type Share = { readonly limit: BookingLimit; readonly key: string; readonly allowed: number; readonly allowedFirst: number }
export type HeldShare = { readonly lists: readonly string[]; readonly member: string }
type Held = { readonly directory: Directory; readonly slot: VisitSlot; readonly bookingId: string; readonly until: number }

/** Counts a held time until `until` (epoch milliseconds). Throws TOO_MANY_TRIES, with nothing counted. */
export async function takeHeldShare(
  ports: Pick<WidgetPorts, 'configuration' | 'store' | 'clock' | 'limitCounts' | 'holdMutex'>,
  visitor: Visitor,
  { directory, slot, bookingId, until }: Held,
): Promise<HeldShare> {
  const { store, clock } = ports
  const shares = await heldShares(ports, visitor, { free: freeSlots(directory, clock.now()), day: dayOf(slot) })
  const taken = { lists: shares.map(({ key }) => key), member: bookingId }
  const exceeded = await ports.holdMutex.run(visitor.workspaceId, async () => {
    await Promise.all(shares.map(({ key }) => store.sortedAdd(key, bookingId, until)))
    const found = exceededOf(ports, shares, await Promise.all(shares.map((share) => countHeld(ports, share))))
    if (found !== null) await releaseHeldShare(ports, taken)
    return found
  })
  if (exceeded === null) return taken
  throw await refusal(ports, visitor, {
    detail:
      exceeded === 'held-per-address'
        ? 'Too many times are held from your network: book one of them, or try again in five minutes'
        : 'Other visitors hold many of these times at the moment: choose another day, or try again in five minutes',
    retryAfterSeconds: 300,
  })
}

export async function releaseHeldShare({ store }: Pick<WidgetPorts, 'store'>, { lists, member }: HeldShare): Promise<void> {
  await Promise.all(lists.map((list) => store.sortedRemove(list, member)))
}

/** Counts a booking of today; returns the counters. Throws TOO_MANY_TRIES, with nothing counted. */
export async function takeBookedShare(
  ports: Pick<WidgetPorts, 'configuration' | 'store' | 'clock' | 'limitCounts'>,
  visitor: Visitor,
  directory: Directory,
): Promise<readonly string[]> {
  const { store, clock } = ports
  const now = clock.now()
  const shares = await bookedShares(ports, visitor, { free: freeSlots(directory, now).length, day: Math.floor(now / dayMs) })
  const counters = shares.map(({ key }) => key)
  const exceeded = exceededOf(ports, shares, await addBooked(store, counters, 1))
  if (exceeded === null) return counters
  await releaseBookedShare(ports, counters)
  throw await refusal(ports, visitor, {
    detail: `Too many visits were booked ${exceeded === 'booked-per-address' ? 'from your network' : 'on this site'} today: try again tomorrow`,
    retryAfterSeconds: Math.ceil((dayMs - (now % dayMs)) / 1_000),
  })
}

export async function releaseBookedShare({ store }: Pick<WidgetPorts, 'store'>, counters: readonly string[]): Promise<void> {
  await addBooked(store, counters, -1)
}

function addBooked(store: WidgetPorts['store'], counters: readonly string[], by: number): Promise<readonly number[]> {
  return Promise.all(counters.map((key) => store.increment(key, by, { ttlMs: 2 * dayMs })))
}

async function heldShares(
  { configuration }: Pick<WidgetPorts, 'configuration'>,
  visitor: Visitor,
  { free, day }: { readonly free: readonly VisitSlot[]; readonly day: string },
): Promise<readonly Share[]> {
  const { heldPercent, heldPercentPerAddress } = await configuration.read(visitor.workspaceId, 'widget')
  const ofDay = free.filter((slot) => dayOf(slot) === day).length
  const keyOf = (who: string): string => `widget-held:${visitor.workspaceId}:${who}`
  const { key, address } = namesOf(visitor)
  return [
    ofAddress('held-per-address', keyOf(address), partOf(free.length, heldPercentPerAddress, least.heldFromAddress)),
    { limit: 'held-per-key', key: keyOf(key), ...ofKey(free.length, heldPercent, least.heldWithKey) },
    { limit: 'held-per-key-and-day', key: keyOf(`${key}:${day}`), ...ofKey(ofDay, heldPercent, least.heldWithKey) },
  ]
}

async function bookedShares(
  { configuration, store }: Pick<WidgetPorts, 'configuration' | 'store'>,
  visitor: Visitor,
  { free, day }: { readonly free: number; readonly day: number },
): Promise<readonly Share[]> {
  const { bookedPercent, bookedPercentPerAddress } = await configuration.read(visitor.workspaceId, 'widget')
  const keyOf = (who: string): string => `widget-booked:${visitor.workspaceId}:${day}:${who}`
  const { key, address } = namesOf(visitor)
  // Those that were free when the day began.
  const times = free + Number((await store.get(keyOf(key))) ?? 0)
  return [
    ofAddress('booked-per-address', keyOf(address), partOf(times, bookedPercentPerAddress, least.bookedFromAddress)),
    { limit: 'booked-per-key', key: keyOf(key), ...ofKey(times, bookedPercent, least.bookedWithKey) },
  ]
}

function namesOf({ widgetKey, clientAddress }: Visitor): { readonly key: string; readonly address: string } {
  return { key: `key.${hashOf(widgetKey)}`, address: `address.${hashOf(networkOf(clientAddress))}` }
}

function ofAddress(limit: BookingLimit, key: string, allowed: number): Share {
  return { limit, key, allowed, allowedFirst: allowed }
}

function ofKey(free: number, percent: number, atLeast: number): Pick<Share, 'allowed' | 'allowedFirst'> {
  return { allowed: partOf(free, percent, atLeast), allowedFirst: partOf(free, (percent + 100) / 2, atLeast) }
}

function partOf(free: number, percent: number, atLeast: number): number {
  return Math.max(atLeast, Math.floor((free * percent) / 100))
}

function dayOf({ localStartsAt }: Pick<VisitSlot, 'localStartsAt'>): string {
  return localStartsAt.slice(0, 10)
}

async function countHeld({ store, clock }: Pick<WidgetPorts, 'store' | 'clock'>, { key, allowedFirst }: Share): Promise<number> {
  await store.sortedTrim(key, clock.now())
  return (await store.sortedRange(key, { limit: allowedFirst + 1 })).length
}

/** The share of the address comes first. */
function exceededOf(
  { limitCounts }: Pick<WidgetPorts, 'limitCounts'>,
  shares: readonly Share[],
  used: readonly number[],
): BookingLimit | null {
  const isFirst = (used[0] ?? 0) <= 1
  const checked = shares.map(({ limit, allowed, allowedFirst }, index) => {
    return { limit, used: used[index] ?? 0, allowed: isFirst ? allowedFirst : allowed }
  })
  for (const { limit, ...use } of checked) limitCounts.note(limit, use)
  return checked.find((one) => one.used > one.allowed)?.limit ?? null
}

async function refusal(
  { configuration }: Pick<WidgetPorts, 'configuration'>,
  { workspaceId }: Visitor,
  { detail, retryAfterSeconds }: { readonly detail: string; readonly retryAfterSeconds: number },
): Promise<AppError> {
  const { did } = await configuration.read(workspaceId, 'telephony')
  return new AppError('TOO_MANY_TRIES', { detail: did === null ? detail : `${detail}, or call ${did}`, data: { retryAfterSeconds } })
}
