import { z } from 'zod'
import type { PlatformSection } from '../../ports/configuration/platform.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { RecordAccess } from '../../ports/record-access.ts'
import { platformRecords, type RecordName } from '../../ports/records/platform-records.ts'
import { platformErrorOf } from './failure.ts'
import { textOf } from './field-values.ts'
import { type Filter, withId } from './filter.ts'
import { type ListQuery, listRecords } from './list-records.ts'
import type { ObjectShapes } from './object-shapes.ts'
import type { RecordGate } from './record-gate.ts'
import {
  type KnownObject,
  knownObject,
  nodeSchema,
  type ObjectNames,
  pascalCase,
  type RecordObject,
  type Row,
  type Values,
} from './record-object.ts'

/**
 * Reads and writes records under the workspace's own names. Objects and fields that a workspace lacks are left out and logged once.
 * Errors: those of `PlatformEndpoint`, and NOT_CONFIGURED if the service needs an API key and has none.
 */
export interface Records {
  list<Name extends RecordName>(access: RecordAccess, name: Name, query: ListQuery<Name>): Promise<readonly Row<Name>[]>
  /** Creates a record with this id. If one with the id (or a unique value) exists, it stays as it is and `created` is false. */
  create<Name extends RecordName>(access: RecordAccess, name: Name, record: NewRecord<Name>): Promise<{ readonly created: boolean }>
  /** Creates or changes the records with these ids, in one request. Restores deleted ones. */
  upsertMany<Name extends RecordName>(access: RecordAccess, name: Name, records: readonly NewRecord<Name>[]): Promise<void>
  /** Deletes a record, so that the platform can restore it. Repeatable: a record that is missing stays so. */
  delete(access: RecordAccess, name: RecordName, id: string): Promise<void>
  /** Throws NOT_FOUND if it is missing or deleted. `written` is false if the workspace has none of the fields. */
  update<Name extends RecordName>(access: RecordAccess, name: Name, record: NewRecord<Name>): Promise<{ readonly written: boolean }>
  /** Changes the records that match a filter, atomically for each, and returns their ids. Throws if the platform is too old for it. */
  updateWhere<Name extends RecordName>(access: RecordAccess, name: Name, change: FilteredChange<Name>): Promise<readonly string[]>
  /** The object as the workspace has it; null if it has none. */
  object<Name extends RecordName>(access: RecordAccess, name: Name): Promise<KnownObject<Name> | null>
}

export type NewRecord<Name extends RecordName> = {
  readonly id: string
  readonly values: Values<Name>
  /** The record as it is, if there is one: its further links stay. */
  readonly current?: Row<Name> | undefined
}

export type FilteredChange<Name extends RecordName> = {
  readonly filter: (object: RecordObject<Name>) => Filter
  readonly values: Values<Name>
}

export type RecordsOptions = {
  readonly gate: RecordGate
  readonly shapes: ObjectShapes
  /** The names of the workspace's objects. */
  readonly objectsOf: (workspaceId: string) => Promise<PlatformSection['objects']>
  readonly log: Log
}

export function createRecords({ gate, shapes, objectsOf, log }: RecordsOptions): Records {
  const logOnce = missingFieldLog(log)

  const known = async <Name extends RecordName>(access: RecordAccess, name: Name): Promise<KnownObject<Name> | null> => {
    const names: ObjectNames = (await objectsOf(access.workspaceId))[name]
    const shape = await shapes.of(access, pascalCase(names.singular))
    if (!shape) logOnce(access.workspaceId, names.singular)
    return (
      shape &&
      knownObject<Name>({
        type: platformRecords[name],
        names,
        shape,
        lack: (field) => logOnce(access.workspaceId, `${names.singular}.${field}`),
      })
    )
  }

  /** If the object has changed since it was introspected, introspects it again and repeats the step once. */
  const withObject = async <Name extends RecordName, T>(
    access: RecordAccess,
    name: Name,
    step: (object: KnownObject<Name>) => Promise<T>,
  ): Promise<T | null> => {
    const object = await known(access, name)
    if (!object) return null
    try {
      return await step(object)
    } catch (error) {
      if (platformErrorOf(error)?.facts.kind !== 'UNKNOWN_FIELD') throw error
      shapes.invalidate(access.workspaceId, object.typeName)
      const current = await known(access, name)
      if (!current) return null
      return step(current)
    }
  }

  return {
    object: known,
    async list(access, name, query) {
      return (await withObject(access, name, (object) => listRecords({ gate, shapes }, access, { object, query }))) ?? []
    },
    async create(access, name, record) {
      const created = await withObject(access, name, (object) => create(gate, { access, object, record }))
      return { created: created === true }
    },
    async delete(access, name, id) {
      await withObject(access, name, (object) => softDelete(gate, { access, typeName: object.typeName, id }))
    },
    async upsertMany(access, name, records) {
      await withObject(access, name, (object) => upsertMany(gate, { access, object, records }))
    },
    async update(access, name, record) {
      const written = await withObject(access, name, (object) => update({ gate, shapes }, { access, object, record }))
      return { written: written === true }
    },
    async updateWhere(access, name, change) {
      return (await withObject(access, name, (object) => updateWhere(gate, { access, object, change }))) ?? []
    },
  }
}

