import type { JSX } from 'preact'
import { Icon } from './icons.tsx'
import type { Doctor, Slot } from './model.ts'
import { shortDayOf, timeOf } from './moments.ts'

type DoctorCardProps = {
  readonly doctor: Doctor
  /** The earliest free slot; null if there is none, undefined if unknown. */
  readonly nextSlot?: Slot | null
  readonly onChoose: () => void
}

/** A doctor, as a button that leads to the free times. */
export function DoctorCard({ doctor, nextSlot, onChoose }: DoctorCardProps): JSX.Element {
  const { name, languages, fee } = doctor
  return (
    <button type="button" class="card doctor" onClick={onChoose}>
      <span class="initials" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span class="about">
        <strong>{name}</strong>
        <span>{placeOf(doctor)}</span>
        {(languages.length > 0 || fee !== null) && (
          <span class="muted">{[languages.join(', '), fee === null ? '' : `Fee ${fee.toLocaleString()}`].filter(Boolean).join(' · ')}</span>
        )}
        {nextSlot && <span class="next">{`Next free: ${shortDayOf(nextSlot)}, ${timeOf(nextSlot)}`}</span>}
        {nextSlot === null && <span class="muted">No free times at present</span>}
      </span>
      <Icon name="onward" />
    </button>
  )
}

export function placeOf({ speciality, clinic }: Doctor): string {
  return [speciality, clinic].filter(Boolean).join(' · ')
}

/** `Dr. Meera Nair` as `MN`. */
export function initialsOf(name: string): string {
  const words = name.replace(/^(dr|prof)\.?\s+/i, '').split(/\s+/)
  const [first = '', last = ''] = [words[0], words.length > 1 ? words.at(-1) : '']
  return (first.slice(0, 1) + last.slice(0, 1)).toUpperCase()
}
