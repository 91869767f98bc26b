import { createClient, percentile, countByStatus, type Answer } from '../stage/client.ts'
import { type Figure, say } from '../stage/report.ts'
import { setStage } from '../stage/stage.ts'
import { heldSchema, openSite, phoneOf, recordsOf } from './site.ts'

const visitors = 200
const rounds = 10

/** 200 visitors want the same slot at the same moment, ten times over: embedded, and through two instances on one Redis. */
export async function proveOneSlot(): Promise<readonly Figure[]> {
  return [await crowd('embedded', 1), await crowd('redis', 2)]
}

async function crowd(on: 'embedded' | 'redis', count: number): Promise<Figure> {
  await using stage = await setStage({ agents: 0 })
  await using client = createClient()
  const urls: string[] = []
  for (let number = 0; number < count; number += 1) urls.push((await stage.service(on)).url)
  const urlOf = (index: number): string => urls[index % urls.length] ?? ''
  const { visit, slots } = await openSite(client, urlOf(0))
  const chosen = (await slots(urlOf(0))).slice(0, rounds)
  const answers: Answer[] = []
  let right = 0

  for (const [round, { id: slotId }] of chosen.entries()) {
    say(`${visitors} visitors for one slot (${on}), ${round + 1} of ${rounds}`)
    const book = async (visitor: number): Promise<number> => {
      const index = round * visitors + visitor
      const held = await visit(index, urlOf(index), { method: 'POST', path: 'bookings', body: { slotId } })
      answers.push(held)
      if (held.status !== 201) return held.status
      const { id: bookingId } = heldSchema.parse(held.body).booking
      const contact = { bookingId, name: `Visitor ${index}`, phone: phoneOf(index) }
      // The two steps of one visitor meet different instances.
      const booked = await visit(index, urlOf(index + 1), { method: 'POST', path: 'bookings', body: contact })
      answers.push(booked)
      return booked.status
    }
    const statuses = await Promise.all(Array.from({ length: visitors }, (_, visitor) => book(visitor)))
    const winners = statuses.flatMap((status, visitor) => (status === 200 ? [round * visitors + visitor] : []))
    const [slot] = await recordsOf(stage, 'visitSlot', { id: { eq: slotId } })
    const national = phoneOf(winners[0] ?? -1).slice(3)
    const leads = await recordsOf(stage, 'lead', { phones: { primaryPhoneNumber: { eq: national } } })
    if (winners.length === 1 && leads.length === 1 && slot?.['state'] === 'BOOKED' && slot['leadId'] === leads[0]?.id) right += 1
  }
  const counts = countByStatus(answers)
  const times = `p50 ${percentile(answers, 0.5)} ms, p99 ${percentile(answers, 0.99)} ms`
  return {
    claim: `${visitors} visitors for one slot at once, ${chosen.length} times (${on === 'redis' ? 'two instances, one Redis' : 'embedded'})`,
    figure: `${right} of ${chosen.length} slots booked once, for the visitor who got that answer; ${counts['409'] ?? 0} refused with 409; all: ${JSON.stringify(counts)}; ${times}`,
    holds: right === rounds && counts['409'] === rounds * (visitors - 1) && counts['200'] === rounds && counts['201'] === rounds,
  }
}
