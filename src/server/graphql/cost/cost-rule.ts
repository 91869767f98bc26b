import { type FieldDefinitionNode, Kind, type TypeNode, valueFromASTUntyped } from 'graphql'
import { z } from 'zod'
import { limitOf } from '../input-limits/input-limit.ts'

/**
 * What an operation may cost at most. It is no setting: it is a part of the contract, which clients read, and `prove:security -- members` measures
 * that what costs less never holds the event loop.
 */
export const mostCost = 10_000

const argumentsSchema = z.strictObject({
  base: z.int().nonnegative().optional(),
  each: z.int().nonnegative().default(1),
  rows: z.int().positive().optional(),
  perDay: z.int().positive().optional(),
  maxDays: z.int().positive().default(366),
})

/** What one use of a field of ours costs, by its directive `@cost` and its arguments. Costs are whole numbers; a row that is read or shown costs about 1. */
export type CostRule = {
  readonly base: number
  /** For each row: an entry of `list`, one of the `page`, or one of `rows`. */
  readonly each: number
  /** Rows of a list that no argument chooses. */
  readonly rows: number
  /** The name of the argument with a list, and the most entries that it may have. */
  readonly list: { readonly name: string; readonly most: number } | null
  /** The most rows of the argument `first`; null if there is no such argument. */
  readonly page: number | null
  /** Of the range of the arguments `from` and `to`, if their length counts. */
  readonly range: { readonly perDay: number; readonly maxDays: number } | null
}

/** Of lists in an answer whose length no argument and no `@cost` says. */
export const usualRows = 10

const known = new WeakMap<FieldDefinitionNode, CostRule>()

/** `isRoot`: a root field costs 1 without `@cost(base:)`, other fields nothing. Throws if the directive is not valid. */
export function costRuleOf(field: FieldDefinitionNode, isRoot: boolean): CostRule {
  const found = known.get(field)
  if (found) return found
  const rule = readRule(field, isRoot)
  known.set(field, rule)
  return rule
}

function readRule({ directives, arguments: declared = [] }: FieldDefinitionNode, isRoot: boolean): CostRule {
  const directive = directives?.find(({ name }) => name.value === 'cost')
  const given = (directive?.arguments ?? []).map(({ name, value }): [string, unknown] => [name.value, valueFromASTUntyped(value)])
  const { base = isRoot ? 1 : 0, each, rows = usualRows, perDay, maxDays } = argumentsSchema.parse(Object.fromEntries(given))
  const list = declared.find(({ type }) => isList(type))
  const page = declared.find(({ name }) => name.value === 'first')
  return {
    base,
    each,
    rows,
    list: list ? { name: list.name.value, most: limitOf(list)?.maxItems ?? mostCost } : null,
    page: page ? (limitOf(page)?.maximum ?? mostCost) : null,
    range: perDay === undefined ? null : { perDay, maxDays },
  }
}

function isList(type: TypeNode): boolean {
  return type.kind === Kind.NON_NULL_TYPE ? isList(type.type) : type.kind === Kind.LIST_TYPE
}