/** Logs each missing object or field once. */
function missingFieldLog(log: Log) {
  const logged = new Set<string>()
  return (workspaceId: string, missing: string): void => {
    if (logged.has(`${workspaceId}:${missing}`) || logged.size > 10_000) return
    logged.add(`${workspaceId}:${missing}`)
    log.warn({ workspaceId, missing }, 'platform.field-missing')
  }
}

type Write<Name extends RecordName> = {
  readonly access: RecordAccess
  readonly object: KnownObject<Name>
  readonly record: NewRecord<Name>
}

/** False if a record with the id or a unique value exists. */
async function create<Name extends RecordName>(gate: RecordGate, { access, object, record }: Write<Name>): Promise<boolean> {
  const field = `create${object.typeName}`
  const document = `mutation($data: ${object.typeName}CreateInput!) { ${field}(data: $data) { id } }`
  const variables = { data: { id: record.id, ...object.data(record.values) } }
  try {
    await gate({ access, document, variables, answer: z.object({ [field]: nodeSchema }) })
    return true
  } catch (error) {
    if (platformErrorOf(error)?.facts.kind === 'DUPLICATE') return false
    throw error
  }
}

type Deletion = { readonly access: RecordAccess; readonly typeName: string; readonly id: string }

async function softDelete(gate: RecordGate, { access, typeName, id }: Deletion): Promise<void> {
  const field = `delete${typeName}`
  const document = `mutation($id: UUID!) { ${field}(id: $id) { id } }`
  try {
    await gate({ access, document, variables: { id }, answer: z.object({ [field]: nodeSchema.nullable() }) })
  } catch (error) {
    if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
  }
}

type WriteMany<Name extends RecordName> = Omit<Write<Name>, 'record'> & { readonly records: readonly NewRecord<Name>[] }

async function upsertMany<Name extends RecordName>(gate: RecordGate, { access, object, records }: WriteMany<Name>): Promise<void> {
  const field = `create${pascalCase(object.plural)}`
  const document = `mutation($data: [${object.typeName}CreateInput!]!) { ${field}(data: $data, upsert: true) { id } }`
  const variables = { data: records.map(({ id, values, current }) => ({ id, ...object.data(values, current) })) }
  await gate({ access, document, variables, answer: z.object({ [field]: z.array(nodeSchema) }) })
}

/** False if the workspace has none of the fields. */
async function update<Name extends RecordName>(
  ports: Pick<RecordsOptions, 'gate' | 'shapes'>,
  { access, object, record }: Write<Name>,
): Promise<boolean> {
  const filter = withId(record.id)
  if (!filter) throw new AppError('NOT_FOUND')
  const query = { filter: () => filter, first: 1 }
  const [current] = object.hasLinks(record.values) ? await listRecords(ports, access, { object, query }) : []
  const data = object.data(record.values, current)
  if (Object.keys(data).length === 0) return false
  const field = `update${object.typeName}`
  const document = `mutation($id: UUID!, $data: ${object.typeName}UpdateInput!) { ${field}(id: $id, data: $data) { ${object.selection(['deletedAt'])} } }`
  const answer = await ports.gate({
    access,
    document,
    variables: { id: record.id, data },
    answer: z.object({ [field]: nodeSchema.nullable() }),
  })
  // The platform updates a deleted record, and nobody sees it (Twenty 2.21, recorded).
  if (!answer[field] || textOf(answer[field]['deletedAt']) !== null) throw new AppError('NOT_FOUND')
  return true
}

type WriteWhere<Name extends RecordName> = Omit<Write<Name>, 'record'> & { readonly change: FilteredChange<Name> }

async function updateWhere<Name extends RecordName>(gate: RecordGate, { access, object, change }: WriteWhere<Name>): Promise<string[]> {
  const [filter, data] = [change.filter(object), object.data(change.values)]
  if (Object.keys(data).length === 0) return []
  const field = `update${pascalCase(object.plural)}`
  const { typeName } = object
  const document = `mutation($filter: ${typeName}FilterInput!, $data: ${typeName}UpdateInput!) { ${field}(filter: $filter, data: $data) { id } }`
  const answer = await gate({ access, document, variables: { filter, data }, answer: z.object({ [field]: z.array(nodeSchema) }) })
  return answer[field]?.map(({ id }) => id) ?? []
}
