import {
  type GraphQLField,
  type GraphQLNamedType,
  type GraphQLSchema,
  getNamedType,
  getNullableType,
  isCompositeType,
  isInterfaceType,
  isListType,
  isObjectType,
  type OperationDefinitionNode,
  OperationTypeNode,
} from 'graphql'
import { addedFieldSources } from '../stitching/extensions.ts'
import { isLink } from '../stitching/record-links.ts'
import { counted, daysOf, differentEntries, entriesOf, type Given } from './argument-counts.ts'
import { type Cost, product, sum } from './cost.ts'
import { costRuleOf } from './cost-rule.ts'
import { type Document, type Merged, mergedFields, type Place, placesBelow, underConditions } from './places.ts'
import { schemaCost } from './schema-cost.ts'

/** `schema`: ours. */
type Walk = Document & { readonly schema: GraphQLSchema }

/**
 * What the fields of ours in an operation cost: its root fields, what they select, and our fields in records of the platform, times the rows that
 * multiply them. What the platform does costs nothing here. The operation need not be valid.
 */
export function operationCost(operation: OperationDefinitionNode, around: Omit<Walk, 'operation'>): Cost {
  const walk = { ...around, operation }
  const root = walk.schema.getRootType(operation.operation)
  return costOfPlaces([{ set: operation.selectionSet, conditions: [] }], { type: root ?? undefined, isRoot: true, page: null }, walk)
}

const schemaFields: ReadonlySet<string> = new Set(['__schema', '__type'])

/** What the selections belong to. `page`: the rows of a connection whose `edges` and `nodes` they are. */
type Parent = { readonly type: GraphQLNamedType | undefined; readonly isRoot: boolean; readonly page: Cost | null }

function costOfPlaces(places: readonly Place[], parent: Parent, walk: Walk): Cost {
  return sum(
    mergedFields(places, parent.type?.name ?? null, walk).map((merged) => {
      const type = typeNamed(merged.typeName, walk.schema)
      const name = merged.node.name.value
      const field = isObjectType(type) || isInterfaceType(type) ? type.getFields()[name] : undefined
      const ifIncluded = (cost: Cost): Cost => underConditions(merged, cost)
      if (field) return ifIncluded(ownCost(field, { ...parent, merged }, walk))
      if (type && isLink(type.name, name)) return ifIncluded(sum([1, platformCost(placesBelow(merged), walk)]))
      if (!parent.isRoot) return 0
      return ifIncluded(schemaFields.has(name) ? schemaCost(placesBelow(merged), walk) : recordsCost(merged, walk))
    }),
  )
}

/** Types of ours have a prefix in the stitched schema if the platform has the name too. */
function typeNamed(name: string | null, schema: GraphQLSchema): GraphQLNamedType | undefined {
  return name === null ? undefined : (schema.getType(name) ?? schema.getType(name.replace(/^Sidecar/, '')))
}

type Owner = Parent & { readonly merged: Merged }

function ownCost(field: GraphQLField<unknown, unknown>, { merged, isRoot, page }: Owner, walk: Walk): Cost {
  if (!field.astNode) return 0
  const { base, each, rows, list, page: pageMost, range } = costRuleOf(field.astNode, isRoot)
  const type = getNamedType(field.type)
  const given = givenTo(merged, walk)
  const innerWith = (ofPage: Cost | null): Cost =>
    isCompositeType(type) ? costOfPlaces(placesBelow(merged), { type, isRoot: false, page: ofPage }, walk) : 0
  const days = range
    ? product(
        range.perDay,
        counted({ given, names: ['from', 'to'] }, (values) => daysOf(values, range.maxDays)),
      )
    : 0
  if (list) {
    const count = (of: (value: unknown) => number): Cost => counted({ given, names: [list.name] }, ([value]) => of(value))
    const inner = innerWith(null)
    const shown = inner === 0 ? 0 : count((value) => Math.min(entriesOf(value).length, list.most))
    return sum([
      base,
      days,
      product(
        each,
        count((value) => differentEntries(value, list.most)),
      ),
      product(inner, shown),
    ])
  }
  if (pageMost !== null) {
    const { defaultValue } = field.args.find(({ name }) => name === 'first') ?? {}
    const first = counted({ given, names: ['first'], defaults: { first: defaultValue } }, ([value]) => rowsOf(value, pageMost))
    return sum([base, days, product(each, first), innerWith(first)])
  }
  const isRows = isListType(getNullableType(field.type)) && isCompositeType(type)
  if (isRows && page !== null && (field.name === 'edges' || field.name === 'nodes')) return product(page, innerWith(null))
  return sum([base, days, isRows ? product(rows, sum([each, innerWith(null)])) : innerWith(null)])
}

