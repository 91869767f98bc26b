/** The result of a step: a sentence, some facts, and the value that later steps need. */
export type StepResult<Value = undefined> = {
  readonly summary: string
  readonly facts?: Readonly<Record<string, string | null>>
  readonly value: Value
}

/** Formats `2026-03-01T09:30:00.000Z` as local time. */
export function clockTime(moment: string): string {
  return new Date(moment).toLocaleTimeString('en-GB')
}
