import { createWidgetDesk, type FreeSlot, type WidgetDesk } from '../../harness/widget-desk.ts'
import { type Figure, say } from '../stage/report.ts'

const addressesAtOnce = [1, 3, 8, 100]

/** What part of a hospital's free times addresses can hold, or book for good, through the public widget. */
export async function proveHoarding(): Promise<readonly Figure[]> {
  const figures: Figure[] = []
  for (const count of addressesAtOnce) {
    say(`${count} addresses hold what they can`)
    figures.push(await figureOf('hold', count))
  }
  for (const count of addressesAtOnce) {
    say(`${count} addresses book what they can`)
    figures.push(await figureOf('book', count))
  }
  return figures
}

async function figureOf(act: 'hold' | 'book', count: number): Promise<Figure> {
  await using desk = await createWidgetDesk()
  const free = await desk.slots()
  let taken = 0
  for (const [index, slot] of free.entries()) if (await take(desk, act, { slot, index, address: addressOf(index % count) })) taken += 1
  const days = (slots: readonly FreeSlot[]): number => new Set(slots.map(({ localStartsAt }) => localStartsAt.slice(0, 10))).size
  const left = await desk.slots()
  const honest = await holdsOnSomeDay(desk, left)
  const rest = `${days(left)} of ${days(free)} days still have free times; another visitor ${honest ? 'can' : 'cannot'} hold one`
  const most = Math.min(count * 3, Math.floor(free.length * 0.75))
  return {
    claim: `${count} ${count === 1 ? 'address' : 'addresses'} ${act === 'hold' ? 'hold' : 'book in a day'}`,
    figure: `${taken} of ${free.length} free times of 14 days; ${rest}`,
    holds: taken <= most && left.length > 0 && (count > 50 || honest),
  }
}

/** Another visitor tries a time of each day. */
async function holdsOnSomeDay(desk: WidgetDesk, left: readonly FreeSlot[]): Promise<boolean> {
  for (const [slot] of Map.groupBy(left, ({ localStartsAt }) => localStartsAt.slice(0, 10)).values()) {
    if (slot && (await take(desk, 'hold', { slot, index: 1_000, address: '203.0.113.77' }))) return true
  }
  return false
}

type Attempt = { readonly slot: FreeSlot; readonly index: number; readonly address: string }

async function take(desk: WidgetDesk, act: 'hold' | 'book', { slot, index, address }: Attempt): Promise<boolean> {
  const held = await desk.visit('POST', 'bookings', { body: { slotId: slot.id }, address })
  if (held.status !== 201 || act === 'hold') return held.status === 201
  const bookingId = /"booking":\{"id":"([^"]+)"/.exec(JSON.stringify(held.body))?.[1]
  const body = { bookingId, name: `Visitor ${index}`, phone: `+9198450${10_000 + index}` }
  return (await desk.visit('POST', 'bookings', { body, address })).status === 200
}

function addressOf(index: number): string {
  return `198.51.100.${index + 1}`
}
