import { z } from 'zod'
import type { RecordAccess } from '../../ports/record-access.ts'
import type { RecordName } from '../../ports/records/platform-records.ts'
import { selectionOf } from './field-values.ts'
import { isPermissionDenied } from './failure.ts'
import type { Filter } from './filter.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import { type FieldOf, type KnownObject, nodeSchema, type RecordObject, type Relation, type Row } from './record-object.ts'

export type ListQuery<Name extends RecordName> = {
  /** By default all that are declared. */
  readonly fields?: readonly FieldOf<Name>[]
  /** Fields that are read as the `{ name }` of the other record, if they are relations in this workspace. */
  readonly byName?: readonly FieldOf<Name>[]
  /** Built with the workspace's own names. Null if the workspace lacks a field that it needs; then nothing is requested. */
  readonly filter: (object: RecordObject<Name>) => Filter | null
  /** Newest first by this field; by creation if the workspace lacks it. */
  readonly newestBy?: FieldOf<Name>
  /** Instead: the earliest first. */
  readonly earliestBy?: FieldOf<Name>
  readonly first: number
  /** How many to skip. */
  readonly offset?: number
  readonly signal?: AbortSignal
}

type List<Name extends RecordName> = { readonly object: KnownObject<Name>; readonly query: ListQuery<Name> }

/** One page of records in one request; without the names of other records if the role may not read those. */
export async function listRecords<Name extends RecordName>(
  ports: { readonly gate: RecordGate; readonly shapes: ObjectShapes },
  access: RecordAccess,
  { object, query }: List<Name>,
): Promise<readonly Row<Name>[]> {
  try {
    return await listOnce(ports, access, { object, query })
  } catch (error) {
    if (!isPermissionDenied(error) || !query.byName?.some((field) => object.relation(field))) throw error
    return listOnce(ports, access, { object, query: { ...query, byName: [] } })
  }
}

async function listOnce<Name extends RecordName>(
  { gate, shapes }: { readonly gate: RecordGate; readonly shapes: ObjectShapes },
  access: RecordAccess,
  { object, query }: List<Name>,
): Promise<readonly Row<Name>[]> {
  const filter = query.filter(object)
  if (!filter) return []
  const { plural, typeName } = object
  const { first, offset = 0, fields = object.fields } = query
  const related = await relatedNames(shapes, access, { object, query })
  const selection = [object.selection(fields), ...related.map(({ text }) => text)].join(' ')
  const orderBy = { [object.orderColumn(query.earliestBy ?? query.newestBy)]: query.earliestBy ? 'AscNullsLast' : 'DescNullsLast' }
  // Only if it is needed: every version supports the first page without it.
  const further = offset > 0 ? `, offset: ${offset}` : ''
  const document = `query($filter: ${typeName}FilterInput, $orderBy: [${typeName}OrderByInput], $first: Int) {
  ${plural}(filter: $filter, orderBy: $orderBy, first: $first${further}) { edges { node { ${selection} } } }
}`
  const data = await gate({
    access,
    document,
    variables: { filter, first, orderBy: [orderBy] },
    answer: z.object({ [plural]: z.object({ edges: z.array(z.object({ node: nodeSchema })) }) }),
    ...(query.signal ? { signal: query.signal } : {}),
  })
  return (data[plural]?.edges ?? []).map(({ node }) => {
    const names = Object.fromEntries(related.map(({ ours, theirs }) => [ours, node[theirs]]))
    return { ...object.row(node, fields), ...names }
  })
}

type RelatedName = { readonly ours: string; readonly theirs: string; readonly text: string }

async function relatedNames<Name extends RecordName>(
  shapes: ObjectShapes,
  access: RecordAccess,
  { object, query: { byName = [] } }: List<Name>,
): Promise<readonly RelatedName[]> {
  const found = await Promise.all(
    byName.map(async (field) => {
      const relation = object.relation(field)
      const text = relation && (await nameOf(shapes, access, relation))
      return relation && text ? [{ ours: field, theirs: relation.field, text }] : []
    }),
  )
  return found.flat()
}

/** Null if the other record has no name. */
async function nameOf(shapes: ObjectShapes, access: RecordAccess, { field, typeName }: Relation): Promise<string | null> {
  const name = (await shapes.of(access, typeName))?.get('name')
  const parts = name ? selectionOf(name) : null
  return parts === null ? null : `${field} { id name${parts} }`
}
