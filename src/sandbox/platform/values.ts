import { type FieldUse, type ObjectModel, optionsOf } from './data-model.ts'
import { writtenParts } from './composite-kinds.ts'
import { badArguments, crash, platformError } from './errors.ts'
import { unknownField } from './filters.ts'
import { isJsonObject, isUuid, type JsonObject } from './json.ts'
import { documentOf, invalidDocument, type Place, scalarKinds } from './scalar-kinds.ts'

/** Finds the live record that a new relation points at. */
type FindTarget = (object: string, id: string) => unknown

type Input = { readonly data: JsonObject; readonly target: FindTarget }

/** Checks the input of a create or update and gives the values as records hold them. */
export function normalizeInput(object: ObjectModel, uses: ReadonlyMap<string, FieldUse>, input: Input): JsonObject {
  const values: JsonObject = {}
  for (const [name, value] of Object.entries(input.data)) {
    const use = uses.get(name)
    if (!use || use.kind === 'toMany') throw unknownField(object, name, 'INVALID_ARGS_DATA')
    if (value === undefined) continue
    if (use.kind === 'toOne') Object.assign(values, relatedId(name, use, input))
    else values[name] = written(name, use, value)
  }
  return values
}

function written(name: string, use: Exclude<FieldUse, { kind: 'toOne' | 'toMany' }>, value: unknown): unknown {
  const place: Place = { path: name, subCode: 'INVALID_ARGS_DATA', options: optionsOf(use.field) }
  if (use.kind === 'composite') return writtenComposite(use, value, place)
  const type = use.kind === 'joinColumn' ? 'UUID' : use.type
  if (value === null && type !== 'POSITION') return null
  // The id of a new record is refused in other words than ids elsewhere.
  if (name === 'id' && value !== '' && !isUuid(value)) {
    throw badArguments('INVALID_QUERY_INPUT', `Value "${String(value)}" is not a valid UUID`, 'Invalid UUID format.')
  }
  return scalarKinds[type].write(value, place)
}

function writtenComposite({ type }: FieldUse & { kind: 'composite' }, value: unknown, place: Place): JsonObject | null {
  if (value === null) {
    if (type === 'RICH_TEXT') throw crash("Cannot read properties of null (reading 'blocknote')")
    return null
  }
  const parts = isJsonObject(value) ? documentOf(value, place) : invalidDocument(value, place)
  return writtenParts(type, { ...parts }, place)
}

/** `{ connect: { where: { id } } }` or `{ disconnect: true }`; an empty `connect` changes nothing. */
function relatedId(name: string, use: FieldUse & { kind: 'toOne' }, { data, target }: Input): JsonObject {
  const { [name]: value, [use.joinColumn]: id } = data
  if (id !== undefined) throw refused(`${name} and ${use.joinColumn} cannot be both provided.`)
  if (!isJsonObject(value) || !('connect' in value || 'disconnect' in value)) {
    throw badArguments('INVALID_ARGS_DATA', `Relation "${name}" requires connect or disconnect operation`)
  }
  if ('connect' in value && value['disconnect'] === true) {
    throw refused('Cannot have both connect and disconnect for the same field on undefined.', 'This connection is not allowed.')
  }
  if (!('connect' in value)) return { [use.joinColumn]: null }
  const where = isJsonObject(value['connect']) && isJsonObject(value['connect']['where']) ? value['connect']['where'] : {}
  if (Object.keys(where).length === 0) return {}
  if (where['id'] === undefined) {
    const rule = 'Missing required fields: at least one unique constraint have to be fully populated for '
    throw refused(`${rule}'${name}'.`, `${rule}{connectFieldName}.`)
  }
  const found = String(scalarKinds.UUID.write(where['id'], { path: name, subCode: 'INVALID_ARGS_DATA' }))
  if (target(use.target, found) !== undefined) return { [use.joinColumn]: found }
  const friendly = `Can't connect to ${name}. No unique record found with condition: id = ${found}`
  throw refused(`Expected 1 record to connect to ${name}, but found 0 for id = ${found}`, friendly)
}

function refused(message: string, friendly = message): Error {
  return platformError(message, 'BAD_USER_INPUT', { friendly })
}
