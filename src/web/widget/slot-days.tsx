import type { JSX } from 'preact'
import type { Slot, SlotList } from './model.ts'
import { daysOf, foreignZone, timeOf } from './moments.ts'

type SlotDaysProps = {
  readonly list: SlotList
  /** How many are shown at most. */
  readonly most?: number
  /** The level of the days' headings. */
  readonly level: 3 | 4
  readonly busySlotId: string | null
  readonly onChoose: (slot: Slot) => void
  /** Where these are not all. */
  readonly onMore?: () => void
}

/** Free times as buttons, grouped by day of the clinic. */
export function SlotDays({ list, most = list.slots.length, level, busySlotId, onChoose, onMore }: SlotDaysProps): JSX.Element {
  const Heading = `h${level}` as const
  const days = daysOf(list.slots.slice(0, most))
  const zone = foreignZone(list.timeZone)
  return (
    <div class="days">
      {days.map(({ key, title, slots }) => (
        <section key={key}>
          <Heading class="day">{title}</Heading>
          <ul class="times">
            {slots.map((slot) => (
              <li key={slot.id}>
                <button
                  type="button"
                  class="time"
                  aria-label={`${timeOf(slot)}, ${title}`}
                  aria-busy={slot.id === busySlotId}
                  aria-disabled={busySlotId !== null}
                  onClick={() => busySlotId === null && onChoose(slot)}
                >
                  {timeOf(slot)}
                </button>
              </li>
            ))}
          </ul>
        </section>
      ))}
      {onMore && (
        <button type="button" class="plain" onClick={onMore}>
          More times
        </button>
      )}
      {zone && <p class="aside">{`Times are by the clinic’s clock (${zone}).`}</p>}
    </div>
  )
}
