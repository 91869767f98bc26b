import { listOf, textOf, type Values, valuesOf } from './values.ts'

type Common = {
  readonly key: string
  /** The service's own description, in English. */
  readonly description: string | null
  /** Null is a value: nothing is set. */
  readonly isNullable: boolean
  readonly isRequired: boolean
  /** The provider whose setting it is; null for a field of ours. */
  readonly owner: string | null
  /** The value of a new entry; undefined if it has none. */
  readonly usual: unknown
}
export type TextField = Common & {
  readonly kind: 'text'
  readonly form: 'LINE' | 'LONG' | 'SECRET' | 'ADDRESS' | 'COLOR'
  readonly minLength: number
  readonly maxLength: number | null
  readonly pattern: string | null
}
export type NumberField = Common & {
  readonly kind: 'number'
  readonly isInteger: boolean
  readonly minimum: number | null
  readonly maximum: number | null
}
export type ChoiceField = Common & { readonly kind: 'choice'; readonly values: readonly (string | number)[] }
export type ToggleField = Common & { readonly kind: 'toggle' }
/** A list of texts. */
export type TextsField = Common & { readonly kind: 'texts'; readonly item: TextField; readonly maxItems: number | null }
/** Some of a few values. */
export type SetField = Common & { readonly kind: 'set'; readonly values: readonly string[]; readonly minItems: number }
/** A list of objects. `text`: an entry may also be only this. */
export type ItemsField = Common & {
  readonly kind: 'items'
  readonly fields: readonly Field[]
  readonly text: TextField | null
  readonly maxItems: number | null
}
export type GroupField = Common & { readonly kind: 'group'; readonly fields: readonly Field[] }
/** One of several objects, which its `id` names, or none. */
export type VariantField = Common & { readonly kind: 'variant'; readonly options: readonly VariantOption[] }
/** `name`: of who offers it, if that is not the title. */
export type VariantOption = {
  readonly id: string
  readonly title: string
  readonly name: string
  readonly fields: readonly Field[]
  readonly usual: Values
}
/** A part of the schema that this page does not know. It is shown as it is. */
type UnknownField = Common & { readonly kind: 'unknown' }

export type Field =
  | TextField
  | NumberField
  | ChoiceField
  | ToggleField
  | TextsField
  | SetField
  | ItemsField
  | GroupField
  | VariantField
  | UnknownField

/**
 * The fields of a form, from the JSON Schema of a section (draft 2020-12): objects, lists, texts, numbers, switches, enumerations, a choice
 * of objects by their `id`, and null.
 */
export function fieldsOf(schema: unknown, owner: string | null = null): readonly Field[] {
  const { properties, required } = valuesOf(schema)
  const needed = listOf(required)
  return Object.entries(valuesOf(properties)).map(([key, part]) =>
    fieldOf(valuesOf(part), { key, isRequired: needed.includes(key), owner }),
  )
}

function fieldOf(part: Values, own: Pick<Common, 'key' | 'isRequired' | 'owner'>): Field {
  const options = listOf(part['anyOf']).map(valuesOf)
  const isNullable = options.some(({ type }) => type === 'null')
  const [only, ...more] = options.filter(({ type }) => type !== 'null')
  const inner = only && more.length === 0 ? { ...part, ...only } : part
  const description = typeof part['description'] === 'string' ? part['description'] : null
  const common: Common = { ...own, description, isNullable, usual: part['default'] }
  const variants = listOf(inner['oneOf']).map(valuesOf)
  if (variants.length > 0) return { ...common, kind: 'variant', options: variants.map(optionOf) }
  const values = listOf(inner['enum']).filter((value) => typeof value === 'string' || typeof value === 'number')
  if (values.length > 0) return { ...common, kind: 'choice', values }
  return byType(common, inner)
}

function byType(common: Common, part: Values): Field {
  switch (part['type']) {
    case 'string':
      return textField(common, part)
    case 'integer':
    case 'number':
      return {
        ...common,
        kind: 'number',
        isInteger: part['type'] === 'integer',
        minimum: numberOf(part['minimum']),
        maximum: numberOf(part['maximum']),
      }
    case 'boolean':
      return { ...common, kind: 'toggle' }
    case 'object':
      return { ...common, kind: 'group', fields: fieldsOf(part, common.owner) }
    case 'array':
      return listField(common, part)
    default:
      return { ...common, kind: 'unknown' }
  }
}

function listField(common: Common, part: Values): Field {
  const items = valuesOf(part['items'])
  const maxItems = numberOf(part['maxItems'])
  const options = listOf(items['anyOf']).map(valuesOf)
  const entries = options.length > 0 ? options : [items]
  const object = entries.find(({ type }) => type === 'object')
  const text = entries.find(({ type }) => type === 'string')
  const item = { key: '', description: null, isNullable: false, isRequired: true, owner: common.owner, usual: undefined }
  if (object)
    return { ...common, kind: 'items', fields: fieldsOf(object, common.owner), text: text ? textField(item, text) : null, maxItems }
  if (!text) return { ...common, kind: 'unknown' }
  const values = listOf(text['enum']).filter((value) => typeof value === 'string')
  if (values.length > 0) return { ...common, kind: 'set', values, minItems: numberOf(part['minItems']) ?? 0 }
  return { ...common, kind: 'texts', item: textField(item, text), maxItems }
}

/** More characters than this do not fit in a line. */
const longText = 250

function textField(common: Common, part: Values): TextField {
  const pattern = typeof part['pattern'] === 'string' ? part['pattern'] : null
  const maxLength = numberOf(part['maxLength'])
  return {
    ...common,
    kind: 'text',
    form: formOf(part, { pattern, maxLength }),
    minLength: numberOf(part['minLength']) ?? 0,
    maxLength,
    pattern,
  }
}

function formOf(part: Values, { pattern, maxLength }: Pick<TextField, 'pattern' | 'maxLength'>): TextField['form'] {
  if (part['secret'] === true) return 'SECRET'
  if (part['format'] === 'uri') return 'ADDRESS'
  if (pattern === '^#[0-9a-f]{6}$') return 'COLOR'
  return pattern === null && maxLength !== null && maxLength > longText ? 'LONG' : 'LINE'
}

function optionOf(part: Values): VariantOption {
  const id = textOf(valuesOf(valuesOf(part['properties'])['id'])['const'])
  const title = typeof part['title'] === 'string' ? part['title'] : id
  const fields = fieldsOf(part, id).filter(({ key }) => key !== 'id')
  const name = typeof part['name'] === 'string' ? part['name'] : title
  return { id, title, name, fields, usual: { ...usualValues(fields), id } }
}

/** What a new entry with these fields begins with. */
export function usualValues(fields: readonly Field[]): Values {
  return Object.fromEntries(fields.flatMap(({ key, usual }) => (usual === undefined ? [] : [[key, usual]])))
}

/** The option that a value has chosen; null if none. */
export function chosenOption({ options }: VariantField, value: unknown): VariantOption | null {
  const { id } = valuesOf(value)
  return options.find((option) => option.id === id) ?? null
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' ? value : null
}