function rowsOf(value: unknown, most: number): number {
  return typeof value === 'number' ? Math.min(Math.max(value, 0), most) : most
}

/** Our fields in what a root field of the platform returns. */
function recordsCost(merged: Merged, walk: Walk): Cost {
  const inner = platformCost(placesBelow(merged), walk)
  return inner === 0 ? 0 : product(platformRows(merged, walk), inner)
}

/** Our fields in records of the platform, whose types we do not know here. */
function platformCost(places: readonly Place[], walk: Walk): Cost {
  return sum(
    mergedFields(places, null, walk).map((merged) => {
      const source = addedFieldSources.get(merged.node.name.value)
      return underConditions(merged, source === undefined ? recordsCost(merged, walk) : addedCost(source, merged, walk))
    }),
  )
}

/** A field of ours in one record is an entry of the list of its root field. */
function addedCost(rootField: string, merged: Merged, walk: Walk): Cost {
  const field = walk.schema.getQueryType()?.getFields()[rootField]
  if (!field?.astNode) return 0
  const { each } = costRuleOf(field.astNode, true)
  return sum([each, costOfPlaces(placesBelow(merged), { type: getNamedType(field.type), isRoot: false, page: null }, walk)])
}

/** The platform shows at most so many records of a list unless it is asked for more. */
const usualPage = 60
/** A mutation with a filter writes all records that it finds, and the platform writes so many at once. */
const mostWritten = 200
const pageArguments = ['first', 'last', 'limit']
/** Of mutations of the platform: the records that are written. */
const listArguments = ['data', 'ids']

function platformRows(merged: Merged, walk: Walk): Cost {
  return product(shownRows(merged, walk), namedRows(merged, walk))
}

/** Of one list. */
function shownRows(merged: Merged, walk: Walk): Cost {
  if (isGiven(merged, pageArguments)) {
    return counted({ given: givenTo(merged, walk), names: pageArguments }, (values) => {
      const numbers = values.filter((value) => typeof value === 'number')
      return numbers.length === 0 ? usualPage : Math.max(0, ...numbers)
    })
  }
  const isConnection = mergedFields(placesBelow(merged), null, walk).some(({ node }) => node.name.value === 'edges')
  return isConnection ? usualPage : 1
}

/** A list for each, or a record for each. */
function namedRows(merged: Merged, walk: Walk): Cost {
  const unnamed = unnamedRows(merged, walk)
  if (!isGiven(merged, listArguments)) return unnamed || 1
  return counted({ given: givenTo(merged, walk), names: listArguments }, (values) =>
    Math.max(unnamed, ...values.map((value) => entriesOf(value).length)),
  )
}

/** Groups of records, or what a mutation finds by its filter. */
function unnamedRows(merged: Merged, { operation }: Walk): number {
  if (operation.operation === OperationTypeNode.MUTATION && isGiven(merged, ['filter'])) return mostWritten
  return isGiven(merged, ['groupBy']) ? usualPage : 0
}

function isGiven({ node }: Merged, names: readonly string[]): boolean {
  return node.arguments?.some(({ name }) => names.includes(name.value)) ?? false
}

function givenTo({ node }: Merged, { operation }: Walk): Given {
  return { arguments: node.arguments, operation }
}
