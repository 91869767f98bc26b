import type { ServiceError } from '@call-center-sidecar/client'
import { CalendarX } from 'lucide-react'
import { useCallback, useMemo, useState } from 'react'
import { ToggleButton } from 'react-aria-components/ToggleButton'
import { useQuery } from 'urql'
import { useAction } from '../../../data/use-action.ts'
import { useFormats } from '../../../i18n/format.ts'
import { ErrorState } from '../../../data/error-state.tsx'
import { Button } from '../../../ui/button.tsx'
import { Dialog } from '../../../ui/dialog.tsx'
import { Select } from '../../../ui/select.tsx'
import { EmptyState, Skeleton } from '../../../ui/states.tsx'
import { showToast } from '../../../ui/toast.ts'
import { bookVisit, daysOf, type Directory, freeSlotsDocument, type Slot } from './slots.ts'
import { useBookingTexts } from './texts.ts'
import './booking.css'

type BookVisitProps = {
  readonly lead: { readonly id: string; readonly name: string }
  readonly onBooked: () => void
  readonly onClose: () => void
}

/** A free time of a doctor for the caller. */
export function BookVisit({ lead, onBooked, onClose }: BookVisitProps) {
  const texts = useBookingTexts()
  const { localTime } = useFormats()
  const [doctorId, setDoctorId] = useState('')
  const [slot, setSlot] = useState<Slot | null>(null)
  const [{ data, error, fetching }, read] = useQuery({ query: freeSlotsDocument, variables: doctorId === '' ? {} : { doctorId } })
  const readAgain = (): void => read({ requestPolicy: 'network-only' })
  const { run, isPending } = useAction(
    bookVisit,
    useCallback(({ reason }: ServiceError) => (reason === 'SLOT_TAKEN' ? texts.taken : null), [texts]),
  )
  const book = async ({ id, localStartsAt }: Slot): Promise<void> => {
    const answer = await run({ slotId: id, leadId: lead.id })
    setSlot(null)
    if (!answer) return readAgain()
    showToast({ tone: 'good', title: texts.booked(localTime(localStartsAt)) })
    onBooked()
    onClose()
  }
  // The times of the doctor before must not be booked for the chosen one.
  const directory = fetching ? undefined : data?.doctorDirectory
  return (
    <Dialog
      title={texts.bookFor(lead.name)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button look="quiet" onPress={onClose}>
            {texts.cancel}
          </Button>
          <Button look="primary" isDisabled={slot === null} isPending={isPending} onPress={() => void (slot && book(slot))}>
            {texts.confirm}
          </Button>
        </>
      }
    >
      <DoctorChoice
        directory={directory ?? null}
        value={doctorId}
        onChange={(id) => {
          setDoctorId(id)
          setSlot(null)
        }}
      />
      {directory ? (
        <FreeTimes directory={directory} chosen={slot} onChoose={setSlot} />
      ) : error ? (
        <ErrorState error={error} onRetry={readAgain} />
      ) : (
        <Skeleton rows={5} />
      )}
    </Dialog>
  )
}

type ChoiceProps = { readonly directory: Directory | null; readonly value: string; readonly onChange: (id: string) => void }

/** The first answer has all doctors, a later one only the chosen one. */
function DoctorChoice({ directory, value, onChange }: ChoiceProps) {
  const texts = useBookingTexts()
  const [all, setAll] = useState<Directory['doctors']>([])
  if (directory && directory.doctors.length > all.length) setAll(directory.doctors)
  const options = all.map(({ id, name, speciality }) => ({ value: id, label: speciality === null ? name : `${name} · ${speciality}` }))
  return <Select label={texts.doctor} value={value} onChange={onChange} options={[{ value: '', label: texts.anyDoctor }, ...options]} />
}

type TimesProps = { readonly directory: Directory; readonly chosen: Slot | null; readonly onChoose: (slot: Slot) => void }

function FreeTimes({ directory: { slots, doctors, timeZone }, chosen, onChoose }: TimesProps) {
  const texts = useBookingTexts()
  const { localClock, localDay } = useFormats()
  const days = useMemo(() => daysOf(slots.nodes), [slots.nodes])
  const nameOf = (slot: Slot): string => doctors.find(({ id }) => id === slot.doctorId)?.name ?? ''
  if (days.length === 0) {
    return (
      <EmptyState icon={<CalendarX />} title={texts.none}>
        {texts.noneText}
      </EmptyState>
    )
  }
  return (
    <div className="desk-booking">
      {days.map(([day, free]) => (
        <section key={day} aria-label={texts.freeTimes(localDay(day))}>
          <h3>{localDay(day)}</h3>
          <div className="desk-booking-times">
            {free.map((slot) => (
              <ToggleButton key={slot.id} className="desk-booking-time" isSelected={chosen?.id === slot.id} onChange={() => onChoose(slot)}>
                <span className="numbers">{localClock(slot.localStartsAt)}</span>
                <small>{nameOf(slot)}</small>
              </ToggleButton>
            ))}
          </div>
        </section>
      ))}
      <p className="desk-booking-zone">{texts.zone(timeZone)}</p>
    </div>
  )
}
