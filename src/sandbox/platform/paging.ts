import { compositeKinds } from './composite-kinds.ts'
import { type FieldUse, type ObjectModel, optionsOf } from './data-model.ts'
import { badArguments, crash, dataError } from './errors.ts'
import type { FilterScope } from './filters.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { orderOf, rankOf } from './operators.ts'
import { parsedText } from './scalar-kinds.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'

/** One key of a sort order: the path of the value, what decides its place, and the direction. */
type SortKey = {
  readonly path: FieldPath
  readonly read: (record: StoredRecord) => unknown
  readonly rank: (value: unknown) => unknown
  readonly descending: boolean
  readonly nullsFirst: boolean
}
export type Order = readonly SortKey[]

const byId: SortKey = { path: ['id'], read: ({ id }) => id, rank: (value) => value, descending: false, nullsFirst: true }

/** Compiles `orderBy: [{ createdAt: "DescNullsLast" }, { phones: { primaryPhoneNumber: ... } }]`; the id decides ties, always ascending. */
export function compileOrder(scope: FilterScope, object: ObjectModel, orderBy: unknown): Order {
  const parts: unknown[] = Array.isArray(orderBy) ? orderBy : orderBy === undefined || orderBy === null ? [] : [orderBy]
  // Of two directions for one value the last one counts, in the place of the first.
  const keys = new Map(parts.flatMap((part) => sortKeys(scope, object, part)).map((key) => [key.path.join('.'), key]))
  keys.delete('id')
  return [...keys.values(), byId]
}

function sortKeys(scope: FilterScope, object: ObjectModel, part: unknown): SortKey[] {
  if (part === null || part === undefined) throw crash('Cannot convert undefined or null to object')
  return Object.entries(part).flatMap(([name, value]: [string, unknown]) => {
    const use = scope.model.uses(object).get(name)
    if (!use || use.kind === 'toMany') throw badArguments('FIELD_NOT_FOUND', `Field "${name}" does not exist or is not sortable`)
    if (use.kind === 'toOne') return relatedKeys(scope, use, value)
    if (use.kind === 'composite') return partKeys(name, use, value)
    const rank = use.kind === 'scalar' ? rankOf(use.type, optionsOf(use.field)) : byId.rank
    return [sortKey([name], value, rank)]
  })
}

function partKeys(name: string, { type }: FieldUse & { kind: 'composite' }, value: unknown): SortKey[] {
  if (!isJsonObject(value)) {
    const example = `(e.g., { ${name}: { subFieldName: 'AscNullsFirst' } })`
    throw badArguments('INVALID_QUERY_INPUT', `Composite field "${name}" requires subfield ordering ${example}`)
  }
  return Object.entries(value).map(([part, direction]) => {
    const known = compositeKinds[type].parts[part]
    if (!known) throw badArguments('FIELD_NOT_FOUND', `Field "${name}.${part}" does not exist or is not sortable`)
    return sortKey([name, part], direction, rankOf(known.type, known.options))
  })
}

