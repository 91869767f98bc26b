import { type Cost, product, sum } from './cost.ts'
import { type Document, mergedFields, type Place, placesBelow, underConditions } from './places.ts'

/** How many entries the lists of a schema have, about, if the workspace has many objects. */
const entriesOf: ReadonlyMap<string, number> = new Map([
  ['types', 1_000],
  ['directives', 10],
  ['fields', 15],
  ['inputFields', 15],
  ['args', 4],
  ['enumValues', 5],
  ['interfaces', 1],
  ['possibleTypes', 2],
])
/** A part of the schema takes far less time than a row: the whole schema, as tools ask for it, costs about half of the limit. */
const partsPerRow = 20

/** What `__schema` and `__type` cost: lists in lists are soon hundreds of megabytes, which all workspaces would wait for. */
export function schemaCost(places: readonly Place[], document: Document): Cost {
  const parts = partsBelow(places, document)
  return typeof parts === 'number' ? rowsFor(parts) : (variables) => rowsFor(parts(variables))
}

function rowsFor(parts: number): number {
  return Math.ceil(parts / partsPerRow)
}

function partsBelow(places: readonly Place[], document: Document): Cost {
  return sum(
    mergedFields(places, null, document).map((merged) => {
      const entries = entriesOf.get(merged.node.name.value)
      const inner = partsBelow(placesBelow(merged), document)
      return underConditions(merged, entries === undefined ? inner : product(entries, sum([1, inner])))
    }),
  )
}
