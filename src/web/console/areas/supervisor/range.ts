/** Days of a range, `2026-11-22`: both belong to it. */
export type Range = { readonly from: string; readonly to: string }

const dayMs = 86_400_000
const form = /^\d{4}-\d\d-\d\d$/
/** What the service takes at once. */
const mostDays = 366

function dateOf(moment: number): string {
  return new Date(moment).toISOString().slice(0, 10)
}

export function addDays(date: string, days: number): string {
  return dateOf(Date.parse(date) + days * dayMs)
}

function daysIn({ from, to }: Range): number {
  return Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1
}

/** Every day of the range. */
export function datesOf(range: Range): readonly string[] {
  return Array.from({ length: daysIn(range) }, (_, index) => addDays(range.from, index))
}

/** The range of the same length before it. */
export function rangeBefore(range: Range): Range {
  const days = daysIn(range)
  return { from: addDays(range.from, -days), to: addDays(range.to, -days) }
}

export const presets = ['today', 'yesterday', 'week', 'month', 'quarter'] as const
export type Preset = (typeof presets)[number]

/** `to`: the clinic's today. */
export function rangeOf(preset: Preset, to: string): Range {
  if (preset === 'today') return { from: to, to }
  if (preset === 'yesterday') return { from: addDays(to, -1), to: addDays(to, -1) }
  return { from: addDays(to, { week: -6, month: -29, quarter: -89 }[preset]), to }
}

/** The preset that a range is. Null: the person's own. */
export function presetOf({ from, to }: Range, today: string): Preset | null {
  return presets.find((preset) => JSON.stringify(rangeOf(preset, today)) === JSON.stringify({ from, to })) ?? null
}

export function isDate(text: string | undefined): text is string {
  return text !== undefined && form.test(text) && !Number.isNaN(Date.parse(text))
}

type AskedRange = { readonly from: string | undefined; readonly to: string | undefined }

/** A range that the service takes. The last seven days for texts that are none. */
export function validRange({ from, to }: AskedRange, today: string): Range {
  if (!isDate(from) || !isDate(to)) return rangeOf('week', today)
  const range = from <= to ? { from, to } : { from: to, to: from }
  return daysIn(range) > mostDays ? { from: addDays(range.to, 1 - mostDays), to: range.to } : range
}
