import type { JSX } from 'preact'
import { BookedCard } from './booked-card.tsx'
import { DoctorCard } from './doctor-card.tsx'
import type { Message, Part } from './message.ts'
import type { Booking, Doctor, Slot } from './model.ts'
import { PlainText } from './plain-text.tsx'
import { SlotDays } from './slot-days.tsx'

/** What a visitor can do with what a message shows. */
export type MessageActions = {
  readonly onDoctor: (doctor: Doctor) => void
  readonly onSlot: (slot: Slot) => void
  readonly onMoreSlots: (doctorId: string | null) => void
  readonly onBooking: (booking: Booking) => void
  readonly busySlotId: string | null
  /** By the service's clock. */
  readonly now: () => number
}

type MessageItemProps = { readonly message: Message; readonly actions: MessageActions; readonly isStreaming?: boolean }

export function MessageItem({ message, actions, isStreaming = false }: MessageItemProps): JSX.Element {
  const { role, parts, isStopped } = message
  return (
    <li class={`message ${role}`}>
      <span class="hidden">{role === 'user' ? 'You:' : 'Answer:'}</span>
      {parts.map((part) => (
        <PartView key={`${part.kind} ${part.id}`} part={part} actions={actions} />
      ))}
      {isStreaming && <span class="cursor" aria-hidden="true" />}
      {isStopped && <p class="aside">Stopped</p>}
    </li>
  )
}

function PartView({ part, actions }: { readonly part: Part; readonly actions: MessageActions }): JSX.Element | null {
  switch (part.kind) {
    case 'text':
      return part.text === '' ? null : (
        <div class="bubble" dir="auto">
          <PlainText text={part.text} />
        </div>
      )
    case 'doctors':
      return (
        <ul class="cards">
          {part.doctors.map((doctor) => (
            <li key={doctor.id}>
              <DoctorCard doctor={doctor} onChoose={() => actions.onDoctor(doctor)} />
            </li>
          ))}
        </ul>
      )
    case 'slots':
      return (
        <SlotDays
          list={part.list}
          most={9}
          level={3}
          busySlotId={actions.busySlotId}
          onChoose={actions.onSlot}
          onMore={() => actions.onMoreSlots(onlyDoctor(part.list.slots))}
        />
      )
    case 'booking':
      return <BookedCard booking={part.booking} now={actions.now} onOpen={() => actions.onBooking(part.booking)} />
  }
}

/** The doctor of the slots; null if there are several. */
function onlyDoctor(slots: readonly Slot[]): string | null {
  const first = slots[0]?.doctorId ?? null
  return slots.every(({ doctorId }) => doctorId === first) ? first : null
}
