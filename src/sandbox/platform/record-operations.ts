import { capitalized, isJsonObject, type JsonObject } from './json.ts'
import type { ObjectModel } from './data-model.ts'
import { badArguments, internalError } from './errors.ts'
import { compileOrder, pageOf, parsePage } from './paging.ts'
import { checkComplexity, createShaper, type RecordShaper } from './record-shape.ts'
import { type StoredRecord, valueAt } from './record-table.ts'
import type { Actor, Records } from './records.ts'
import type { RootSelection } from './selections.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** What an operation does to records; roles allow or deny these. */
export type RecordRight = 'read' | 'update' | 'softDelete' | 'destroy'

export type RecordOperation = {
  readonly kind: 'query' | 'mutation'
  readonly object: ObjectModel
  readonly right: RecordRight
  run(selection: RootSelection, actor: Actor): unknown
}

type Deps = {
  readonly model: WorkspaceModel
  readonly records: Records
  readonly shaper: RecordShaper
  readonly isOldVersion: () => boolean
}

/** Every root field of a workspace's record schema, by name: `lead`, `leads`, `leadsGroupBy`, `createLead`, `updateLeads`, ... */
export function recordOperations(
  model: WorkspaceModel,
  records: Records,
  isOldVersion: () => boolean,
): ReadonlyMap<string, RecordOperation> {
  const deps: Deps = { model, records, shaper: createShaper(model, records), isOldVersion }
  return new Map(model.objects().flatMap((object) => [...queriesOf(deps, object), ...mutationsOf(deps, object)]))
}

type Named = [string, RecordOperation]

function queriesOf(deps: Deps, object: ObjectModel): Named[] {
  const { model, records, shaper } = deps
  const query = (run: RecordOperation['run']): RecordOperation => ({
    kind: 'query',
    object,
    right: 'read',
    run(selection, actor) {
      checkComplexity(model, object, selection.parts)
      return run(selection, actor)
    },
  })
  return [
    [object.nameSingular, query(({ args, parts }) => shaper.node(object, records.findOne(object, objectOf(args['filter'])), parts))],
    [object.namePlural, query((selection) => findMany(deps, object, selection))],
    [`${object.namePlural}GroupBy`, query((selection) => groupBy(deps, object, selection))],
  ]
}

function findMany({ model, records, shaper }: Deps, object: ObjectModel, { args, parts }: RootSelection): JsonObject {
  const page = parsePage(args)
  const order = compileOrder({ model, read: records.read }, object, args['orderBy'])
  const found = records.find(object, objectOf(args['filter']))
  return shaper.connection(object, { ...pageOf(found, order, page), totalCount: () => found.length, order }, parts)
}

/** Groups by scalar fields and composite parts; of the aggregates only `totalCount` is answered. */
function groupBy({ records }: Deps, object: ObjectModel, { args, parts }: RootSelection): JsonObject[] {
  const dimensions = (Array.isArray(args['groupBy']) ? args['groupBy'] : []).filter(isJsonObject).flatMap(pathsOf)
  const groups = new Map<string, { values: unknown[]; count: number }>()
  for (const record of records.find(object, objectOf(args['filter']))) {
    const values = dimensions.map((path) => valueAt(record, path))
    const key = JSON.stringify(values)
    groups.set(key, { values, count: (groups.get(key)?.count ?? 0) + 1 })
  }
  return [...groups.values()].map(({ values, count }) =>
    Object.fromEntries(
      parts.map(({ key, name }) => [key, name === 'groupByDimensionValues' ? values : name === 'totalCount' ? count : null]),
    ),
  )
}

function pathsOf(dimension: JsonObject): string[][] {
  return Object.entries(dimension).flatMap(([name, value]) =>
    isJsonObject(value) && Object.values(value).includes(true) ? pathsOf(value).map((rest) => [name, ...rest]) : [[name]],
  )
}

function mutationsOf(deps: Deps, object: ObjectModel): Named[] {
  const { records, shaper } = deps
  const one = capitalized(object.nameSingular)
  const many = capitalized(object.namePlural)
  const mutation = (right: RecordRight, run: (args: JsonObject, actor: Actor) => StoredRecord | StoredRecord[]): RecordOperation => ({
    kind: 'mutation',
    object,
    right,
    run({ args, parts }, actor) {
      const result = run(args, actor)
      return Array.isArray(result) ? result.map((record) => shaper.node(object, record, parts)) : shaper.node(object, result, parts)
    },
  })
  /** Finds by filter, soft-deleted records too where those are meant, then acts on each. */
  const each = (act: (id: string, args: JsonObject, actor: Actor) => StoredRecord) => (args: JsonObject, actor: Actor) => {
    if (deps.isOldVersion() && object.isCustom) throw internalError(`missing FROM-clause entry for table "_${object.nameSingular}"`)
    return records.find(object, requiredFilter(args)).map(({ id }) => act(id, args, actor))
  }
  const remove = (id: unknown, actor: Actor) => records.setDeleted(object, { id, deleted: true, actor })
  const restore = (id: unknown, actor: Actor) => records.setDeleted(object, { id, deleted: false, actor })
  return [
    [`create${one}`, mutation('update', (args, actor) => create(records, object, { data: args['data'], args, actor }))],
    [
      `create${many}`,
      mutation('update', (args, actor) => listOf(args['data']).map((data) => create(records, object, { data, args, actor }))),
    ],
    [`update${one}`, mutation('update', (args, actor) => records.update(object, { id: args['id'], data: objectOf(args['data']), actor }))],
    [
      `update${many}`,
      mutation(
        'update',
        each((id, args, actor) => records.update(object, { id, data: objectOf(args['data']), actor })),
      ),
    ],
    [`delete${one}`, mutation('softDelete', (args, actor) => remove(args['id'], actor))],
    [
      `delete${many}`,
      mutation(
        'softDelete',
        each((id, _args, actor) => remove(id, actor)),
      ),
    ],
    [`restore${one}`, mutation('softDelete', (args, actor) => restore(args['id'], actor))],
    [
      `restore${many}`,
      mutation(
        'softDelete',
        each((id, _args, actor) => restore(id, actor)),
      ),
    ],
    [`destroy${one}`, mutation('destroy', (args, actor) => records.destroy(object, { id: args['id'], actor }))],
    [
      `destroy${many}`,
      mutation(
        'destroy',
        each((id, _args, actor) => records.destroy(object, { id, actor })),
      ),
    ],
  ]
}

type Creation = { readonly data: unknown; readonly args: JsonObject; readonly actor: Actor }

function create(records: Records, object: ObjectModel, { data, args, actor }: Creation): StoredRecord {
  return records.create(object, { data: objectOf(data), actor, upsert: args['upsert'] === true })
}

function requiredFilter(args: JsonObject): JsonObject {
  const { filter } = args
  if (isJsonObject(filter)) return filter
  throw badArguments('INVALID_QUERY_INPUT', 'Missing required argument: "filter" (ObjectFilter)')
}

function objectOf(value: unknown): JsonObject {
  return isJsonObject(value) ? value : {}
}

function listOf(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [value]
}
