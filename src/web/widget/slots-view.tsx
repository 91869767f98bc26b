import type { JSX } from 'preact'
import type { Client } from './client.ts'
import { placeOf } from './doctor-card.tsx'
import type { Failure } from './failure.ts'
import type { Doctor, Slot } from './model.ts'
import { SlotDays } from './slot-days.tsx'
import { Loading, Trouble } from './trouble.tsx'
import { useAnswer } from './use-answer.ts'
import { ViewHeading } from './view-heading.tsx'

type SlotsViewProps = {
  readonly client: Client
  readonly doctor: Doctor | null
  readonly doctorId: string | null
  readonly hold: { readonly busySlotId: string | null; readonly failure: Failure | null }
  readonly onChoose: (slot: Slot) => void
}

/** The free times of the next two weeks; reads them again if a chosen one has been taken. */
export function SlotsView({ client, doctor, doctorId, hold, onChoose }: SlotsViewProps): JSX.Element {
  const { value: list, failure, again } = useAnswer(() => client.slots(doctorId), `${doctorId} ${hold.failure?.status === 409}`)
  return (
    <div class="view">
      <ViewHeading text={doctor ? doctor.name : 'Free times'} lead={doctor ? placeOf(doctor) : 'Choose a time for your visit.'} />
      {hold.failure && <Trouble failure={hold.failure} />}
      {failure && <Trouble failure={failure} onRetry={again} />}
      {!list && !failure && <Loading what="free times" />}
      {list?.slots.length === 0 && (
        <p class="empty">There are no free times in the next two weeks. Please look again later, or choose another doctor.</p>
      )}
      {list && list.slots.length > 0 && <SlotDays list={list} level={4} busySlotId={hold.busySlotId} onChoose={onChoose} />}
    </div>
  )
}
