import { type FieldUse, type ObjectModel, typeNameOf } from './data-model.ts'
import { badArguments, notInSandbox } from './errors.ts'
import { compositeKinds } from './composite-kinds.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { cursorOf, type Order, type Page } from './paging.ts'
import type { StoredRecord } from './record-table.ts'
import type { Records } from './records.ts'
import { scalarKinds } from './scalar-kinds.ts'
import type { Selection } from './selections.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** The most rows of a list inside a record; its arguments are ignored. */
const nestedRows = 60
const maxFields = 2000

const aggregate = /^(?:sum|avg|min|max|count|percentage)[A-Z]/

export type Connection = Page & { readonly totalCount: () => number; readonly order: Order }

/** Puts records into the shape that was selected. An unknown selection reads null, as on 2.21. */
export interface RecordShaper {
  node(object: ObjectModel, record: StoredRecord, parts: readonly Selection[]): JsonObject
  connection(object: ObjectModel, connection: Connection, parts: readonly Selection[]): JsonObject
}

/** The selected parts of one value of a type, by the keys that they have in the answer. */
function shapeOf(parts: readonly Selection[], typeName: string, read: (part: Selection) => unknown): JsonObject {
  return Object.fromEntries(parts.map((part) => [part.key, part.name === '__typename' ? typeName : (read(part) ?? null)]))
}

export function createShaper(model: WorkspaceModel, records: Records): RecordShaper {
  const node: RecordShaper['node'] = (object, record, parts) => {
    const uses = model.uses(object)
    const shaped = shapeOf(parts, typeNameOf(object), (part) => {
      const use = uses.get(part.name)
      if (use?.kind === 'toOne') return related(record, use, part.parts)
      return use?.kind === 'toMany' ? list(record, use, part.parts) : use && ownValue(record, use, part)
    })
    // The id of a related record that is soft-deleted is hidden too, if the relation is selected beside it.
    for (const { name, key } of parts) {
      const use = uses.get(name)
      if (use?.kind === 'toOne' && shaped[key] === null && use.joinColumn in shaped) shaped[use.joinColumn] = null
    }
    return shaped
  }

  const related = (record: StoredRecord, use: FieldUse & { kind: 'toOne' }, parts: readonly Selection[]): unknown => {
    const target = model.object(use.target)
    const id = record[use.joinColumn]
    const other = target && typeof id === 'string' ? records.table(target).get(id) : undefined
    return target && other && other.deletedAt === null ? node(target, other, parts) : null
  }

  const list = (record: StoredRecord, use: FieldUse & { kind: 'toMany' }, parts: readonly Selection[]): unknown => {
    const target = model.object(use.target)
    if (!target) return null
    const rows = records.children(use, record.id).slice(0, nestedRows)
    const page = { records: rows, hasNextPage: false, hasPreviousPage: false, totalCount: () => rows.length, order: [] }
    return connection(target, page, parts)
  }

  const connection: RecordShaper['connection'] = (object, page, parts) => {
    const type = typeNameOf(object)
    const cursor = (record: StoredRecord | undefined): string | null => (record ? cursorOf(page.order, record) : null)
    const edge = (record: StoredRecord, selected: readonly Selection[]): JsonObject =>
      shapeOf(selected, `${type}Edge`, ({ name, parts: inner }) => {
        if (name === 'node') return node(object, record, inner)
        return name === 'cursor' ? cursor(record) : null
      })
    return shapeOf(parts, `${type}Connection`, ({ name, parts: inner }) => {
      if (name === 'totalCount') return page.totalCount()
      if (name === 'edges') return page.records.map((record) => edge(record, inner))
      if (name === 'pageInfo') return pageInfo(page, cursor, inner)
      if (aggregate.test(name)) throw notInSandbox('An aggregate')
      return null
    })
  }

  return { node, connection }
}

/** What a record itself holds in a field. */
function ownValue(record: StoredRecord, use: Exclude<FieldUse, { kind: 'toOne' | 'toMany' }>, { name, parts }: Selection): unknown {
  if (use.kind !== 'composite') return record[name] ?? (use.kind === 'scalar' ? scalarKinds[use.type].empty : null)
  const kind = compositeKinds[use.type]
  const stored = isJsonObject(record[name]) ? record[name] : {}
  return shapeOf(parts, kind.graphqlName, (part) => stored[part.name] ?? kind.parts[part.name]?.empty)
}

function pageInfo(page: Connection, cursor: (record: StoredRecord | undefined) => string | null, parts: readonly Selection[]): JsonObject {
  const values: JsonObject = {
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: cursor(page.records[0]),
    endCursor: cursor(page.records.at(-1)),
  }
  return shapeOf(parts, 'PageInfo', ({ name }) => values[name])
}

/** Refuses what the platform finds too complex: a list within a list of records, and too many fields. */
export function checkComplexity(model: WorkspaceModel, object: ObjectModel, parts: readonly Selection[]): void {
  if (countFields(parts) > maxFields) {
    const message = `Query too complex - Too many fields requested: ${countFields(parts)} - Maximum allowed fields: ${maxFields}`
    throw badArguments('TOO_COMPLEX_QUERY', message)
  }
  if (relationsOf(model, object, parts).some(({ isNested }) => isNested)) {
    const message = 'Query complexity is too high. One-to-Many relation cannot be nested in another One-to-Many relation.'
    throw badArguments('TOO_COMPLEX_QUERY', message)
  }
}

function countFields(parts: readonly Selection[]): number {
  return parts.reduce((count, part) => count + 1 + countFields(part.parts), 0)
}

type SelectedRelation = { readonly target: ObjectModel; readonly isList: boolean; readonly isNested: boolean }

/** The relations that were selected, at any depth; a list is nested if it is inside another one. */
export function relationsOf(model: WorkspaceModel, object: ObjectModel, parts: readonly Selection[]): SelectedRelation[] {
  return parts.flatMap((part) => {
    if (part.name === 'edges' || part.name === 'node') return relationsOf(model, object, part.parts)
    const use = model.uses(object).get(part.name)
    const target = use?.kind === 'toOne' || use?.kind === 'toMany' ? model.object(use.target) : undefined
    if (!use || !target) return []
    const isList = use.kind === 'toMany'
    const inner = relationsOf(model, target, part.parts).map((other) => ({
      ...other,
      isNested: other.isNested || (isList && other.isList),
    }))
    return [{ target, isList, isNested: false }, ...inner]
  })
}

/** A whole record with every scalar and composite, as the REST interface and webhooks show it. */
export function wholeRecord(model: WorkspaceModel, object: ObjectModel, record: StoredRecord): JsonObject {
  const shaped: JsonObject = {}
  for (const [name, use] of model.uses(object)) {
    if (use.kind === 'toOne' || use.kind === 'toMany') continue
    const names = use.kind === 'composite' ? Object.keys(compositeKinds[use.type].parts) : []
    shaped[name] = ownValue(record, use, { key: name, name, parts: names.map((part) => ({ key: part, name: part, parts: [] })) })
  }
  return shaped
}
