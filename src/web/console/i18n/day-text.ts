/** A day as the person's calendar has it: `2026-11-21`. */
export function dayText(date: Date): string {
  return `${date.getFullYear()}-${twoDigits(date.getMonth() + 1)}-${twoDigits(date.getDate())}`
}

/** A moment as `datetime-local` writes it. */
export function momentText(date: Date): string {
  return `${dayText(date)}T${twoDigits(date.getHours())}:${twoDigits(date.getMinutes())}`
}

function twoDigits(value: number): string {
  return String(value).padStart(2, '0')
}
