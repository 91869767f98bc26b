import { compositeKinds } from './composite-kinds.ts'
import { type FieldUse, type ObjectModel, optionsOf, tableOf } from './data-model.ts'
import { badArguments, crash } from './errors.ts'
import type { ScalarType } from './field-types.ts'
import { isJsonObject, type JsonObject, textOf } from './json.ts'
import { compileCondition, type Verdict } from './operators.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'
import type { Place } from './scalar-kinds.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** Reads a related record; filters over relations need it. */
export type ReadRecord = (object: string, id: string) => StoredRecord | undefined

/** True, false, or null if the result in SQL is unknown. */
type Predicate = (record: StoredRecord) => Verdict

export type FilterScope = { readonly model: WorkspaceModel; readonly read: ReadRecord }

/** Compiles a filter of one object. Throws the platform's errors for unknown fields and operators and for bad values. */
export function compileFilter(scope: FilterScope, object: ObjectModel, filter: unknown): Predicate {
  if (filter === null || filter === undefined) throw crash('Cannot convert undefined or null to object')
  return all(Object.entries(filter).map(([name, value]) => compileMember(scope, object, [name, value])))
}

function compileMember(scope: FilterScope, object: ObjectModel, [name, value]: readonly [string, unknown]): Predicate {
  if (name === 'and') return all(partsOf(value).map((part) => compileFilter(scope, object, part)))
  if (name === 'or') return any(partsOf(value).map((part) => compileFilter(scope, object, part)))
  if (name === 'not') return negated(compileFilter(scope, object, value))
  const use = scope.model.uses(object).get(name)
  if (!use) throw unknownField(object, name)
  switch (use.kind) {
    case 'scalar':
    case 'joinColumn':
      return compileScalar([name], scalarPlace(object, name, use), value)
    case 'composite':
      return compileComposite(name, use, value)
    case 'toOne':
      return compileRelation(scope, use, value)
    case 'toMany': {
      const friendly = `Invalid filter: filtering by relation field "${name}" is not supported`
      throw badArguments('INVALID_ARGS_FILTER', `Cannot filter by relation field "${name}"`, friendly)
    }
  }
}

type TypedPlace = Place & { readonly type: ScalarType }

function scalarPlace(object: ObjectModel, name: string, use: FieldUse & { kind: 'scalar' | 'joinColumn' }): TypedPlace {
  const enumName = `${tableOf(object)}_${name}_enum`
  const place = { path: name, subCode: 'INVALID_ARGS_FILTER', options: optionsOf(use.field), enumName } as const
  return { ...place, type: use.kind === 'scalar' ? use.type : 'UUID' }
}

function compileScalar(path: FieldPath, { type, ...place }: TypedPlace, condition: unknown): Predicate {
  const test = compileCondition(type, place, condition)
  return (record) => test(valueAt(record, path))
}

function compileComposite(name: string, use: FieldUse & { kind: 'composite' }, condition: unknown): Predicate {
  if (condition === null || condition === undefined) throw crash('Cannot convert undefined or null to object')
  const parts = Object.entries(condition).map(([part, operators]) => {
    const known = compositeKinds[use.type].parts[part]
    if (!known) throw badArguments('INVALID_ARGS_FILTER', `Sub field "${part}" not found for composite type: ${use.type}`)
    const { type, options = [] } = known
    const place: TypedPlace = { path: `${name}.${part}`, subCode: 'INVALID_ARGS_FILTER', options, enumName: `${part}_enum`, type }
    return compileScalar([name, part], place, operators)
  })
  return all(parts)
}

function compileRelation(scope: FilterScope, use: FieldUse & { kind: 'toOne' }, condition: unknown): Predicate {
  const target = scope.model.object(use.target)
  if (!target || !isJsonObject(condition)) {
    const message = `Cannot filter by relation field "${use.field.name}": use "${use.joinColumn}" instead`
    throw badArguments('INVALID_ARGS_FILTER', message, `Invalid filter: use "${use.joinColumn}" to filter by this relation field`)
  }
  if (Object.keys(condition).length === 0) return () => true
  const matches = compileFilter(scope, target, condition)
  return (record) => {
    const id = record[use.joinColumn]
    const related = typeof id === 'string' ? scope.read(use.target, id) : undefined
    return related && related.deletedAt === null ? matches(related) : null
  }
}

function both(left: Verdict, right: Verdict): Verdict {
  if (left === false || right === false) return false
  return left === null || right === null ? null : true
}

function all(parts: readonly Predicate[]): Predicate {
  const [first, second] = parts
  if (first && !second) return first
  return (record) => {
    let verdict: Verdict = true
    for (const part of parts) {
      verdict = both(verdict, part(record))
      if (verdict === false) return false
    }
    return verdict
  }
}

function any(parts: readonly Predicate[]): Predicate {
  if (parts.length === 0) return () => true
  return negated(all(parts.map(negated)))
}

function negated(part: Predicate): Predicate {
  return (record) => {
    const verdict = part(record)
    return verdict === null ? null : !verdict
  }
}

/** The parts of `and` and `or`. */
function partsOf(value: unknown): unknown[] {
  if (value === null || value === undefined)
    throw crash(`Cannot read properties of ${value === null ? 'null' : 'undefined'} (reading 'map')`)
  if (!Array.isArray(value)) throw crash('value.map is not a function')
  return value
}

export function unknownField(object: ObjectModel, name: string, subCode = 'INVALID_ARGS_FILTER'): Error {
  const message = `Object ${object.nameSingular} doesn't have any "${name}" field.`
  const friendly =
    subCode === 'INVALID_ARGS_FILTER' ? `Invalid filter : ${object.nameSingular} object doesn't have any "${name}" field.` : undefined
  return badArguments(subCode, message, friendly)
}

/** Soft-deleted records are seen only by a filter that names `deletedAt`, at any depth. */
export function namesDeletedAt(filter: JsonObject): boolean {
  return Object.entries(filter).some(([name, value]) => {
    if (name === 'deletedAt') return true
    const parts = Array.isArray(value) ? value : [value]
    return ['and', 'or', 'not'].includes(name) && parts.some((part) => isJsonObject(part) && namesDeletedAt(part))
  })
}

type Equality = { readonly path: FieldPath; readonly values: readonly unknown[] }

/** An equality that narrows a filter by an index, or null. The filter was compiled before. */
export function indexableEquality(uses: ReadonlyMap<string, FieldUse>, filter: JsonObject): Equality | null {
  for (const [name, value] of Object.entries(filter)) {
    const use = uses.get(name)
    const found =
      name === 'and' && Array.isArray(value)
        ? value.filter(isJsonObject).map((part) => indexableEquality(uses, part))
        : use?.kind === 'composite' && isJsonObject(value)
          ? Object.entries(value).map(([part, condition]) => equality([name, part], compositeKinds[use.type].parts[part]?.type, condition))
          : [equality([name], use?.kind === 'joinColumn' ? 'UUID' : use?.kind === 'scalar' ? use.type : undefined, value)]
    const first = found.find((each) => each !== null)
    if (first) return first
  }
  return null
}

function equality(path: FieldPath, type: ScalarType | undefined, condition: unknown): Equality | null {
  if ((type !== 'UUID' && type !== 'TEXT' && type !== 'SELECT') || !isJsonObject(condition)) return null
  const { eq, in: among } = condition
  const operands: unknown[] = Array.isArray(among) ? among : [eq]
  const values = operands.filter((value) => typeof value === 'string' && value !== '').map(textOf)
  if (values.length < operands.length) return null
  return { path, values: type === 'UUID' ? values.map((value) => value.toLowerCase()) : values }
}
