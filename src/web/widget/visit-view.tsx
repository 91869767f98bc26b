import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Client } from './client.ts'
import { type Failure, toFailure } from './failure.ts'
import { Icon } from './icons.tsx'
import type { Booking } from './model.ts'
import { inMinutes, minutesAndSeconds } from './moments.ts'
import { Trouble } from './trouble.tsx'
import { useSecondsUntil } from './use-wait.ts'
import { ViewHeading } from './view-heading.tsx'
import { VisitFields } from './visit-fields.tsx'
import { VisitSummary } from './visit-summary.tsx'

type VisitViewProps = {
  readonly client: Client
  readonly booking: Booking
  readonly onBooked: (booking: Booking) => void
  readonly onOtherTime: () => void
}

/** A time that is held: who comes, and the word that makes it a visit. */
export function VisitView({ client, booking, onBooked, onOtherTime }: VisitViewProps): JSX.Element {
  const secondsLeft = useSecondsUntil(booking.heldUntil, () => client.now())
  const [failure, setFailure] = useState<Failure | null>(null)
  const [isBusy, setIsBusy] = useState(false)
  const isOver = secondsLeft === 0 && !isBusy

  const confirm = async (visitor: { readonly name: string; readonly phone: string }): Promise<void> => {
    setIsBusy(true)
    try {
      onBooked(await client.confirm({ bookingId: booking.id, ...visitor }))
    } catch (error) {
      setFailure(toFailure(error))
      setIsBusy(false)
    }
  }

  return (
    <div class="view">
      <ViewHeading text="Confirm your visit" />
      <VisitSummary booking={booking} />
      {isOver ? <Over onOtherTime={onOtherTime} /> : <Countdown secondsLeft={secondsLeft} />}
      {!isOver && (
        <>
          {failure && failure.fields.length === 0 && <Trouble failure={failure} />}
          <VisitFields failure={failure} isBusy={isBusy} onConfirm={(visitor) => void confirm(visitor)} />
          <button type="button" class="plain" onClick={onOtherTime} disabled={isBusy}>
            Choose another time
          </button>
        </>
      )}
    </div>
  )
}

function Countdown({ secondsLeft }: { readonly secondsLeft: number }): JSX.Element {
  const [spoken, setSpoken] = useState('')
  // Said when it begins and when a minute is left, not every second.
  useEffect(() => {
    if (spoken === '') setSpoken(`This time is held for you for ${inMinutes(secondsLeft)}.`)
    else if (secondsLeft === 60) setSpoken('One minute left to confirm.')
  }, [secondsLeft])
  return (
    <div class={secondsLeft <= 60 ? 'countdown late' : 'countdown'}>
      <p aria-hidden="true">
        <Icon name="clock" /> Held for you for <strong>{minutesAndSeconds(secondsLeft)}</strong>
      </p>
      <p class="hidden" role="status">
        {spoken}
      </p>
    </div>
  )
}

function Over({ onOtherTime }: { readonly onOtherTime: () => void }): JSX.Element {
  return (
    <div class="notice" role="alert">
      <Icon name="clock" />
      <p>This time is not held for you any more. It may still be free.</p>
      <button type="button" class="filled" onClick={onOtherTime}>
        Show free times
      </button>
    </div>
  )
}
