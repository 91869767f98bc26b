const momentForm = /^(\d{4}-\d\d-\d\d)[ T](\d\d:\d\d:\d\d)$/

/** Parses the provider's times, which have no zone and are in India Standard Time; null if the text is not a time. */
export function instantOf(text: string): string | null {
  const [, day, time] = momentForm.exec(text.trim()) ?? []
  const epochMs = Date.parse(`${day}T${time}+05:30`)
  return Number.isNaN(epochMs) ? null : new Date(epochMs).toISOString()
}
