import { asList, asNumberOrNull, asRecord, asText, asTextOrNull, type Json } from './json.ts'

/** The answers of the public API, as the widget uses them. */
export type WidgetConfig = {
  readonly greeting: string
  readonly placeholder: string
  readonly position: 'LEFT' | 'RIGHT'
  readonly canChat: boolean
  readonly canBook: boolean
  readonly hospitalName: string | null
  readonly logoUrl: string | null
  readonly colors: ThemeColors
  readonly fonts: { readonly heading: string; readonly body: string }
}

/** Colours as `#rrggbb`. */
export type ThemeColors = { readonly primary: string; readonly accent: string; readonly background: string; readonly text: string }

export type Doctor = {
  readonly id: string
  readonly name: string
  readonly speciality: string | null
  readonly clinic: string | null
  readonly languages: readonly string[]
  readonly fee: number | null
}

export type Slot = {
  readonly id: string
  readonly doctorId: string | null
  /** UTC. */
  readonly startsAt: string
  readonly endsAt: string
  /** In the clinic's time zone, with the offset. */
  readonly localStartsAt: string
  readonly durationMinutes: number
}

export type SlotList = { readonly timeZone: string; readonly slots: readonly Slot[] }

export type Booking = {
  readonly id: string
  readonly state: 'HELD' | 'BOOKED'
  readonly heldUntil: string | null
  readonly slot: Slot
  readonly doctor: Doctor | null
}

/** Null if the widget is switched off. */
export function configOf(answer: unknown): WidgetConfig | null {
  const { widget, theme } = asRecord(answer)
  const { enabled, greeting, placeholder, position, bookingEnabled, chatEnabled } = asRecord(widget)
  const { brand, colors, fonts } = asRecord(theme)
  if (enabled !== true) return null
  return {
    greeting: asText(greeting),
    placeholder: asText(placeholder),
    position: position === 'LEFT' ? 'LEFT' : 'RIGHT',
    canChat: chatEnabled === true,
    canBook: bookingEnabled === true,
    hospitalName: asTextOrNull(asRecord(brand)['hospitalName']),
    logoUrl: asTextOrNull(asRecord(brand)['logoUrl']),
    colors: colorsOf(asRecord(colors)),
    fonts: { heading: asText(asRecord(fonts)['heading']), body: asText(asRecord(fonts)['body']) },
  }
}

function colorsOf(colors: Json): ThemeColors {
  const color = (name: keyof ThemeColors, standard: string): string => {
    const given = asText(colors[name])
    return /^#[\da-f]{6}$/i.test(given) ? given : standard
  }
  return {
    primary: color('primary', '#1456c4'),
    accent: color('accent', '#0b7a6f'),
    background: color('background', '#ffffff'),
    text: color('text', '#1b1f24'),
  }
}

function doctorOf(value: unknown): Doctor {
  const { id, name, speciality, clinic, languages, fee } = asRecord(value)
  return {
    id: asText(id),
    name: asText(name),
    speciality: asTextOrNull(speciality),
    clinic: asTextOrNull(clinic),
    languages: asList(languages).map(asText),
    fee: asNumberOrNull(fee),
  }
}

export function doctorsOf(value: unknown): readonly Doctor[] {
  const list = Array.isArray(value) ? value : asRecord(value)['doctors']
  return asList(list).map(doctorOf)
}

function slotOf(value: unknown): Slot {
  const { id, doctorId, startsAt, endsAt, localStartsAt, durationMinutes } = asRecord(value)
  return {
    id: asText(id),
    doctorId: asTextOrNull(doctorId),
    startsAt: asText(startsAt),
    endsAt: asText(endsAt),
    localStartsAt: asText(localStartsAt),
    durationMinutes: asNumberOrNull(durationMinutes) ?? 0,
  }
}

export function slotsOf(value: unknown): SlotList {
  const { timeZone, slots } = asRecord(value)
  return { timeZone: asText(timeZone), slots: asList(slots).map(slotOf) }
}

/** From `POST /bookings`, or from the chat, where the id is `bookingId`. */
export function bookingOf(value: unknown): Booking {
  const { id, bookingId, state, heldUntil, slot, doctor } = asRecord(value)
  return {
    id: asText(id) || asText(bookingId),
    state: state === 'BOOKED' ? 'BOOKED' : 'HELD',
    heldUntil: asTextOrNull(heldUntil),
    slot: slotOf(slot),
    doctor: doctor === null || doctor === undefined ? null : doctorOf(doctor),
  }
}
