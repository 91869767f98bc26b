import type { FieldUse, ObjectModel } from './data-model.ts'
import { badArguments } from './errors.ts'
import { composites } from './field-types.ts'
import { isJsonObject, type JsonObject, textOf } from './json.ts'
import { compileOperator, type Verdict } from './operators.ts'
import { type FieldPath, type StoredRecord, valueAt } from './record-table.ts'
import type { WorkspaceModel } from './workspace-model.ts'

/** Reads a related record; filters over relations need it. */
export type ReadRecord = (object: string, id: string) => StoredRecord | undefined

/** True, false, or null if the result in SQL is unknown. */
type Predicate = (record: StoredRecord) => Verdict

export type FilterScope = { readonly model: WorkspaceModel; readonly read: ReadRecord }

/** Compiles a filter of one object. Throws the platform's errors for unknown fields and operators and for bad values. */
export function compileFilter(scope: FilterScope, object: ObjectModel, filter: JsonObject): Predicate {
  const parts = Object.entries(filter)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => compileMember(scope, object, [name, value]))
  return all(parts)
}

function compileMember(scope: FilterScope, object: ObjectModel, [name, value]: readonly [string, unknown]): Predicate {
  if (name === 'and') return all(listOf(value).map((part) => compileFilter(scope, object, part)))
  if (name === 'or') return any(listOf(value).map((part) => compileFilter(scope, object, part)))
  if (name === 'not') return negated(compileFilter(scope, object, isJsonObject(value) ? value : {}))
  const use = scope.model.uses(object).get(name)
  if (!use || use.kind === 'toMany') throw unknownField(object, name)
  return compileUse(scope, { name, use, condition: isJsonObject(value) ? value : {} })
}

type Condition = { readonly name: string; readonly use: FieldUse; readonly condition: JsonObject }

function compileUse(scope: FilterScope, { name, use, condition }: Condition): Predicate {
  switch (use.kind) {
    case 'scalar':
      return compileOperators([name], use.type, condition)
    case 'joinColumn':
      return compileOperators([name], 'UUID', condition)
    case 'composite':
      return all(Object.entries(condition).map(([part, operators]) => compilePart(name, [part, operators], use)))
    case 'toOne':
    case 'toMany':
      return compileRelation(scope, use, condition)
  }
}

function compilePart(name: string, [part, operators]: readonly [string, unknown], use: FieldUse & { kind: 'composite' }): Predicate {
  const known = composites[use.type].parts[part]
  if (!known) {
    throw badArguments('INVALID_ARGS_FILTER', `Sub field "${part}" not found for composite type: ${use.type}`)
  }
  return compileOperators([name, part], known.type, isJsonObject(operators) ? operators : {})
}

function compileRelation(scope: FilterScope, use: FieldUse & { kind: 'toOne' | 'toMany' }, condition: JsonObject): Predicate {
  const target = scope.model.object(use.target)
  if (!target) return () => false
  const matches = compileFilter(scope, target, condition)
  return (record) => {
    const id = record[use.joinColumn]
    const related = typeof id === 'string' ? scope.read(use.target, id) : undefined
    return related && related.deletedAt === null ? matches(related) : null
  }
}

function compileOperators(path: FieldPath, type: Parameters<typeof compileOperator>[0]['type'], condition: JsonObject): Predicate {
  const name = path.join('.')
  const given = Object.entries(condition).filter(([, operand]) => operand !== undefined)
  const tests = given.map(([operator, operand]) => compileOperator({ name, type, operator, operand }))
  return (record) => {
    const value = valueAt(record, path)
    let verdict: Verdict = true
    for (const test of tests) verdict = both(verdict, test(value))
    return verdict
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

function listOf(value: unknown): JsonObject[] {
  return (Array.isArray(value) ? value : [value]).filter(isJsonObject)
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

/** An equality that narrows a filter by an index, or null. */
export function indexableEquality(uses: ReadonlyMap<string, FieldUse>, filter: JsonObject): Equality | null {
  for (const [name, value] of Object.entries(filter)) {
    if (name === 'and') {
      for (const part of listOf(value)) {
        const found = indexableEquality(uses, part)
        if (found) return found
      }
    }
    const use = uses.get(name)
    if (!use || !isJsonObject(value)) continue
    const found = use.kind === 'composite' ? partEquality(name, value) : equality(use, [name], value)
    if (found) return found
  }
  return null
}

function partEquality(name: string, value: JsonObject): Equality | null {
  for (const [part, condition] of Object.entries(value)) {
    if (isJsonObject(condition) && typeof condition['eq'] === 'string' && condition['eq'] !== '') {
      return { path: [name, part], values: [condition['eq']] }
    }
  }
  return null
}

function equality(use: FieldUse, path: FieldPath, { eq, in: among }: JsonObject): Equality | null {
  const isIdentity = use.kind === 'joinColumn' || (use.kind === 'scalar' && use.type === 'UUID')
  const isText = use.kind === 'scalar' && (use.type === 'TEXT' || use.type === 'SELECT')
  if (!isIdentity && !isText) return null
  const operands: unknown[] = eq === undefined && Array.isArray(among) ? among : [eq]
  const values = operands.filter((value) => typeof value === 'string' && value !== '').map(textOf)
  if (values.length === 0 || values.length < operands.length) return null
  return { path, values: isIdentity ? values.map((value) => value.toLowerCase()) : values }
}
