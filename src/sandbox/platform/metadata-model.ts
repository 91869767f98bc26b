import { z } from 'zod'
import { newId } from '../ids.ts'
import { requireSettings, requireWorkspace } from './callers.ts'
import type { FieldModel, ObjectModel } from './data-model.ts'
import { internalError, platformError, type PlatformError } from './errors.ts'
import { fieldTypes } from './field-types.ts'
import { isJsonObject } from './json.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { connectionView, fieldView, objectView, pageSizeOf, workspaceOf } from './metadata-views.ts'
import type { LiveWorkspace } from './fixtures.ts'

const text = z.string().nullish()
const objectInput = z.object({
  nameSingular: z.string(),
  namePlural: z.string(),
  labelSingular: z.string(),
  labelPlural: z.string(),
  description: text,
  icon: text,
})
const fieldInput = z.object({
  objectMetadataId: z.string(),
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  isNullable: z.boolean().nullish(),
  isUnique: z.boolean().nullish(),
  defaultValue: z.unknown().optional(),
  options: z
    .array(z.object({ id: z.string().default(newId), value: z.string(), label: z.string(), color: z.string(), position: z.number() }))
    .nullish(),
  relationCreationPayload: z.object({ type: z.string(), targetObjectMetadataId: z.string(), targetFieldLabel: z.string() }).nullish(),
})
type FieldInput = z.output<typeof fieldInput>

/** The data model: objects and fields; creating one changes the workspace's record schema at once. */
export const modelResolvers: MetadataResolvers = {
  objects(args, { caller }) {
    const workspace = workspaceOf(caller)
    const rows = workspace.model.objects().filter((object) => isWanted(args, object.id))
    return connectionView(
      rows.map((object) => objectView(workspace, object)),
      pageSizeOf(args),
    )
  },
  object(args, { caller }) {
    const workspace = workspaceOf(caller)
    return objectView(workspace, requireObject(workspace, idOf(args)))
  },
  fields(args, { caller }) {
    const workspace = workspaceOf(caller)
    const rows = workspace.model
      .objects()
      .flatMap((object) =>
        object.fields.filter((field) => isWanted(args, field.id, object.id)).map((field) => fieldView(workspace, object, field)),
      )
    return connectionView(rows, pageSizeOf(args))
  },
  field(args, { caller }) {
    const workspace = workspaceOf(caller)
    for (const object of workspace.model.objects()) {
      const field = object.fields.find(({ id }) => id === idOf(args))
      if (field) return fieldView(workspace, object, field)
    }
    throw internalError('Field metadata not found')
  },
  createOneObject(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { object: input } = z.object({ input: z.object({ object: objectInput }) }).parse(args).input
    requireObjectNames(input)
    requireFreeObject(workspace, input)
    const object = workspace.model.addObject({
      ...input,
      description: input.description ?? '',
      icon: input.icon ?? 'IconListNumbers',
      isCustom: true,
      hasActivity: true,
    })
    return objectView(workspace, object)
  },
  createOneField(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { field: input } = z.object({ input: z.object({ field: fieldInput }) }).parse(args).input
    const object = requireObject(workspace, input.objectMetadataId)
    requireFieldName(object, input.name)
    return fieldView(workspace, object, addField(workspace, object, input))
  },
}

function addField(workspace: LiveWorkspace, object: ObjectModel, input: FieldInput): FieldModel {
  const { relationCreationPayload: relation, name, label } = input
  if (relation) {
    const target = requireObject(workspace, relation.targetObjectMetadataId)
    return workspace.model.addRelation(object, { name, label, target, backName: camelCase(relation.targetFieldLabel) })
  }
  return workspace.model.addField(object, {
    name,
    label,
    type: input.type,
    isNullable: input.isNullable ?? true,
    isUnique: input.isUnique ?? false,
    defaultValue: input.defaultValue ?? null,
    options: input.options ?? null,
  })
}

