import { z } from 'zod'
import { newId } from '../ids.ts'
import { type CompositeType, fieldTypes, isComposite, type ScalarType } from './field-types.ts'
import { capitalized } from './json.ts'

export const optionSchema = z.object({ id: z.string(), value: z.string(), label: z.string(), color: z.string(), position: z.number() })
type SelectOption = z.output<typeof optionSchema>

const relationSchema = z.object({
  type: z.enum(['MANY_TO_ONE', 'ONE_TO_MANY']),
  /** The other object, by its singular name, and the field there. */
  target: z.string(),
  targetField: z.string(),
})

const fieldModelSchema = z.object({
  id: z.string(),
  name: z.string(),
  label: z.string(),
  type: z.enum(fieldTypes),
  isNullable: z.boolean(),
  isUnique: z.boolean(),
  isSystem: z.boolean(),
  defaultValue: z.unknown().optional(),
  options: z.array(optionSchema).nullable(),
  relation: relationSchema.nullable(),
  settings: z.unknown().optional(),
})
export type FieldModel = z.output<typeof fieldModelSchema>

export const objectModelSchema = z.object({
  id: z.string(),
  workspaceId: z.string(),
  nameSingular: z.string(),
  namePlural: z.string(),
  labelSingular: z.string(),
  labelPlural: z.string(),
  description: z.string(),
  icon: z.string(),
  isCustom: z.boolean(),
  isSystem: z.boolean(),
  labelField: z.string(),
  fields: z.array(fieldModelSchema),
})
export type ObjectModel = z.output<typeof objectModelSchema>

/** The meaning of a name in a filter, an input or a selection of one object. */
export type FieldUse =
  | { readonly kind: 'scalar'; readonly field: FieldModel; readonly type: ScalarType }
  | { readonly kind: 'composite'; readonly field: FieldModel; readonly type: CompositeType }
  | { readonly kind: 'joinColumn'; readonly field: FieldModel; readonly target: string }
  | { readonly kind: 'toOne'; readonly field: FieldModel; readonly target: string; readonly joinColumn: string }
  | { readonly kind: 'toMany'; readonly field: FieldModel; readonly target: string; readonly joinColumn: string }

/** Every name of an object's fields, join columns (`agentId`) included. */
export function fieldUses(object: ObjectModel): ReadonlyMap<string, FieldUse> {
  const uses = new Map<string, FieldUse>()
  for (const field of object.fields) for (const [name, use] of usesOf(field)) uses.set(name, use)
  return uses
}

function usesOf(field: FieldModel): [string, FieldUse][] {
  const { type, relation, name } = field
  if (relation?.type === 'MANY_TO_ONE') {
    const joinColumn = joinColumnOf(name)
    return [
      [name, { kind: 'toOne', field, target: relation.target, joinColumn }],
      [joinColumn, { kind: 'joinColumn', field, target: relation.target }],
    ]
  }
  if (relation) return [[name, { kind: 'toMany', field, target: relation.target, joinColumn: joinColumnOf(relation.targetField) }]]
  if (type === 'RELATION') return []
  return [[name, isComposite(type) ? { kind: 'composite', field, type } : { kind: 'scalar', field, type }]]
}

export function joinColumnOf(fieldName: string): string {
  return `${fieldName}Id`
}

/** The values that a field of choices allows. */
export function optionsOf({ options }: FieldModel): string[] {
  return (options ?? []).map(({ value }) => value)
}

/** The database table, as error messages name it. */
export function tableOf({ isCustom, nameSingular }: ObjectModel): string {
  return `${isCustom ? '_' : ''}${nameSingular}`
}

/** `visitSlot` -> `VisitSlot`. */
export function typeNameOf(object: ObjectModel): string {
  return capitalized(object.nameSingular)
}

export type FieldInput = Pick<FieldModel, 'name' | 'type'> & Partial<Omit<FieldModel, 'id'>>

export function makeField(input: FieldInput): FieldModel {
  return {
    label: labelOf(input.name),
    isNullable: true,
    isUnique: false,
    isSystem: false,
    defaultValue: null,
    options: null,
    relation: null,
    settings: null,
    ...input,
    id: newId(),
  }
}

/** `visitSlot` -> `Visit slot`. */
export function labelOf(name: string): string {
  return capitalized(name.replaceAll(/[A-Z]/g, (capital) => ` ${capital.toLowerCase()}`))
}

export function makeOptions(values: readonly string[]): SelectOption[] {
  const colors = ['blue', 'green', 'yellow', 'red', 'purple']
  return values.map((value, position) => ({
    id: newId(),
    value,
    label: labelOf(value.toLowerCase().replaceAll('_', ' ')),
    color: colors[position % colors.length] ?? 'gray',
    position,
  }))
}

/** The fields that every object has. */
export function baseFields(): FieldModel[] {
  const fields: FieldInput[] = [
    { name: 'id', type: 'UUID', isNullable: false, defaultValue: 'uuid' },
    { name: 'createdAt', type: 'DATE_TIME', isNullable: false, defaultValue: 'now' },
    { name: 'updatedAt', type: 'DATE_TIME', isNullable: false, defaultValue: 'now' },
    { name: 'deletedAt', type: 'DATE_TIME' },
    { name: 'createdBy', type: 'ACTOR', isNullable: false },
    { name: 'updatedBy', type: 'ACTOR', isNullable: false },
    { name: 'position', type: 'POSITION', isNullable: false },
    { name: 'searchVector', type: 'TS_VECTOR' },
  ]
  return fields.map((field) => makeField({ ...field, isSystem: true }))
}
