import { chosenOption, type Field, type NumberField, type TextField } from './schema.ts'
import { listOf, masked, type Path, textOf, valuesOf } from './values.ts'

export type Fault =
  | { readonly kind: 'MISSING' | 'NUMBER' | 'INTEGER' | 'ADDRESS' | 'FORM' }
  | { readonly kind: 'AT_LEAST' | 'AT_MOST' | 'TOO_SHORT' | 'TOO_LONG' | 'TOO_MANY' | 'TOO_FEW'; readonly limit: number }
  /** In a list of texts: the text that is wrong, and why. */
  | { readonly kind: 'ENTRY'; readonly entry: string; readonly fault: Fault }
  | { readonly kind: 'TWICE'; readonly entry: string }
export type FaultAt = { readonly path: Path; readonly fault: Fault }

/** What is wrong with the values, as far as the schema says it; the service checks again, and more. */
export function faultsOf(fields: readonly Field[], values: unknown, path: Path = []): readonly FaultAt[] {
  return fields.flatMap((field) => faultsOfField(field, valuesOf(values)[field.key], [...path, field.key]))
}

function faultsOfField(field: Field, value: unknown, path: Path): readonly FaultAt[] {
  if (field.kind === 'group') return faultsOf(field.fields, value, path)
  if (value === null && field.isNullable) return []
  if (field.kind === 'variant') return faultsOf(chosenOption(field, value)?.fields ?? [], value, path)
  if (field.kind === 'items') return itemFaults(field, value, path)
  const fault = faultOf(field, value)
  return fault ? [{ path, fault }] : []
}

function itemFaults(field: Extract<Field, { kind: 'items' }>, value: unknown, path: Path): readonly FaultAt[] {
  const items = listOf(value)
  const inside = items.flatMap((item, at): readonly FaultAt[] => {
    if (typeof item !== 'string' || !field.text) return faultsOf(field.fields, item, [...path, at])
    const fault = textFault(field.text, item)
    return fault ? [{ path: [...path, at], fault }] : []
  })
  return field.maxItems !== null && items.length > field.maxItems
    ? [...inside, { path, fault: { kind: 'TOO_MANY', limit: field.maxItems } }]
    : inside
}

function faultOf(field: Exclude<Field, { kind: 'group' | 'variant' | 'items' }>, value: unknown): Fault | null {
  switch (field.kind) {
    case 'text':
      return textFault(field, value)
    case 'number':
      return numberFault(field, value)
    case 'set':
      return listOf(value).length < field.minItems ? { kind: 'TOO_FEW', limit: field.minItems } : null
    case 'texts':
      return textsFault(field, listOf(value))
    case 'choice':
      return value === undefined && field.isRequired ? { kind: 'MISSING' } : null
    case 'toggle':
    case 'unknown':
      return null
  }
}

function textFault({ form, isRequired, minLength, maxLength, pattern }: TextField, value: unknown): Fault | null {
  if (typeof value !== 'string') return value === undefined && !isRequired ? null : { kind: 'MISSING' }
  if (form === 'SECRET' && value === masked) return null
  const text = value.trim()
  if (text === '' && (minLength > 0 || isRequired || pattern !== null || form === 'ADDRESS')) return { kind: 'MISSING' }
  if (text.length < minLength) return { kind: 'TOO_SHORT', limit: minLength }
  if (maxLength !== null && text.length > maxLength) return { kind: 'TOO_LONG', limit: maxLength }
  if (form === 'ADDRESS' && !isAddress(text)) return { kind: 'ADDRESS' }
  return pattern !== null && !fits(pattern, text) ? { kind: 'FORM' } : null
}

function isAddress(text: string): boolean {
  return URL.canParse(text) && ['http:', 'https:'].includes(new URL(text).protocol)
}

/** A schema does not say whether capital letters matter: what only they make wrong is left to the service. */
function fits(pattern: string, text: string): boolean {
  try {
    return new RegExp(pattern, 'iu').test(text)
  } catch {
    return true
  }
}

function numberFault({ isInteger, minimum, maximum }: NumberField, value: unknown): Fault | null {
  if (value === undefined) return null
  if (value === '' || value === null) return { kind: 'MISSING' }
  if (typeof value !== 'number') return { kind: 'NUMBER' }
  if (isInteger && !Number.isInteger(value)) return { kind: 'INTEGER' }
  if (minimum !== null && value < minimum) return { kind: 'AT_LEAST', limit: minimum }
  return maximum !== null && value > maximum ? { kind: 'AT_MOST', limit: maximum } : null
}

function textsFault({ item, maxItems }: Extract<Field, { kind: 'texts' }>, entries: readonly unknown[]): Fault | null {
  if (maxItems !== null && entries.length > maxItems) return { kind: 'TOO_MANY', limit: maxItems }
  for (const entry of entries) {
    const fault = textFault(item, entry)
    if (fault) return { kind: 'ENTRY', entry: textOf(entry), fault }
  }
  const twice = entries.find((entry, at) => entries.indexOf(entry) !== at)
  return twice === undefined ? null : { kind: 'TWICE', entry: textOf(twice) }
}
