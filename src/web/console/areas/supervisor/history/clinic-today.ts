import { useQuery } from 'urql'
import { graphql } from '../../../data/graphql.ts'

const clinicDayDocument = graphql(`
  query ClinicDay {
    supervision {
      id
      today {
        id
        date
      }
    }
  }
`)

/** The clinic's day, `2026-11-22`: it may be another one than where the person is. Null until it is known; then the person's own, if it fails. */
export function useClinicToday(): string | null {
  const [{ data, error }] = useQuery({ query: clinicDayDocument })
  if (data) return data.supervision.today.date
  return error ? ownToday() : null
}

function ownToday(): string {
  const now = new Date()
  return new Date(Date.UTC(now.getFullYear(), now.getMonth(), now.getDate())).toISOString().slice(0, 10)
}