function relatedKeys(scope: FilterScope, use: FieldUse & { kind: 'toOne' }, part: unknown): SortKey[] {
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

const directions = ['AscNullsFirst', 'AscNullsLast', 'DescNullsFirst', 'DescNullsLast']

function sortKey(path: FieldPath, direction: unknown, rank: SortKey['rank']): SortKey {
  if (typeof direction !== 'string' || !directions.includes(direction)) {
    const message = `Scalar field "${path.join('.')}" requires a direction value (${directions.join(', ')})`
    throw badArguments('INVALID_QUERY_INPUT', message)
  }
  const read = (record: StoredRecord): unknown => valueAt(record, path)
  return { path, read, rank, descending: direction.startsWith('Desc'), nullsFirst: direction.endsWith('First') }
}

/** A place in an order: the values of its keys. */
type Place = readonly unknown[]

function placeOf(order: Order, record: StoredRecord): Place {
  return order.map((key) => key.rank(key.read(record)))
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

type Start = { readonly order: Order; readonly place: Place }

/** The place after which a page begins. A cursor may leave out values of the order; none of another order may be in it. */
function startOf(order: Order, cursor: string, isField: (name: string) => boolean): Start | null {
  const values = decoded(cursor)
  for (const name of Object.keys(values)) {
    if (!isField(name)) throw badArguments('INVALID_CURSOR', `Field metadata not found for key: ${name}`)
    if (!order.some(({ path }) => path[0] === name)) throw badArguments('INVALID_CURSOR', 'Invalid cursor')
  }
  const known = order.filter(({ path: [name = ''] }) => name in values)
  return known.length === 0 ? null : { order: known, place: known.map((key) => key.rank(valueAt(values, key.path))) }
}

function decoded(cursor: string): JsonObject {
  const values = parsedText(Buffer.from(cursor, 'base64').toString('utf8'))
  if (isJsonObject(values)) return values
  throw badArguments('INVALID_CURSOR', `Invalid cursor: ${cursor}`)
}

type PageArguments = {
  readonly first: number | null
  readonly last: number | null
  readonly after: string | null
  readonly before: string | null
  readonly offset: number
}

/** The most rows of one page; a larger `first` is cut to it. */
const maxRows = 200

/** Reads arguments whose types were checked. */
export function parsePage({ first, last, after, before, offset }: JsonObject): PageArguments {
  const number = (value: unknown): number | null => (typeof value === 'number' ? Math.round(value) : null)
  const text = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
  const page = { first: number(first), last: number(last), after: text(after), before: text(before), offset: number(offset) ?? 0 }
  const both = (one: string, other: string): Error => badArguments('ARGS_CONFLICT', `Cannot provide both ${one} and ${other}`)
  if (page.first !== null && page.last !== null) throw both('first', 'last')
  if (page.before !== null && page.after !== null) throw both('before', 'after')
  if (page.before !== null && page.first !== null) throw both('before', 'first')
  if (page.after !== null && page.last !== null) throw both('after', 'last')
  if (page.first !== null && page.first < 0) throw badArguments('INVALID_ARGS_FIRST', 'First argument must be non-negative')
  if (page.last !== null && page.last < 0) throw badArguments('INVALID_ARGS_LAST', 'Last argument must be non-negative')
  if (page.offset < 0) throw dataError()
  return page
}

export type Page = { readonly records: readonly StoredRecord[]; readonly hasNextPage: boolean; readonly hasPreviousPage: boolean }

type PageRequest = { readonly order: Order; readonly page: PageArguments; readonly isField: (name: string) => boolean }

/**
 * One page of records, which come in the order of their ids. As on the platform, `last` without `before` pages forward, a page
 * after a cursor says that nothing is before it, and `before` pages backwards.
 */
export function pageOf(records: readonly StoredRecord[], { order, page, isField }: PageRequest): Page {
  const backwards = page.before !== null
  const cursor = page.after ?? page.before
  const limit = Math.min(page.first ?? page.last ?? maxRows, maxRows)
  const end = page.offset + limit
  const start = cursor === null ? null : startOf(order, cursor, isField)
  const rows = leadingRows(records, { order, backwards, start, count: end + 1 })
  const shown = rows.slice(page.offset, end)
  const hasMore = rows.length > end
  return {
    records: backwards ? shown.toReversed() : shown,
    hasNextPage: !backwards && hasMore,
    hasPreviousPage: backwards && hasMore,
  }
}

type Lead = { readonly order: Order; readonly backwards: boolean; readonly start: Start | null; readonly count: number }

/** The first `count` records after the start. */
function leadingRows(records: readonly StoredRecord[], { order, backwards, start, count }: Lead): StoredRecord[] {
  if (order.length === 1 && start === null) return records.slice(0, count)
  const sign = backwards ? -1 : 1
  const isAfter = (record: StoredRecord): boolean =>
    start === null || sign * comparePlaces(start.order, placeOf(start.order, record), start.place) > 0
  const rows = records.filter(isAfter).map((record) => ({ record, place: placeOf(order, record) }))
  rows.sort((a, b) => sign * comparePlaces(order, a.place, b.place))
  return rows.slice(0, count).map(({ record }) => record)
}
