import { z } from 'zod'
import type { FieldUse, ObjectModel } from './data-model.ts'
import { badArguments } from './errors.ts'
import { type FilterScope, unknownField } from './filters.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { orderOf } from './operators.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'

/** One key of an order: where the value is, and which way it runs. */
type SortKey = {
  readonly path: FieldPath
  readonly read: (record: StoredRecord) => unknown
  readonly descending: boolean
  readonly nullsFirst: boolean
}
export type Order = readonly SortKey[]

/** Compiles `orderBy: [{ createdAt: "DescNullsLast" }, { phones: { primaryPhoneNumber: ... } }]`; the id decides ties. */
export function compileOrder(scope: FilterScope, object: ObjectModel, orderBy: unknown): Order {
  const parts = (Array.isArray(orderBy) ? orderBy : [orderBy]).filter(isJsonObject)
  return [...parts.flatMap((part) => sortKeys(scope, object, part)), sortKey(['id'], 'AscNullsFirst', (record) => record.id)]
}

function sortKeys(scope: FilterScope, object: ObjectModel, part: JsonObject): SortKey[] {
  return Object.entries(part).flatMap(([name, value]) => {
    const use = scope.model.uses(object).get(name)
    if (!use || use.kind === 'toMany') throw unknownField(object, name, 'INVALID_ARGS_SORT')
    if (use.kind === 'toOne') return relatedKeys(scope, use, isJsonObject(value) ? value : {})
    if (!isJsonObject(value)) return [sortKey([name], value)]
    return Object.entries(value).map(([inner, direction]) => sortKey([name, inner], direction))
  })
}

function relatedKeys(scope: FilterScope, use: FieldUse & { kind: 'toOne' }, part: JsonObject): SortKey[] {
  const target = scope.model.object(use.target)
  if (!target) return []
  return sortKeys(scope, target, part).map((key) => ({
    ...key,
    path: [use.field.name, ...key.path],
    read: (record) => {
      const id = record[use.joinColumn]
      const related = typeof id === 'string' ? scope.read(use.target, id) : undefined
      return related ? key.read(related) : null
    },
  }))
}

const directions = z.enum(['AscNullsFirst', 'AscNullsLast', 'DescNullsFirst', 'DescNullsLast'])

function sortKey(path: FieldPath, direction: unknown, read = (record: StoredRecord) => valueAt(record, path)): SortKey {
  const parsed = directions.safeParse(direction)
  if (!parsed.success) throw badArguments('INVALID_ARGS_SORT', `Invalid order by direction for field "${path.join('.')}"`)
  return { path, read, descending: parsed.data.startsWith('Desc'), nullsFirst: parsed.data.endsWith('First') }
}

/** A place in an order: the values of its keys. */
type Place = readonly unknown[]

function placeOf(order: Order, record: StoredRecord): Place {
  return order.map((key) => key.read(record))
}

function comparePlaces(order: Order, left: Place, right: Place): number {
  for (const [index, key] of order.entries()) {
    const a = left[index] ?? null
    const b = right[index] ?? null
    if (a === b) continue
    if (a === null || b === null) return (a === null) === key.nullsFirst ? -1 : 1
    const difference = orderOf(a, b) ?? 0
    if (difference !== 0) return key.descending ? -difference : difference
  }
  return 0
}

/** A cursor is the base64 of the order's values and the id. */
export function cursorOf(order: Order, record: StoredRecord): string {
  const place: JsonObject = {}
  for (const key of order) put(place, key.path, key.read(record))
  return Buffer.from(JSON.stringify(place)).toString('base64')
}

function put(target: JsonObject, [name, ...rest]: FieldPath, value: unknown): void {
  if (name === undefined) return
  if (rest.length === 0) {
    target[name] = value
    return
  }
  const known = target[name]
  const inner: JsonObject = isJsonObject(known) ? known : {}
  target[name] = inner
  put(inner, rest, value)
}

function placeOfCursor(order: Order, cursor: string): Place {
  try {
    const place: unknown = JSON.parse(Buffer.from(cursor, 'base64').toString('utf8'))
    if (isJsonObject(place)) return order.map((key) => valueAt(place, key.path))
  } catch {
    // falls through to the platform's own error
  }
  throw badArguments('INVALID_CURSOR', `Invalid cursor: ${cursor}`)
}

const pageArguments = z.object({
  first: z.number().nullish(),
  last: z.number().nullish(),
  after: z.string().nullish(),
  before: z.string().nullish(),
  offset: z.number().nullish(),
})
export type PageArguments = z.output<typeof pageArguments>

/** The most rows of one page; a larger `first` is cut to it. */
const maxRows = 200

export function parsePage(args: JsonObject): PageArguments {
  const page = pageArguments.parse(args)
  const conflict = (message: string) => badArguments('ARGS_CONFLICT', message)
  if (isGiven(page.first) && isGiven(page.last)) throw conflict('Cannot provide both first and last')
  if (isGiven(page.before) && isGiven(page.after)) throw conflict('Cannot provide both before and after')
  if (isGiven(page.first) && page.first < 0) throw badArguments('INVALID_ARGS_FIRST', 'First argument must be non-negative')
  if (isGiven(page.last) && page.last < 0) throw badArguments('INVALID_ARGS_LAST', 'Last argument must be non-negative')
  return page
}

function isGiven<Value>(value: Value | null | undefined): value is Value {
  return value !== null && value !== undefined
}

export type Page = { readonly records: readonly StoredRecord[]; readonly hasNextPage: boolean; readonly hasPreviousPage: boolean }

/**
 * One page. As on the platform, `last` without `before` pages forward, a page after a cursor says that nothing is before it, and
 * `before` pages backwards.
 */
export function pageOf(records: readonly StoredRecord[], order: Order, page: PageArguments): Page {
  const backwards = isGiven(page.before)
  const cursor = page.after ?? page.before
  const direction = backwards ? -1 : 1
  const from = isGiven(cursor) ? placeOfCursor(order, cursor) : null
  const rows = order.length === 1 && records.length > 0 ? unsorted(records) : sorted(records, order)
  const beyond = from ? rows.filter(({ place }) => comparePlaces(order, place(), from) * direction > 0) : rows
  const ordered = backwards ? beyond.toReversed() : beyond
  const start = page.offset ?? 0
  const limit = Math.min(page.first ?? page.last ?? maxRows, maxRows)
  const rowsOfPage = ordered.slice(start, start + limit).map(({ record }) => record)
  const more = ordered.length > start + limit
  return {
    records: backwards ? rowsOfPage.toReversed() : rowsOfPage,
    hasNextPage: !backwards && more,
    hasPreviousPage: backwards && more,
  }
  function unsorted(all: readonly StoredRecord[]) {
    return all.map((record) => ({ record, place: () => placeOf(order, record) }))
  }
}

function sorted(records: readonly StoredRecord[], order: Order) {
  return records
    .map((record) => {
      const place = placeOf(order, record)
      return { record, place: () => place }
    })
    .sort((a, b) => comparePlaces(order, a.place(), b.place()))
}
