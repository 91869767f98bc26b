import type { JSX } from 'preact'
import { Icon } from './icons.tsx'
import type { Booking } from './model.ts'
import { dayOf, timeOf } from './moments.ts'
import { useSecondsUntil } from './use-wait.ts'

type BookedCardProps = { readonly booking: Booking; readonly now: () => number; readonly onOpen: () => void }

/** A visit in the conversation: one that is booked, or one that is held until the visitor says who they are. */
export function BookedCard({ booking, now, onOpen }: BookedCardProps): JSX.Element {
  const { slot, doctor } = booking
  const isHeld = useSecondsUntil(booking.heldUntil, now) > 0
  const state = booking.state === 'HELD' && !isHeld ? 'OVER' : booking.state
  return (
    <div class="card visit">
      <p class={state === 'BOOKED' ? 'badge good' : 'badge'}>
        <Icon name={state === 'BOOKED' ? 'check' : 'clock'} /> {titles[state]}
      </p>
      <p>
        <strong>{`${dayOf(slot)}, ${timeOf(slot)}`}</strong>
      </p>
      {doctor && <p class="muted">{[doctor.name, doctor.clinic].filter(Boolean).join(' · ')}</p>}
      {state === 'HELD' && (
        <button type="button" class="filled" onClick={onOpen}>
          Confirm this visit
        </button>
      )}
    </div>
  )
}

const titles = { BOOKED: 'Your visit is booked', HELD: 'Held for you', OVER: 'Not held any more' } as const
