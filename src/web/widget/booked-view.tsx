import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { calendarEntry } from './calendar-entry.ts'
import { Icon } from './icons.tsx'
import type { Booking } from './model.ts'
import { ViewHeading } from './view-heading.tsx'
import { VisitSummary } from './visit-summary.tsx'

type BookedViewProps = { readonly booking: Booking; readonly hospitalName: string; readonly onDone: () => void }

/** The visit is booked. */
export function BookedView({ booking, hospitalName, onDone }: BookedViewProps): JSX.Element {
  const entry = useCalendarFile(booking, hospitalName)
  return (
    <div class="view booked">
      <span class="seal">
        <Icon name="check" />
      </span>
      <ViewHeading text="Your visit is booked" lead="We look forward to seeing you." />
      <VisitSummary booking={booking} />
      {entry && (
        <a class="plain" href={entry} download="visit.ics">
          <Icon name="calendar" /> Add to your calendar
        </a>
      )}
      <button type="button" class="filled" onClick={onDone}>
        Done
      </button>
    </div>
  )
}

function useCalendarFile(booking: Booking, hospitalName: string): string | null {
  const [url, setUrl] = useState<string | null>(null)
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([calendarEntry(booking, hospitalName)], { type: 'text/calendar' }))
    setUrl(made)
    return () => URL.revokeObjectURL(made)
  }, [booking.id])
  return url
}
