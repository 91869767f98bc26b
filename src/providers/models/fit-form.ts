import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { shortened } from '../../kernel/text.ts'
import { momentOfLocal } from '../../kernel/time-zone.ts'

type Issue = z.core.$ZodIssue
type Path = readonly PropertyKey[]

export type Written = {
  readonly timeZone?: string | undefined
  /** It was no JSON: a name that the schema does not have may be the rest of a text. */
  readonly isRepaired: boolean
}

/**
 * The value in the form that the schema asks for, if it is clear what the model means: texts and lists that are too long are cut, a number may be
 * quoted, a name may be in another case, `null` may stand for an empty list or be left out, and a time without a zone is one of `timeZone`. The
 * errors of everything else.
 */
export function fitForm<Value>(schema: z.ZodType<Value>, given: unknown, { timeZone, isRepaired }: Written): z.ZodSafeParseResult<Value> {
  const mended = new Set<string>()
  let value = given
  let isDoubtful = isRepaired
  for (;;) {
    const result = schema.safeParse(value)
    if (result.success) return withoutLoss(schema, value, isDoubtful)
    const before = value
    for (const issue of result.error.issues) {
      const { path } = issue
      const found = at(value, path)
      const moved = found === undefined ? renamed(value, path) : unwrapped(value, path, found)
      const name = JSON.stringify(path)
      if (moved !== undefined) value = moved
      else if (!mended.has(name)) {
        mended.add(name)
        isDoubtful ||= found === undefined
        const meant = meaningOf(issue, found, timeZone)
        if (meant !== undefined) value = replaced(value, path, meant)
      }
    }
    if (value === before) return result
  }
}

/** Names that the schema does not have are dropped, except if one may hold what is absent, or the rest of a text, or another value of a field. */
function withoutLoss<Value>(schema: z.ZodType<Value>, value: unknown, isDoubtful: boolean): z.ZodSafeParseResult<Value> {
  const checked = schema.superRefine((form, context) => {
    const lost = lostNames(value, form, isDoubtful)
    if (lost.length > 0) context.addIssue(`Unknown names: ${JSON.stringify(lost)}`)
  })
  return checked.safeParse(value)
}

function lostNames(given: unknown, kept: unknown, isDoubtful: boolean): readonly string[] {
  if (!isObject(given) || !isObject(kept)) return []
  return Object.entries(given).flatMap(([name, part]) => {
    if (Object.hasOwn(kept, name)) return lostNames(part, Reflect.get(kept, name), isDoubtful)
    return isDoubtful || Object.keys(kept).some((other) => bare(other) === bare(name)) ? [name] : []
  })
}

/** With the absent name, if the object has it in another spelling: `call_back_at`. */
function renamed(value: unknown, path: Path): unknown {
  const parentPath = path.slice(0, -1)
  const parent = at(value, parentPath)
  const name = String(path.at(-1))
  const fields = isObject(parent) && !Array.isArray(parent) ? Object.entries(parent) : []
  const other = fields.find(([spelling]) => bare(spelling) === bare(name))?.[0]
  if (other === undefined) return undefined
  return replaced(value, parentPath, Object.fromEntries(fields.map(([field, part]) => [field === other ? name : field, part])))
}

/** With the only value of the list that stands for a value. */
function unwrapped(value: unknown, path: Path, found: unknown): unknown {
  return Array.isArray(found) && found.length === 1 ? replaced(value, path, found[0]) : undefined
}

/** What the model means; undefined if that is not clear. */
function meaningOf(issue: Issue, value: unknown, timeZone: string | undefined): unknown {
  if (issue.code === 'too_big' && Array.isArray(value)) return value.slice(0, Number(issue.maximum))
  if (issue.code === 'invalid_type') return asType(issue.expected, value)
  if (typeof value !== 'string') return undefined
  if (issue.code === 'too_big') return shortened(value, Number(issue.maximum))
  if (issue.code === 'invalid_value') return issue.values.find((allowed) => bare(String(allowed)) === bare(value))
  if (issue.code === 'invalid_format' && issue.format === 'datetime')
    return unknown.has(bare(value)) ? null : timeOf(value.trim(), timeZone)
  return undefined
}

/** Also `-`, `N/A` and `(none)`. */
const unknown: ReadonlySet<string> = new Set(['', 'NULL', 'NONE', 'NA', 'UNKNOWN'])

function asType(expected: string, value: unknown): unknown {
  // Many models leave out what they would have to set to null.
  if (value === undefined) return null
  if (expected === 'array') return value === null ? [] : [value]
  if (expected === 'number' && typeof value === 'string') return value.trim() === '' ? undefined : Number(value)
  if (expected === 'int' && typeof value === 'number') return Math.round(value)
  if (expected === 'string') return asText(value)
  return undefined
}

function asText(value: unknown): string | undefined {
  if (value === null) return ''
  if (Array.isArray(value) && value.every((part) => typeof part === 'string')) return value.join(' ')
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
}

function bare(name: string): string {
  return name.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
}

const timeForm = /^(\d{4}-\d\d-\d\d)[T ](\d{1,2}:\d\d)(:\d\d(?:\.\d{1,9})?)?\s?(?:(Z|UTC)|([+-]\d\d)(?::?(\d\d))?)?$/i
const localTime = z.iso.datetime({ local: true })

/** ISO 8601 in UTC; undefined if it is no time, or has no zone and `timeZone` is not known. */
function timeOf(text: string, timeZone: string | undefined): string | undefined {
  const [, date = '', clock = '', seconds = ':00', utc, hours, minutes = '00'] = timeForm.exec(text) ?? []
  const local = `${date}T${clock.padStart(5, '0')}${seconds}`
  if (!localTime.safeParse(local).success) return undefined
  const epochMs = Date.parse(hours === undefined ? `${local}Z` : `${local}${hours}:${minutes}`)
  if (Number.isNaN(epochMs)) return undefined
  if (hours !== undefined || utc !== undefined) return isoMoment(epochMs)
  return timeZone === undefined ? undefined : isoMoment(momentOfLocal(epochMs, timeZone))
}

function at(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((part, name) => (isObject(part) ? Reflect.get(part, name) : undefined), value)
}

function replaced(value: unknown, [name, ...rest]: Path, next: unknown): unknown {
  if (name === undefined) return next
  if (Array.isArray(value)) return value.map((part: unknown, index) => (index === Number(name) ? replaced(part, rest, next) : part))
  return isObject(value) ? { ...value, [name]: replaced(Reflect.get(value, name), rest, next) } : value
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}
