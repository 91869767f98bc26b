/** What a step came to: a sentence, some facts below it, and the value that later steps need. */
export type StepResult<Value = undefined> = {
  readonly summary: string
  readonly facts?: Readonly<Record<string, string | null>>
  readonly value: Value
}

/** `2026-03-01T09:30:00.000Z` as the clock on the wall here. */
export function clockTime(moment: string): string {
  return new Date(moment).toLocaleTimeString('en-GB')
}
