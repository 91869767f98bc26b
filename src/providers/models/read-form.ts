import { isDeepStrictEqual } from 'node:util'
import { jsonrepair } from 'jsonrepair'
import type { z } from 'zod'
import { fitForm } from './fit-form.ts'

/** More than the longest form. The time for the repair grows with the text. */
const maxRepaired = 50_000
/** Of an answer in which somebody could still find the form. */
const maxObjects = 30

export type WrittenForm = {
  readonly text: string
  /** The model was not allowed to write on. */
  readonly isCut: boolean
  readonly timeZone?: string | undefined
}

/**
 * The form in a model's answer, which may have it in Markdown, between sentences, in a list or under a name, and not quite in JSON. Only the last
 * object is the answer, and none if another says something else: then that may be the draft or the example. Else the errors of the last object;
 * null if there is none, or if it is not clear which one it is.
 */
export function readForm<Value>(schema: z.ZodType<Value>, written: WrittenForm): z.ZodSafeParseResult<Value> | null {
  // Some write JSON into a text of JSON.
  const whole = parsed(written.text)
  if (typeof whole === 'string') return readForm(schema, { ...written, text: whole })
  const objects = objectsIn(written)
  const last = objects.at(-1)
  if (last?.value === undefined) return null
  const answer = readObject(schema, last, written.timeZone)
  if (!answer.success) return answer
  const rivals = objects.slice(0, -1).filter((object) => {
    const other = readObject(schema, object, written.timeZone)
    return other.success && !isDeepStrictEqual(other.data, answer.data)
  })
  const isMarked = last.isFenced && !rivals.some(({ isFenced }) => isFenced)
  return rivals.length === 0 || isMarked ? answer : null
}

/** The object, or the only one in it. */
function readObject<Value>(schema: z.ZodType<Value>, { value, isRepaired }: Found, timeZone: string | undefined) {
  const read = (part: unknown) => fitForm(schema, part, { timeZone, isRepaired })
  const own = read(value)
  const [inner, ...others] = isObject(value) ? Object.values(value).flat().filter(isObject) : []
  if (own.success || inner === undefined || others.length > 0) return own
  const nested = read(inner)
  return nested.success ? nested : own
}

/** `value` is undefined if it cannot be read. */
type Found = Span & { readonly value: unknown; readonly isRepaired: boolean; readonly isFenced: boolean }

/** None if the answer ends in one: it may have lost half of a sentence, such as its "not", and what was before it may be a draft. */
function objectsIn({ text, isCut }: WrittenForm): readonly Found[] {
  const spans = spansIn(text)
  if (!spans || spans.length > maxObjects) return []
  const objects = spans.flatMap((span) => {
    const object = text.slice(span.begin, span.end)
    const exact = parsed(object)
    // Words in braces.
    if (exact === undefined && !object.includes(':')) return []
    const value = exact ?? (text.length > maxRepaired ? undefined : repaired(object))
    return [{ ...span, value, isRepaired: exact === undefined, isFenced: text.slice(0, span.begin).split('```').length % 2 === 0 }]
  })
  return isCut && !/^[\s\]`]*$/.test(text.slice(objects.at(-1)?.end)) ? [] : objects
}

const closing: ReadonlyMap<string, string> = new Map(['""', "''", '“”', '‘’'].map(([open = '', close = '']) => [open, close]))

type Span = { readonly begin: number; readonly end: number }

/** What stands in braces, outermost only; null if the last brace is not closed. */
function spansIn(text: string): readonly Span[] | null {
  const spans: Span[] = []
  let [depth, begin, quote] = [0, 0, '']
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index)
    if (quote !== '') {
      if (character === '\\') index += 1
      else if (character === quote) quote = ''
    } else if (character === '{') {
      if (depth === 0) begin = index
      depth += 1
    } else if (depth > 0) {
      quote = closing.get(character) ?? ''
      if (character === '}') depth -= 1
      if (depth === 0) spans.push({ begin, end: index + 1 })
    }
  }
  return depth > 0 ? null : spans
}

/** Undefined also if a quotation mark within a text had to be escaped: then it is a guess where that text ends. */
function repaired(text: string): unknown {
  try {
    const json = jsonrepair(text)
    return escapesIn(json) > escapesIn(text) ? undefined : parsed(json)
  } catch {
    return undefined
  }
}

function escapesIn(text: string): number {
  return text.split('\\"').length
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
