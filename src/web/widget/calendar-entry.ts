import type { Booking } from './model.ts'

/** A visit as an entry that calendars take (RFC 5545). */
export function calendarEntry({ id, slot, doctor }: Booking, hospitalName: string): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//call-center-sidecar//widget//EN',
    'BEGIN:VEVENT',
    `UID:${id}`,
    `DTSTAMP:${basicForm(new Date().toISOString())}`,
    `DTSTART:${basicForm(slot.startsAt)}`,
    `DTEND:${basicForm(slot.endsAt)}`,
    `SUMMARY:${escaped(doctor ? `Visit: ${doctor.name}` : 'Visit')}`,
    `LOCATION:${escaped([doctor?.clinic, hospitalName].filter(Boolean).join(', '))}`,
    'END:VEVENT',
    'END:VCALENDAR',
  ]
  return `${lines.join('\r\n')}\r\n`
}

/** `2026-11-23T04:30:00.000Z` as `20261123T043000Z`. */
function basicForm(moment: string): string {
  return `${moment.slice(0, 19).replaceAll(/[-:]/g, '')}Z`
}

function escaped(text: string): string {
  return text.replaceAll(/[\\,;]/g, (mark) => `\\${mark}`).replaceAll(/\s+/g, ' ')
}
