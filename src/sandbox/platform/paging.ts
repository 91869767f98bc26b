import { z } from 'zod'
import type { FieldUse, ObjectModel } from './data-model.ts'
import { badArguments } from './errors.ts'
import { type FilterScope, unknownField } from './filters.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { orderOf } from './operators.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'

/** One key of a sort order: the path of the value, and the direction. */
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
type PageArguments = z.output<typeof pageArguments>

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
 * One page of records, which come in the order of their ids. As on the platform, `last` without `before` pages forward, a page
 * after a cursor says that nothing is before it, and `before` pages backwards.
 */
export function pageOf(records: readonly StoredRecord[], order: Order, page: PageArguments): Page {
  const backwards = isGiven(page.before)
  const limit = Math.min(page.first ?? page.last ?? maxRows, maxRows)
  const end = (page.offset ?? 0) + limit
  const rows = leadingRows(records, { order, backwards, cursor: page.after ?? page.before ?? null, count: end + 1 })
  const shown = rows.slice(page.offset ?? 0, end)
  const hasMore = rows.length > end
  return {
    records: backwards ? shown.toReversed() : shown,
    hasNextPage: !backwards && hasMore,
    hasPreviousPage: backwards && hasMore,
  }
}

type Lead = { readonly order: Order; readonly backwards: boolean; readonly cursor: string | null; readonly count: number }
type Row = { readonly record: StoredRecord; readonly place: Place }

/** The first `count` records after the cursor. Does not sort all records if only a few of many are requested. */
function leadingRows(records: readonly StoredRecord[], { order, backwards, cursor, count }: Lead): StoredRecord[] {
  if (order.length === 1 && cursor === null) return records.slice(0, count)
  const from = cursor === null ? null : placeOfCursor(order, cursor)
  const compare = (a: Place, b: Place): number => (backwards ? comparePlaces(order, b, a) : comparePlaces(order, a, b))
  const best: Row[] = []
  for (const record of records) {
    const place = placeOf(order, record)
    if (from && compare(place, from) <= 0) continue
    const last = best[count - 1]
    if (last && compare(place, last.place) >= 0) continue
    insert(best, { record, place }, compare)
    if (best.length > count) best.pop()
  }
  return best.map(({ record }) => record)
}

function insert(rows: Row[], row: Row, compare: (a: Place, b: Place) => number): void {
  let low = 0
  let high = rows.length
  while (low < high) {
    const middle = (low + high) >>> 1
    const other = rows[middle]
    if (other && compare(other.place, row.place) < 0) low = middle + 1
    else high = middle
  }
  rows.splice(low, 0, row)
}
