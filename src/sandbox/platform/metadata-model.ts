import { z } from 'zod'
import { newId } from '../ids.ts'
import { requireSettings, requireWorkspace } from './callers.ts'
import { type FieldModel, type ObjectModel, optionSchema } from './data-model.ts'
import { internalError, notInSandbox, platformError } from './errors.ts'
import { fieldTypes } from './field-types.ts'
import { capitalized, isJsonObject } from './json.ts'
import type { MetadataResolvers } from './metadata-context.ts'
import { checkField, checkObject, takenFaults, validationFailed } from './model-rules.ts'
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
  isNullable: z
    .boolean()
    .nullish()
    .transform((value) => value ?? true),
  isUnique: z
    .boolean()
    .nullish()
    .transform((value) => value ?? false),
  defaultValue: z
    .unknown()
    .optional()
    .transform((value) => value ?? null),
  options: z
    .array(optionSchema.extend({ id: z.string().default(newId) }))
    .nullish()
    .transform((value) => value ?? null),
  settings: z
    .unknown()
    .optional()
    .transform((value) => value ?? null),
  relationCreationPayload: z.looseObject({ type: z.string(), targetObjectMetadataId: z.string(), targetFieldLabel: z.string() }).nullish(),
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
    const object = workspace.model.objectById(idOf(args))
    if (object) return objectView(workspace, object)
    const message = `Unable to find ObjectMetadataEntity with id: ${idOf(args)}`
    throw platformError(message, 'NOT_FOUND', { response: { message, error: 'Not Found', statusCode: 404 } })
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
    const found = fieldById(workspace, idOf(args))
    if (!found) throw internalError('Field metadata not found')
    return fieldView(workspace, found.object, found.field)
  },
  createOneObject(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { object: input } = z.object({ input: z.object({ object: objectInput }) }).parse(args).input
    checkObject(workspace.model.objects(), input)
    const object = workspace.model.addObject({
      ...input,
      labelSingular: capitalized(input.labelSingular),
      labelPlural: capitalized(input.labelPlural),
      description: input.description ?? '',
      icon: input.icon ?? 'IconListNumbers',
      isCustom: true,
      hasActivity: true,
    })
    return objectView(workspace, object)
  },
  createOneField(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const { type } = z.object({ input: z.object({ field: z.object({ type: z.string() }) }) }).parse(args).input.field
    if (!fieldTypes.some((known) => known === type)) throw notInSandbox(`A field of the type ${type}`)
    const { field: input } = z.object({ input: z.object({ field: fieldInput }) }).parse(args).input
    const object = workspace.model.objectById(input.objectMetadataId)
    if (!object) throw internalError('Object metadata not found')
    checkField(object, input)
    return fieldView(workspace, object, addField(workspace, object, input))
  },
  updateOneObject(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    if (workspace.model.objectById(inputIdOf(args))) throw notInSandbox('Changing an object')
    const subCode = 'OBJECT_METADATA_NOT_FOUND'
    throw platformError('Object to update not found', 'NOT_FOUND', { subCode, friendly: 'Object not found.' })
  },
  updateOneField(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    if (fieldById(workspace, inputIdOf(args))) throw notInSandbox('Changing a field')
    throw platformError('Validation errors occurred while updating field', 'METADATA_VALIDATION_FAILED')
  },
  deleteOneObject(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const object = workspace.model.objectById(inputIdOf(args))
    if (!object) throw internalError('Could not find flat entity in maps')
    if (!object.isCustom) throw notInSandbox('Deleting a standard object')
    const view = objectView(workspace, object)
    workspace.model.removeObject(object)
    return view
  },
  deleteOneField(args, { caller }) {
    const { workspace } = requireSettings(requireWorkspace(caller))
    const found = fieldById(workspace, inputIdOf(args))
    if (!found) throw internalError('Could not find flat entity in maps')
    if (found.field.isSystem || found.field.relation) throw notInSandbox('Deleting a system field or a relation')
    workspace.model.removeField(found.object, found.field)
    return fieldView(workspace, found.object, found.field)
  },
}

function addField(workspace: LiveWorkspace, object: ObjectModel, given: FieldInput): FieldModel {
  const { relationCreationPayload: relation, objectMetadataId: _object, ...input } = given
  if (!relation) return workspace.model.addField(object, input)
  const { name, label } = input
  const target = workspace.model.objectById(relation.targetObjectMetadataId)
  const backName = camelCase(relation.targetFieldLabel)
  if (!target) throw platformError('Object metadata relation target not found for relation creation payload', 'METADATA_VALIDATION_FAILED')
  const faults = takenFaults(target, backName)
  if (faults.length > 0) throw validationFailed('fieldMetadata', faults, { name: backName, objectMetadataUniversalIdentifier: target.id })
  if (relation.type === 'MANY_TO_ONE') return workspace.model.addRelation(object, { name, label, target, backName })
  const back = { name: backName, label: relation.targetFieldLabel }
  return workspace.model.addRelation(target, { ...back, target: object, backName: name, backLabel: label })
}

/** `Visit slots` -> `visitSlots`. */
function camelCase(label: string): string {
  return label
    .trim()
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+(.?)/g, (_gap, initial: string) => initial.toUpperCase())
}

function fieldById(workspace: LiveWorkspace, id: string): { readonly object: ObjectModel; readonly field: FieldModel } | null {
  for (const object of workspace.model.objects()) {
    const field = object.fields.find((known) => known.id === id)
    if (field) return { object, field }
  }
  return null
}

function inputIdOf(args: unknown): string {
  return z.object({ input: z.object({ id: z.string() }) }).parse(args).input.id
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
