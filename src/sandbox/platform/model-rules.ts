import { newId } from '../ids.ts'
import { compositeKinds } from './composite-kinds.ts'
import { type FieldModel, joinColumnOf, type ObjectModel } from './data-model.ts'
import { badArgument, platformError, type PlatformError } from './errors.ts'
import { type FieldType, isComposite } from './field-types.ts'
import { capitalized } from './json.ts'

/** One reason for which the platform refuses an object or a field. */
type Fault = { readonly code: string; readonly message: string; readonly userFriendlyMessage?: string; readonly value?: unknown }

const maxNameLength = 63
const reserved = new Set(
  ['address', 'field', 'index', 'link', 'object', 'plan', 'role', 'search', 'user', 'workspace'].flatMap((name) => [
    name,
    `${name}${/[sxh]$/.test(name) ? 'es' : 's'}`,
  ]),
)

function nameFaults(name: string, code: string): readonly Fault[] {
  const fault = (message: string): Fault[] => [{ code, message, value: name }]
  if (!/^[a-z][a-zA-Z0-9]*$/.test(name)) {
    return fault('Name is not valid: it must start with lowercase letter and contain only alphanumeric letters')
  }
  if (name.length > maxNameLength) return fault('Name is too long')
  return reserved.has(name) ? fault('This name is reserved. Use a different name or the system will add "Custom" suffix.') : []
}

export type ObjectNames = Readonly<Record<'nameSingular' | 'namePlural' | 'labelSingular' | 'labelPlural', string>>

/** Throws what the platform's checks of a new object find. */
export function checkObject(objects: readonly ObjectModel[], names: ObjectNames): void {
  for (const [part, text] of Object.entries(names)) if (text === '') throw badArgument(`${part} should not be empty`)
  const { nameSingular, namePlural } = names
  const code = 'INVALID_OBJECT_INPUT'
  const same = { code, message: 'The singular and plural names cannot be the same for an object', value: nameSingular }
  const taken = new Set(objects.flatMap((object) => [object.nameSingular, object.namePlural]))
  const faults = [
    ...[nameSingular, namePlural].flatMap((name) => nameFaults(name, code)),
    ...(nameSingular === namePlural ? [same] : []),
    ...(taken.has(nameSingular) || taken.has(namePlural) ? [{ code: 'OBJECT_ALREADY_EXISTS', message: 'Object already exists' }] : []),
  ]
  if (faults.length > 0) throw validationFailed('objectMetadata', faults, { nameSingular, namePlural })
}

type NewField = Pick<FieldModel, 'name' | 'label' | 'type' | 'options' | 'defaultValue' | 'isNullable'>

/** Throws what the platform's checks of a new field find. */
export function checkField(object: ObjectModel, field: NewField): void {
  const { name, label, type } = field
  if (label === '') throw badArgument('label should not be empty')
  if (['and', 'or', 'not'].includes(name)) throw badArgument('name has failed the name validation check')
  const faults = [...nameFaults(name, 'INVALID_FIELD_INPUT'), ...takenFaults(object, name), ...valueFaults(field)]
  if (faults.length > 0) throw validationFailed('fieldMetadata', faults, { name, objectMetadataUniversalIdentifier: object.id })
  if (!field.isNullable && field.defaultValue === null && type !== 'BOOLEAN') {
    const message = `Migration action 'create' for 'fieldMetadata' (universalIdentifier: ${newId()}) failed`
    throw platformError(message, 'INTERNAL_SERVER_ERROR', { friendly: 'Migration execution failed.' })
  }
}

export function takenFaults({ fields }: ObjectModel, name: string): readonly Fault[] {
  const used = `Name "${name}" is not available as it is already used by another`
  const isJoinColumn = fields.some((field) => field.relation?.type === 'MANY_TO_ONE' && joinColumnOf(field.name) === name)
  if (fields.some((field) => field.name === name)) return [{ code: 'NOT_AVAILABLE', message: `${used} field`, value: name }]
  if (isJoinColumn) return [{ code: 'NOT_AVAILABLE', message: `${used} join column name`, value: name }]
  const isPart = fields.some((field) => partNames(field).includes(name))
  return isPart ? [{ code: 'RESERVED_KEYWORD', message: `Name "${name}" is reserved composite field name`, value: name }] : []
}

function partNames({ name, type }: FieldModel): readonly string[] {
  return isComposite(type) ? Object.keys(compositeKinds[type].parts).map((part) => `${name}${capitalized(part)}`) : []
}

const notForFields: Partial<Record<FieldType, string>> = {
  NUMERIC: 'Field type NUMERIC is not supported for field creation. Use NUMBER instead.',
  POSITION: 'Field type POSITION must be a system field',
  TS_VECTOR: 'TS Vector is not supported for field creation',
}

function valueFaults({ type, options, defaultValue }: NewField): readonly Fault[] {
  const fault = (message: string, value: unknown): Fault[] => [{ code: 'INVALID_FIELD_INPUT', message, value }]
  const refusal = notForFields[type]
  if (refusal !== undefined) return fault(refusal, type)
  if (type !== 'SELECT' && type !== 'MULTI_SELECT') return []
  const values = (options ?? []).map(({ value }) => value)
  if (values.length === 0) return fault('Options are required for enum fields', [])
  if (new Set(values).size < values.length) return fault('Duplicated option value', options)
  if (type !== 'SELECT' || typeof defaultValue !== 'string') return []
  if (!/^'.*'$/.test(defaultValue)) return fault('Default value should be as quoted string', defaultValue)
  const isKnown = values.includes(defaultValue.slice(1, -1))
  return isKnown ? [] : fault(`Default value "${defaultValue}" must be one of the option values`, defaultValue)
}

const createdKinds = { objectMetadata: 'object', fieldMetadata: 'fields', role: 'role' } as const

/** The platform reports what hangs on the refused object or field too (views, indexes); the stand-in reports the cause alone. */
export function validationFailed(
  kind: keyof typeof createdKinds,
  faults: readonly Fault[],
  names: Readonly<Record<string, string>>,
): PlatformError {
  const entry = {
    status: 'fail',
    errors: faults.map((fault) => ({ userFriendlyMessage: fault.message, ...fault })),
    flatEntityMinimalInformation: { universalIdentifier: newId(), ...names },
    metadataName: kind,
    type: 'create',
  }
  return platformError(`Multiple validation errors occurred while creating ${createdKinds[kind]}`, 'METADATA_VALIDATION_FAILED', {
    errors: { [kind]: [entry] },
    summary: { totalErrors: 1, [kind]: 1 },
    message: `Validation failed for 1 ${kind}`,
    friendly: (kind === 'role' && faults[0]?.userFriendlyMessage) || 'Many validation errors',
  })
}
