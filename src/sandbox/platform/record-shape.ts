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

export function createShaper(model: WorkspaceModel, records: Records): RecordShaper {
  const node: RecordShaper['node'] = (object, record, parts) => {
    const uses = model.uses(object)
    const shaped: JsonObject = {}
    for (const part of parts) {
      const use = uses.get(part.name)
      shaped[part.key] = part.name === '__typename' ? typeNameOf(object) : use ? valueOf(record, use, part) : null
    }
    // The id of a related record that is soft-deleted is hidden too, if the relation is selected beside it.
    for (const { name, key } of parts) {
      const use = uses.get(name)
      if (use?.kind === 'toOne' && shaped[key] === null && use.joinColumn in shaped) shaped[use.joinColumn] = null
    }
    return shaped
  }

  const valueOf = (record: StoredRecord, use: FieldUse, part: Selection): unknown => {
    switch (use.kind) {
      case 'scalar':
        return record[part.name] ?? scalarKinds[use.type].empty
      case 'joinColumn':
        return record[part.name] ?? null
      case 'composite':
        return compositeValue(use, record[part.name], part.parts)
      case 'toOne':
        return related(record, use, part.parts)
      case 'toMany':
        return list(record, use, part.parts)
    }
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
    return connection(
      target,
      { records: rows, hasNextPage: false, hasPreviousPage: false, totalCount: () => rows.length, order: [] },
      parts,
    )
  }

  const connection: RecordShaper['connection'] = (object, page, parts) => {
    const shaped: JsonObject = {}
    const cursor = (record: StoredRecord | undefined): string | null => (record ? cursorOf(page.order, record) : null)
    for (const { key, name, parts: inner } of parts) {
      if (name === 'totalCount') shaped[key] = page.totalCount()
      else if (name === 'edges') shaped[key] = page.records.map((record) => edge({ object, record, cursor, node }, inner))
      else if (name === 'pageInfo') shaped[key] = pageInfo(page, cursor, inner)
      else if (aggregate.test(name)) throw notInSandbox('An aggregate')
      else shaped[key] = name === '__typename' ? `${typeNameOf(object)}Connection` : null
    }
    return shaped
  }

  return { node, connection }
}

type Row = {
  readonly object: ObjectModel
  readonly record: StoredRecord
  readonly cursor: (record: StoredRecord) => string | null
  readonly node: RecordShaper['node']
}

function edge({ object, record, cursor, node }: Row, parts: readonly Selection[]): JsonObject {
  const shaped: JsonObject = {}
  for (const { key, name, parts: inner } of parts) {
    if (name === 'node') shaped[key] = node(object, record, inner)
    else if (name === 'cursor') shaped[key] = cursor(record)
    else shaped[key] = name === '__typename' ? `${typeNameOf(object)}Edge` : null
  }
  return shaped
}

function compositeValue(use: FieldUse & { kind: 'composite' }, value: unknown, selected: readonly Selection[]): JsonObject {
  const { graphqlName, parts } = compositeKinds[use.type]
  const stored = isJsonObject(value) ? value : {}
  const shaped: JsonObject = {}
  for (const { key, name } of selected) shaped[key] = name === '__typename' ? graphqlName : (stored[name] ?? parts[name]?.empty ?? null)
  return shaped
}

function pageInfo(page: Connection, cursor: (record: StoredRecord | undefined) => string | null, parts: readonly Selection[]): JsonObject {
  const values: Readonly<Record<string, unknown>> = {
    __typename: 'PageInfo',
    hasNextPage: page.hasNextPage,
    hasPreviousPage: page.hasPreviousPage,
    startCursor: cursor(page.records[0]),
    endCursor: cursor(page.records.at(-1)),
  }
  return Object.fromEntries(parts.map(({ key, name }) => [key, values[name] ?? null]))
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
    if (use.kind === 'scalar') shaped[name] = record[name] ?? scalarKinds[use.type].empty
    if (use.kind === 'joinColumn') shaped[name] = record[name] ?? null
    if (use.kind === 'composite') {
      const parts = Object.keys(compositeKinds[use.type].parts).map((part) => ({ key: part, name: part, parts: [] }))
      shaped[name] = compositeValue(use, record[name], parts)
    }
  }
  return shaped
}
