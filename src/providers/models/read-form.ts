import { jsonrepair, JSONRepairError } from 'jsonrepair'
import type { z } from 'zod'
import { fitForm } from './fit-form.ts'

/** More than the longest form. The time for the repair grows with the text. */
const maxRepaired = 50_000
/** Places at which JSON may begin. */
const maxBegins = 30

export type WrittenForm = {
  readonly text: string
  /** The model was not allowed to write on. */
  readonly isCut: boolean
  readonly timeZone?: string | undefined
}

/**
 * The form in a model's answer, which may have it in Markdown, between sentences, in a list or under a name, and not quite in JSON. If several parts
 * fit the form, the last is the answer. Else the errors of the last part; null if there is none. A part that is cut off is not read.
 */
export function readForm<Value>(schema: z.ZodType<Value>, { text, isCut, timeZone }: WrittenForm): z.ZodSafeParseResult<Value> | null {
  const read = (value: object) => fitForm(schema, value, timeZone)
  const objects = objectsIn(text, isCut).toReversed()
  for (const object of objects) {
    const fitting = [object, ...objectsOf(Object.values(object))].map(read).find(({ success }) => success)
    if (fitting) return fitting
  }
  const [last] = objects
  return last === undefined ? null : read(last)
}

function objectsIn(text: string, isCut: boolean): readonly object[] {
  const whole = parsed(text.replace('\uFEFF', ''))
  // Some write JSON into a text of JSON.
  if (whole !== undefined) return objectsOf([typeof whole === 'string' ? parsed(whole) : whole])
  if (text.length > maxRepaired || (isCut && !isClosed(text))) return []
  return text.split(/`{3,}[\w-]*/).flatMap(repairedIn)
}

function repairedIn(text: string): readonly object[] {
  const found: object[] = []
  let from = 0
  for (let begins = 0; begins < maxBegins; begins += 1) {
    const begin = text.slice(from).search(/[{[]/)
    if (begin === -1) break
    const { values, length } = repairedAt(text.slice(from + begin))
    found.push(...objectsOf(values))
    from += begin + length
  }
  return found
}

type Repaired = { readonly values: readonly unknown[]; readonly length: number }

/** What begins here, up to where it stops to be JSON. */
function repairedAt(text: string): Repaired {
  try {
    return { values: wholeValues(text), length: text.length }
  } catch (error) {
    // Too deep to be a form.
    if (!(error instanceof JSONRepairError)) return { values: [], length: text.length }
    const end = error.position
    try {
      return { values: wholeValues(text.slice(0, end)), length: Math.max(1, end) }
    } catch {
      return { values: [], length: 1 }
    }
  }
}

/** The library also closes what was cut off: that may have lost half of a sentence, such as its "not". */
function wholeValues(text: string): readonly unknown[] {
  const value = parsed(jsonrepair(text))
  const values: readonly unknown[] = Array.isArray(value) ? value : [value]
  return isClosed(text) ? values : values.slice(0, -1)
}

function isClosed(text: string): boolean {
  return ['}', ']'].includes(text.replaceAll('`', ' ').trimEnd().at(-1) ?? '')
}

function objectsOf(values: readonly unknown[]): readonly object[] {
  return values.flat().filter((value): value is object => typeof value === 'object' && value !== null && !Array.isArray(value))
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
