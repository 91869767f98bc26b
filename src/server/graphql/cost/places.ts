import { type FieldNode, Kind, type OperationDefinitionNode, type SelectionNode, type SelectionSetNode } from 'graphql'
import { type Condition, conditionsOf, isIncluded } from '../conditions.ts'
import type { Fragments } from '../root-selections.ts'
import { type Cost, product } from './cost.ts'

/** A selection set, and the conditions under which it is selected. */
export type Place = { readonly set: SelectionSetNode; readonly conditions: readonly Condition[] }
/** One use of a field: graphql merges uses of one response name in one place. */
export type Use = { readonly node: FieldNode; readonly conditions: readonly Condition[] }
/** The uses that become one field of the answer. `typeName`: of the fragment around them, else of the place. */
export type Merged = { readonly node: FieldNode; readonly typeName: string | null; readonly uses: Use[] }

/** An operation and the fragments of its document. */
export type Document = { readonly operation: OperationDefinitionNode; readonly fragments: Fragments }

/** The fields of these selection sets of one place, fragments expanded and equal response names merged. */
export function mergedFields(places: readonly Place[], typeName: string | null, document: Document): readonly Merged[] {
  const merged = new Map<string, Merged>()
  for (const place of places) {
    for (const selection of place.set.selections)
      collect(selection, { ...document, merged, typeName, seen: [], conditions: place.conditions })
  }
  return [...merged.values()]
}

type Collecting = Document & {
  readonly merged: Map<string, Merged>
  readonly typeName: string | null
  /** The fragments around: one that spreads itself is refused elsewhere. */
  readonly seen: readonly string[]
  readonly conditions: readonly Condition[]
}

function collect(selection: SelectionNode, around: Collecting): void {
  const { operation, fragments, merged, typeName, seen } = around
  const own = conditionsOf(selection.directives, operation)
  const conditions = own.length === 0 ? around.conditions : [...around.conditions, ...own]
  if (selection.kind === Kind.FIELD) {
    const key = `${typeName ?? ''} ${(selection.alias ?? selection.name).value}`
    const known = merged.get(key)
    if (known) known.uses.push({ node: selection, conditions })
    else merged.set(key, { node: selection, typeName, uses: [{ node: selection, conditions }] })
    return
  }
  const fragment = selection.kind === Kind.FRAGMENT_SPREAD ? fragments.get(selection.name.value) : selection
  if (!fragment) return
  const spread = selection.kind === Kind.FRAGMENT_SPREAD ? [selection.name.value] : []
  if (spread.some((name) => seen.includes(name))) return
  const inner = { ...around, conditions, seen: [...seen, ...spread], typeName: fragment.typeCondition?.name.value ?? typeName }
  for (const one of fragment.selectionSet.selections) collect(one, inner)
}

/** What is selected below the field. */
export function placesBelow({ uses }: Merged): readonly Place[] {
  return uses.flatMap(({ node, conditions }) => (node.selectionSet ? [{ set: node.selectionSet, conditions }] : []))
}

/** The cost of a field that `@skip` and `@include` may leave out. */
export function underConditions({ uses }: Merged, cost: Cost): Cost {
  const selections = uses.map(({ conditions }) => conditions)
  const isAlways = selections.some((conditions) => conditions.length === 0)
  return isAlways ? cost : product((variables) => (isIncluded(selections, variables) ? 1 : 0), cost)
}
