const momentForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/

/** Moments carry no zone and are India Standard Time; null for what is none. */
export function instantOf(text: string): string | null {
  const [, day, time] = momentForm.exec(text.trim()) ?? []
  const epochMs = Date.parse(`${day}T${time}+05:30`)
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString()
}