/** `Visit slots` -> `visitSlots`. */
function camelCase(label: string): string {
  const [first = '', ...rest] = label
    .trim()
    .toLowerCase()
    .split(/[^a-z0-9]+/)
  return [first, ...rest.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join('')
}

function requireObject(workspace: LiveWorkspace, id: string): ObjectModel {
  const object = workspace.model.objectById(id)
  if (!object) throw internalError('Object metadata not found')
  return object
}

function requireFreeObject(workspace: LiveWorkspace, input: ObjectNames): void {
  const taken = new Set(workspace.model.objects().flatMap(({ nameSingular, namePlural }) => [nameSingular, namePlural]))
  if (!taken.has(input.nameSingular) && !taken.has(input.namePlural)) return
  const message = 'Object already exists'
  throw validationFailed('objectMetadata', {
    fault: { code: 'OBJECT_ALREADY_EXISTS', message, userFriendlyMessage: message },
    names: namesOf(input),
  })
}

type ObjectNames = { readonly nameSingular: string; readonly namePlural: string }

function namesOf({ nameSingular, namePlural }: ObjectNames): ObjectNames {
  return { nameSingular, namePlural }
}

const nameForm = /^[a-z][a-zA-Z0-9]*$/
const nameRule = 'Name is not valid: it must start with lowercase letter and contain only alphanumeric letters'

function requireObjectNames(input: ObjectNames): void {
  const value = [input.nameSingular, input.namePlural].find((name) => !nameForm.test(name))
  if (value === undefined) return
  const fault = { code: 'INVALID_OBJECT_INPUT', message: nameRule, userFriendlyMessage: nameRule, value }
  throw validationFailed('objectMetadata', { fault, names: namesOf(input) })
}

function requireFieldName(object: ObjectModel, name: string): void {
  const taken = `Name "${name}" is not available as it is already used by another field`
  const fault = !nameForm.test(name)
    ? { code: 'INVALID_FIELD_INPUT', message: nameRule }
    : object.fields.some((field) => field.name === name)
      ? { code: 'NOT_AVAILABLE', message: taken }
      : null
  if (!fault) return
  const names = { name, objectMetadataUniversalIdentifier: object.id }
  throw validationFailed('fieldMetadata', { fault: { ...fault, userFriendlyMessage: fault.message, value: name }, names })
}

type Fault = { readonly fault: Readonly<Record<string, string>>; readonly names: Readonly<Record<string, string>> }

/** The platform reports what hangs on the refused object or field too (views, indexes); the stand-in reports the cause alone. */
function validationFailed(kind: 'objectMetadata' | 'fieldMetadata', { fault, names }: Fault): PlatformError {
  const what = kind === 'objectMetadata' ? 'object' : 'fields'
  const entry = {
    status: 'fail',
    errors: [fault],
    flatEntityMinimalInformation: { universalIdentifier: newId(), ...names },
    metadataName: kind,
    type: 'create',
  }
  return platformError(`Multiple validation errors occurred while creating ${what}`, 'METADATA_VALIDATION_FAILED', {
    errors: { [kind]: [entry] },
    summary: { totalErrors: 1, [kind]: 1 },
    message: `Validation failed for 1 ${kind}`,
    friendly: 'Many validation errors',
  })
}

function idOf(args: unknown): string {
  return z.object({ id: z.string() }).parse(args).id
}

/** `filter: { id: { eq | in }, objectMetadataId: { eq } }`; every object and field is active. */
function isWanted(args: unknown, id: string, objectId?: string): boolean {
  const filter = isJsonObject(args) && isJsonObject(args['filter']) ? args['filter'] : {}
  const fits = (condition: unknown, value: string): boolean => {
    if (!isJsonObject(condition)) return true
    const { eq, in: among } = condition
    return (eq === undefined || eq === value) && (!Array.isArray(among) || among.includes(value))
  }
  return fits(filter['id'], id) && (objectId === undefined || fits(filter['objectMetadataId'], objectId))
}
