import { useEffect } from 'react'
import { useQuery } from 'urql'
import { graphql } from '../../data/graphql.ts'
import { dayText } from '../../i18n/day-text.ts'
import { useNow } from '../../ui/now.ts'

const clinicDayDocument = graphql(`
  query ClinicDay {
    supervision {
      id
      today {
        id
        date
        timeZone
      }
    }
  }
`)

/**
 * The clinic's day, `2026-11-22`: it may be another one than where the person is. Null until it is known; then the person's own, if it fails.
 * Asked again when it is over.
 */
export function useClinicToday(): string | null {
  const now = useNow(60_000)
  const [{ data, error }, ask] = useQuery({ query: clinicDayDocument })
  const known = data?.supervision.today
  const isOver = known !== undefined && dayIn(known.timeZone, now) > known.date
  useEffect(() => {
    if (isOver) ask({ requestPolicy: 'network-only' })
  }, [isOver, now, ask])
  if (known) return known.date
  return error ? dayText(new Date(now)) : null
}

/** Swedish writes dates as ISO 8601. */
function dayIn(timeZone: string, moment: number): string {
  return new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(moment)
}
