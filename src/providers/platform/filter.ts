import { isUuid } from '../../kernel/ids.ts'

type Operators = {
  readonly eq: string
  readonly in: readonly string[]
  readonly gt: string
  readonly gte: string
  readonly lt: string
  readonly like: string
  readonly lte: string
  readonly ilike: string
  readonly is: 'NULL' | 'NOT_NULL'
}

/** Exactly one operator: the platform refuses a filter with two on one field, with none, and with an empty `in` (Twenty 2.21, recorded). */
export type Condition = {
  readonly [Only in keyof Operators]: Pick<Operators, Only> & { readonly [Other in Exclude<keyof Operators, Only>]?: never }
}[keyof Operators]

/** A filter of the platform: conditions on columns, or on the parts of a composite one. Several on one column are combined with `and`. */
export type Filter = { readonly [column: string]: Condition | { readonly [part: string]: Condition } | readonly Filter[] }

/** Matches the record with this id; null if no record can have it. */
export function withId(id: string): Filter | null {
  return isUuid(id) ? { id: { eq: id } } : null
}
