import { isSameLabel } from '../../access/platform-role.ts'
import type { ExistingField, ExistingObject } from '../../ports/data-model.ts'
import type { RequiredField, RequiredModel, RequiredObject, RequiredRole } from './required-model.ts'

export type ItemState = 'EXISTS' | 'DIFFERS' | 'MISSING' | 'CREATED' | 'FAILED'

type Facts = { readonly name: string; readonly state: ItemState; readonly detail: string | null }

/** One object, field or role that the service uses on the platform, and its state. */
export type PlanItem =
  | (Facts & { readonly kind: 'OBJECT'; readonly object: RequiredObject })
  | (Facts & { readonly kind: 'FIELD'; readonly object: RequiredObject; readonly field: RequiredField })
  | (Facts & { readonly kind: 'ROLE'; readonly role: RequiredRole })

/** `roles`: null if the token may not see them. */
export type ExistingModel = { readonly objects: readonly ExistingObject[]; readonly roles: readonly string[] | null }

/** What exists and what is missing, in the order in which it can be created: objects, their fields, relations, roles. */
export function planProvisioning(required: RequiredModel, existing: ExistingModel): readonly PlanItem[] {
  const find = ({ singular }: RequiredObject) => existing.objects.find((object) => object.singular === singular)
  const fields = required.objects.flatMap((object) => object.fields.map((field) => fieldItem(object, field, find(object))))
  const isRelation = (item: { readonly field: RequiredField }): boolean => item.field.target !== null
  return [
    ...required.objects.map((object) => objectItem(object, find(object))),
    ...fields.filter((item) => !isRelation(item)),
    ...fields.filter(isRelation),
    ...required.roles.map((role) => roleItem(role, existing.roles)),
  ]
}

function objectItem(object: RequiredObject, existing: ExistingObject | undefined) {
  return { kind: 'OBJECT', name: object.singular, object, ...objectState(object, existing) } as const
}

type State = Pick<Facts, 'state' | 'detail'>

function objectState({ plural }: RequiredObject, existing: ExistingObject | undefined): State {
  if (!existing) return { state: 'MISSING', detail: null }
  if (!existing.isActive) return { state: 'DIFFERS', detail: 'is deactivated on the platform' }
  if (existing.plural !== plural) return { state: 'DIFFERS', detail: `has the plural name ${existing.plural}, not ${plural}` }
  return { state: 'EXISTS', detail: null }
}

function fieldItem(object: RequiredObject, field: RequiredField, existing: ExistingObject | undefined) {
  const found = existing?.fields.find(({ name }) => name === field.name)
  return { kind: 'FIELD', name: `${object.singular}.${field.name}`, object, field, ...fieldState(field, found) } as const
}

function fieldState({ types, options, target }: RequiredField, existing: ExistingField | undefined): State {
  if (!existing) return { state: 'MISSING', detail: null }
  if (!existing.isActive) return { state: 'DIFFERS', detail: 'is deactivated on the platform' }
  if (!types.includes(existing.type)) return { state: 'DIFFERS', detail: `is of type ${existing.type}, not ${types.join(' or ')}` }
  if (target !== null && existing.target !== target) {
    return {
      state: 'DIFFERS',
      detail: existing.target === null ? `is not a relation to one ${target}` : `leads to ${existing.target}, not ${target}`,
    }
  }
  const lacking = existing.type === 'SELECT' ? options.filter((option) => !existing.options.includes(option)) : []
  return lacking.length > 0 ? { state: 'DIFFERS', detail: `lacks the options ${lacking.join(', ')}` } : { state: 'EXISTS', detail: null }
}

function roleItem(role: RequiredRole, existing: readonly string[] | null) {
  const [first] = role.labels
  if (existing === null) return { kind: 'ROLE', name: first, role, state: 'FAILED', detail: 'is not visible with these rights' } as const
  const found = role.labels.find((label) => existing.some((other) => isSameLabel(other, label)))
  return { kind: 'ROLE', name: found ?? first, role, state: found === undefined ? 'MISSING' : 'EXISTS', detail: null } as const
}
