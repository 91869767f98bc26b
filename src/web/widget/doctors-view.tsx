import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import type { Client } from './client.ts'
import { DoctorCard } from './doctor-card.tsx'
import type { Doctor, Slot } from './model.ts'
import { Loading, Trouble } from './trouble.tsx'
import { useAnswer } from './use-answer.ts'
import { ViewHeading } from './view-heading.tsx'

/** With fewer than this many a search field is in the way. */
const searchFrom = 6

/** All doctors, each with the next free time. */
export function DoctorsView({ client, onChoose }: { readonly client: Client; readonly onChoose: (doctor: Doctor) => void }): JSX.Element {
  const { value: doctors, failure, again } = useAnswer(() => client.doctors(), 'doctors')
  const { value: free } = useAnswer(() => client.slots(null), 'next slots')
  const [wanted, setWanted] = useState('')
  const found = doctors?.filter((doctor) => matches(doctor, wanted)) ?? []
  return (
    <div class="view">
      <ViewHeading text="Book a visit" lead="Choose a doctor to see free times." />
      {failure && <Trouble failure={failure} onRetry={again} />}
      {!doctors && !failure && <Loading what="doctors" />}
      {doctors && doctors.length >= searchFrom && (
        <label class="search">
          <span class="hidden">Search by name, speciality, clinic or language</span>
          <input
            type="search"
            value={wanted}
            placeholder="Name, speciality, language"
            onInput={(event) => setWanted(event.currentTarget.value)}
          />
        </label>
      )}
      <p class="hidden" role="status">
        {wanted !== '' && `${found.length} doctors found`}
      </p>
      {doctors && found.length === 0 && (
        <p class="empty">{doctors.length === 0 ? 'There are no doctors to show at present.' : 'No doctor matches that.'}</p>
      )}
      <ul class="cards">
        {found.map((doctor) => (
          <li key={doctor.id}>
            <DoctorCard doctor={doctor} {...(free ? { nextSlot: nextOf(doctor, free.slots) } : {})} onChoose={() => onChoose(doctor)} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function matches({ name, speciality, clinic, languages }: Doctor, wanted: string): boolean {
  return [name, speciality, clinic, ...languages].some((text) => text?.toLowerCase().includes(wanted.trim().toLowerCase()))
}

function nextOf(doctor: Doctor, slots: readonly Slot[]): Slot | null {
  const own = slots.filter(({ doctorId }) => doctorId === doctor.id)
  return own.toSorted((a, b) => a.startsAt.localeCompare(b.startsAt))[0] ?? null
}
