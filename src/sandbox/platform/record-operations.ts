import { capitalized, isJsonObject, type JsonObject } from './json.ts'
import type { ObjectModel } from './data-model.ts'
import { badArguments, internalError, notInSandbox } from './errors.ts'
import { namesDeletedAt } from './filters.ts'
import { compileOrder, pageOf, parsePage } from './paging.ts'
import { checkArguments, requiredId, requiredObject, requiredRows } from './record-arguments.ts'
import { checkComplexity, createShaper, type RecordShaper } from './record-shape.ts'
import type { StoredRecord } from './record-table.ts'
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

function queriesOf({ model, records, shaper }: Deps, object: ObjectModel): Named[] {
  const query = (run: RecordOperation['run']): RecordOperation => ({ kind: 'query', object, right: 'read', run })
  const missing = (what: string): RecordOperation =>
    query(() => {
      throw notInSandbox(what)
    })
  const findOne: RecordOperation['run'] = ({ args, parts }) => {
    checkArguments(args, [], ['filter'])
    checkComplexity(model, object, parts)
    const { filter } = args
    if (!isJsonObject(filter) || Object.keys(filter).length === 0) throw badArguments('INVALID_QUERY_INPUT', 'Missing filter argument')
    return shaper.node(object, records.findOne(object, filter), parts)
  }
  const findMany: RecordOperation['run'] = ({ args, parts }) => {
    checkArguments(args, [], ['filter', 'orderBy', 'first', 'last', 'offset', 'after', 'before'])
    checkComplexity(model, object, parts)
    const page = parsePage(args)
    const order = compileOrder({ model, read: records.read }, object, args['orderBy'])
    const found = records.find(object, isJsonObject(args['filter']) ? args['filter'] : {})
    const isField = (name: string): boolean => model.uses(object).has(name)
    return shaper.connection(object, { ...pageOf(found, { order, page, isField }), totalCount: () => found.length, order }, parts)
  }
  return [
    [object.nameSingular, query(findOne)],
    [object.namePlural, query(findMany)],
    [`${object.namePlural}GroupBy`, missing('Grouping of records')],
    [`${object.nameSingular}Duplicates`, missing('The search for duplicates')],
  ]
}

function mutationsOf(deps: Deps, object: ObjectModel): Named[] {
  const { records, shaper } = deps
  const one = capitalized(object.nameSingular)
  const many = capitalized(object.namePlural)
  type Act = (id: string, args: JsonObject, actor: Actor) => StoredRecord
  const mutation = (right: RecordRight, run: (args: JsonObject, actor: Actor) => StoredRecord | StoredRecord[]): RecordOperation => ({
    kind: 'mutation',
    object,
    right,
    run({ args, parts }, actor) {
      const result = run(args, actor)
      return Array.isArray(result) ? result.map((record) => shaper.node(object, record, parts)) : shaper.node(object, result, parts)
    },
  })
  const create = (args: JsonObject, actor: Actor): StoredRecord => {
    checkArguments(args, ['data'], ['upsert'])
    return records.create(object, { data: requiredObject(args, 'data'), actor, upsert: args['upsert'] === true })
  }
  const createMany = (args: JsonObject, actor: Actor): StoredRecord[] => {
    checkArguments(args, ['data'], ['upsert'])
    return records.createMany(object, { data: requiredRows(args), actor, upsert: args['upsert'] === true })
  }
  /** The two operations of a verb: on one id, and on all that a filter finds. Soft-deleted records count, unless the filter names `deletedAt`. */
  const onRecords = (verb: string, { right, more = [] }: { right: RecordRight; more?: readonly string[] }, act: Act): Named[] => {
    const onOne = (args: JsonObject, actor: Actor): StoredRecord => {
      checkArguments(args, ['id', ...more], [])
      return act(requiredId(args), args, actor)
    }
    const onMany = (args: JsonObject, actor: Actor): StoredRecord[] => {
      checkArguments(args, ['filter', ...more], [])
      const filter = requiredObject(args, 'filter')
      if (verb === 'update') refuseUpdate(deps, object)
      return records.find(object, filter, !namesDeletedAt(filter)).map(({ id }) => act(id, args, actor))
    }
    return [
      [`${verb}${one}`, mutation(right, onOne)],
      [`${verb}${many}`, mutation(right, onMany)],
    ]
  }
  return [
    [`create${one}`, mutation('update', create)],
    [`create${many}`, mutation('update', createMany)],
    ...onRecords('update', { right: 'update', more: ['data'] }, (id, args, actor) =>
      records.update(object, { id, data: requiredObject(args, 'data'), actor }),
    ),
    ...onRecords('delete', { right: 'softDelete' }, (id, _args, actor) => records.setDeleted(object, { id, deleted: true, actor })),
    ...onRecords('restore', { right: 'softDelete' }, (id, _args, actor) => records.setDeleted(object, { id, deleted: false, actor })),
    ...onRecords('destroy', { right: 'destroy' }, (id, _args, actor) => records.destroy(object, { id, actor })),
  ]
}

/** Version 1.3 cannot update several records of a custom object. */
function refuseUpdate({ version }: Deps, { isCustom, nameSingular }: ObjectModel): void {
  if (version === '1.3' && isCustom) throw internalError(`missing FROM-clause entry for table "_${nameSingular}"`)
}
