import { graphql, type ResultOf } from '../../../data/graphql.ts'

export const freeSlotsDocument = graphql(`
  query FreeSlots($doctorId: ID) {
    doctorDirectory(filter: { state: FREE, doctorId: $doctorId }) {
      id
      timeZone
      doctors {
        id
        name
        speciality
        clinic
        languages
      }
      slots(first: 300) {
        nodes {
          id
          doctorId
          startsAt
          localStartsAt
          durationMinutes
        }
        pageInfo {
          hasNextPage
        }
      }
    }
  }
`)
export type Directory = ResultOf<typeof freeSlotsDocument>['doctorDirectory']
export type Slot = Directory['slots']['nodes'][number]

export const bookVisit = graphql(`
  mutation BookVisit($slotId: ID!, $leadId: ID!) {
    bookVisit(slotId: $slotId, leadId: $leadId) {
      id
      slotId
    }
  }
`)

/** Free times by their day at the clinic, the earliest first. */
export function daysOf(slots: readonly Slot[]): readonly (readonly [day: string, slots: readonly Slot[]])[] {
  const dayOf = ({ localStartsAt }: Slot): string => localStartsAt.slice(0, 10)
  return [...new Set(slots.map(dayOf))].map((day) => [day, slots.filter((slot) => dayOf(slot) === day)])
}
