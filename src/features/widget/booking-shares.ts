import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'
import type { Directory, VisitSlot } from '../../ports/doctors.ts'
import { freeSlots } from './availability.ts'
import { Counter } from '../../ports/stored/counter.ts'
import { SortedList } from '../../ports/stored/sorted-list.ts'
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

/** `who`: an address or a widget key, under a hash. */
type HeldKey = { readonly workspaceId: string; readonly who: string }
/** `day`: days since the epoch. */
type BookedKey = HeldKey & { readonly day: number }

/** Bookings by the end of their hold. */
export const heldTimes = new SortedList({
  name: 'widget-held',
  key: ({ workspaceId, who }: HeldKey) => [workspaceId, who],
  lifetime: 3_600_000,
  about: 'visitor',
  what: 'bookings that hold a time, by hashes of address and widget key',
})

export const bookedVisits = new Counter({
  name: 'widget-booked',
  key: ({ workspaceId, day, who }: BookedKey) => [workspaceId, String(day), who],
  lifetime: 2 * dayMs,
  about: 'visitor',
  what: 'how many visits were booked in a day, by hashes of address and widget key',
})

/** `allowed`: as long as the address has others too; `allowedFirst`: for its only one. */
type Share<Key> = { readonly limit: BookingLimit; readonly key: Key; readonly allowed: number; readonly allowedFirst: number }
/** `lists`: keys of the store. */
export type HeldShare = { readonly lists: readonly string[]; readonly member: string }
type Held = { readonly directory: Directory; readonly slot: VisitSlot; readonly bookingId: string; readonly until: number }

