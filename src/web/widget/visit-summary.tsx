import type { JSX } from 'preact'
import { initialsOf, placeOf } from './doctor-card.tsx'
import { Icon } from './icons.tsx'
import type { Booking } from './model.ts'
import { dayOf, timeOf } from './moments.ts'

/** What visit it is: the doctor, the day and the time by the clinic's clock. */
export function VisitSummary({ booking: { slot, doctor } }: { readonly booking: Booking }): JSX.Element {
  return (
    <div class="card summary">
      {doctor && (
        <div class="who">
          <span class="initials" aria-hidden="true">
            {initialsOf(doctor.name)}
          </span>
          <p class="about">
            <strong>{doctor.name}</strong>
            <span>{placeOf(doctor)}</span>
          </p>
        </div>
      )}
      <p class="line">
        <Icon name="calendar" /> {dayOf(slot)}
      </p>
      <p class="line">
        <Icon name="clock" /> {`${timeOf(slot)}${slot.durationMinutes > 0 ? `, ${slot.durationMinutes} minutes` : ''}`}
      </p>
    </div>
  )
}
