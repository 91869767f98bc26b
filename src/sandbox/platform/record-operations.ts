import { capitalized, isJsonObject, type JsonObject } from './json.ts'
import type { ObjectModel } from './data-model.ts'
import { badArguments, internalError } from './errors.ts'
import { compileOrder, pageOf, parsePage } from './paging.ts'
import { checkComplexity, createShaper, type RecordShaper } from './record-shape.ts'
import { type StoredRecord, valueAt } from './record-table.ts'
import type { Actor, Records } from './records.ts'
import type { RootSelection } from './selections.ts'
import type { Version, WorkspaceModel } from './workspace-model.ts'

/** What an operation does to records; roles allow or deny these. */
export type RecordRight = 'read' | 'update' | 'softDelete' | 'destroy'

export type RecordOperation = {
  readonly kind: 'query' | 'mutation'
  readonly object: ObjectModel
  readonly right: RecordRight
  run(selection: RootSelection, actor: Actor): unknown
}

type Deps = { readonly model: WorkspaceModel; readonly records: Records; readonly version: Version; readonly shaper: RecordShaper }

/** Every root field of a workspace's record schema, by name: `lead`, `leads`, `leadsGroupBy`, `createLead`, `updateLeads`, ... */
export function recordOperations(options: Omit<Deps, 'shaper'>): ReadonlyMap<string, RecordOperation> {
  const deps: Deps = { ...options, shaper: createShaper(options.model, options.records) }
  return new Map(options.model.objects().flatMap((object) => [...queriesOf(deps, object), ...mutationsOf(deps, object)]))
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
    [object.nameSingular, query(({ args, parts }) => shaper.node(object, records.findOne(object, requiredFilter(args)), parts))],
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
  type Act = (id: unknown, args: JsonObject, actor: Actor) => StoredRecord
  const each = (act: Act, withDeleted?: boolean) => (args: JsonObject, actor: Actor) =>
    records.find(object, requiredFilter(args), withDeleted).map(({ id }) => act(id, args, actor))
  const update: Act = (id, { data }, actor) => records.update(object, { id, data: objectOf(data), actor })
  const updateMany = (args: JsonObject, actor: Actor) => {
    if (deps.version === '1.3' && object.isCustom) throw internalError(`missing FROM-clause entry for table "_${object.nameSingular}"`)
    return each(update)(args, actor)
  }
  const remove: Act = (id, _args, actor) => records.setDeleted(object, { id, deleted: true, actor })
  const restore: Act = (id, _args, actor) => records.setDeleted(object, { id, deleted: false, actor })
  const destroy: Act = (id, _args, actor) => records.destroy(object, { id, actor })
  const create = ({ data, upsert }: JsonObject, actor: Actor) =>
    records.create(object, { data: objectOf(data), actor, upsert: upsert === true })
  const createMany = ({ data, upsert }: JsonObject, actor: Actor) =>
    records.createMany(object, { data: listOf(data).map(objectOf), actor, upsert: upsert === true })
  return [
    [`create${one}`, mutation('update', create)],
    [`create${many}`, mutation('update', createMany)],
    [`update${one}`, mutation('update', (args, actor) => update(args['id'], args, actor))],
    [`update${many}`, mutation('update', updateMany)],
    [`delete${one}`, mutation('softDelete', (args, actor) => remove(args['id'], args, actor))],
    [`delete${many}`, mutation('softDelete', each(remove))],
    [`restore${one}`, mutation('softDelete', (args, actor) => restore(args['id'], args, actor))],
    [`restore${many}`, mutation('softDelete', each(restore, true))],
    [`destroy${one}`, mutation('destroy', (args, actor) => destroy(args['id'], args, actor))],
    [`destroy${many}`, mutation('destroy', each(destroy, true))],
  ]
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