/** Counts a held time until `until` (epoch milliseconds). Throws TOO_MANY_TRIES, with nothing counted. */
export async function takeHeldShare(
  ports: Pick<WidgetPorts, 'configuration' | 'store' | 'clock' | 'limitCounts' | 'holdMutex'>,
  visitor: Visitor,
  { directory, slot, bookingId, until }: Held,
): Promise<HeldShare> {
  const { clock } = ports
  const shares = await heldShares(ports, visitor, { free: freeSlots(directory, clock.now()), day: dayOf(slot) })
  const taken = { lists: shares.map(({ key }) => heldTimes.keyText(key)), member: bookingId }
  const exceeded = await ports.holdMutex.run(visitor.workspaceId, async () => {
    await Promise.all(shares.map(({ key }) => heldTimes.add(ports, key, { member: bookingId, score: until })))
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

export async function releaseHeldShare(ports: Pick<WidgetPorts, 'store'>, { lists, member }: HeldShare): Promise<void> {
  await Promise.all(lists.map((list) => heldTimes.remove(ports, heldKeyIn(list), member)))
}

/** Counts a booking of today; returns the counters. Throws TOO_MANY_TRIES, with nothing counted. */
export async function takeBookedShare(
  ports: Pick<WidgetPorts, 'configuration' | 'store' | 'clock' | 'limitCounts'>,
  visitor: Visitor,
  directory: Directory,
): Promise<readonly string[]> {
  const now = ports.clock.now()
  const shares = await bookedShares(ports, visitor, { free: freeSlots(directory, now).length, day: Math.floor(now / dayMs) })
  const counters = shares.map(({ key }) => bookedVisits.keyText(key))
  const exceeded = exceededOf(ports, shares, await addBooked(ports, counters, 1))
  if (exceeded === null) return counters
  await releaseBookedShare(ports, counters)
  throw await refusal(ports, visitor, {
    detail: `Too many visits were booked ${exceeded === 'booked-per-address' ? 'from your network' : 'on this site'} today: try again tomorrow`,
    retryAfterSeconds: Math.ceil((dayMs - (now % dayMs)) / 1_000),
  })
}

export async function releaseBookedShare(ports: Pick<WidgetPorts, 'store'>, counters: readonly string[]): Promise<void> {
  await addBooked(ports, counters, -1)
}

function addBooked(ports: Pick<WidgetPorts, 'store'>, counters: readonly string[], by: number): Promise<readonly number[]> {
  return Promise.all(counters.map((counter) => bookedVisits.add(ports, bookedKeyIn(counter), by)))
}

/** A booking has the keys of the store. */
function heldKeyIn(list: string): HeldKey {
  const [, workspaceId = '', ...who] = list.split(':')
  return { workspaceId, who: who.join(':') }
}

function bookedKeyIn(counter: string): BookedKey {
  const [, workspaceId = '', day = '', ...who] = counter.split(':')
  return { workspaceId, day: Number(day), who: who.join(':') }
}

async function heldShares(
  { configuration }: Pick<WidgetPorts, 'configuration'>,
  visitor: Visitor,
  { free, day }: { readonly free: readonly VisitSlot[]; readonly day: string },
): Promise<readonly Share<HeldKey>[]> {
  const { heldPercent, heldPercentPerAddress } = await configuration.read(visitor.workspaceId, 'widget')
  const ofDay = free.filter((slot) => dayOf(slot) === day).length
  const keyOf = (who: string): HeldKey => ({ workspaceId: visitor.workspaceId, who })
  const { key, address } = namesOf(visitor)
  return [
    ofAddress('held-per-address', keyOf(address), partOf(free.length, heldPercentPerAddress, least.heldFromAddress)),
    { limit: 'held-per-key', key: keyOf(key), ...ofKey(free.length, heldPercent, least.heldWithKey) },
    { limit: 'held-per-key-and-day', key: keyOf(`${key}:${day}`), ...ofKey(ofDay, heldPercent, least.heldWithKey) },
  ]
}

async function bookedShares(
  ports: Pick<WidgetPorts, 'configuration' | 'store'>,
  visitor: Visitor,
  { free, day }: { readonly free: number; readonly day: number },
): Promise<readonly Share<BookedKey>[]> {
  const { bookedPercent, bookedPercentPerAddress } = await ports.configuration.read(visitor.workspaceId, 'widget')
  const keyOf = (who: string): BookedKey => ({ workspaceId: visitor.workspaceId, day, who })
  const { key, address } = namesOf(visitor)
  // Those that were free when the day began.
  const times = free + (await bookedVisits.read(ports, keyOf(key)))
  return [
    ofAddress('booked-per-address', keyOf(address), partOf(times, bookedPercentPerAddress, least.bookedFromAddress)),
    { limit: 'booked-per-key', key: keyOf(key), ...ofKey(times, bookedPercent, least.bookedWithKey) },
  ]
}

function namesOf({ widgetKey, clientAddress }: Visitor): { readonly key: string; readonly address: string } {
  return { key: `key.${hashOf(widgetKey)}`, address: `address.${hashOf(networkOf(clientAddress))}` }
}

function ofAddress<Key>(limit: BookingLimit, key: Key, allowed: number): Share<Key> {
  return { limit, key, allowed, allowedFirst: allowed }
}

function ofKey(free: number, percent: number, atLeast: number): Pick<Share<HeldKey>, 'allowed' | 'allowedFirst'> {
  return { allowed: partOf(free, percent, atLeast), allowedFirst: partOf(free, (percent + 100) / 2, atLeast) }
}

function partOf(free: number, percent: number, atLeast: number): number {
  return Math.max(atLeast, Math.floor((free * percent) / 100))
}

function dayOf({ localStartsAt }: Pick<VisitSlot, 'localStartsAt'>): string {
  return localStartsAt.slice(0, 10)
}

async function countHeld(ports: Pick<WidgetPorts, 'store' | 'clock'>, { key, allowedFirst }: Share<HeldKey>): Promise<number> {
  await heldTimes.trim(ports, key, ports.clock.now())
  return (await heldTimes.range(ports, key, { limit: allowedFirst + 1 })).length
}

/** The share of the address comes first. */
function exceededOf(
  { limitCounts }: Pick<WidgetPorts, 'limitCounts'>,
  shares: readonly Share<unknown>[],
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
