import type { CountryCode } from '../../kernel/phone.ts'
import { phoneParts, toE164 } from '../../kernel/phone.ts'
import { markdownOf, textOfMarkdown } from './markdown.ts'
import type { FieldShape } from './object-shapes.ts'

/** The value of a field as the platform returned it. */
export type FieldValue = unknown

/** The parts to select of each composite type of the platform. */
const parts: Readonly<Record<string, string>> = {
  FullName: 'firstName lastName',
  Phones: 'primaryPhoneNumber primaryPhoneCountryCode primaryPhoneCallingCode additionalPhones',
  Emails: 'primaryEmail additionalEmails',
  Links: 'primaryLinkUrl primaryLinkLabel secondaryLinks',
  RichText: 'markdown',
  Currency: 'amountMicros currencyCode',
}

/** The selection after a field's name: empty for a scalar; null if the field cannot be read as a value. */
export function selectionOf({ typeName, isObject }: FieldShape): string | null {
  if (!isObject) return ''
  const wanted = parts[typeName]
  return wanted === undefined ? null : ` { ${wanted} }`
}

/** A text, from a text, a choice, a number, or the parts of a full name, rich text, an address or a phone number; null if it is empty. */
export function textOf(value: FieldValue): string | null {
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : textParts(value)
  return text.trim() === '' ? null : text.trim()
}

function textParts(value: FieldValue): string {
  const part = (name: string): string => stringOf(partOf(value, name))
  const fullName = `${part('firstName')} ${part('lastName')}`.trim()
  return fullName || textOfMarkdown(part('markdown')) || part('primaryEmail') || part('primaryLinkUrl') || primaryPhone(value)
}

/** With its calling code, if the number does not begin with one. */
function primaryPhone(value: FieldValue): string {
  const number = stringOf(partOf(value, 'primaryPhoneNumber'))
  return number === '' || number.startsWith('+') ? number : `${stringOf(partOf(value, 'primaryPhoneCallingCode'))}${number}`
}

/** A moment as ISO 8601 in UTC. */
export function momentOf(value: FieldValue): string | null {
  const at = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(at) ? null : new Date(at).toISOString()
}

export function numberOf(value: FieldValue): number | null {
  const number = typeof value === 'string' && value !== '' ? Number(value) : value
  return typeof number === 'number' && Number.isFinite(number) ? number : null
}

/** The numbers in a phones field or in a text, the primary one first; E.164 if they are valid. */
export function phonesOf(
  value: FieldValue,
  defaultCountry: CountryCode | undefined,
): readonly { number: string; valid: boolean; primary: boolean }[] {
  if (typeof value === 'string') return phone(value, defaultCountry, true)
  const primary = primaryPhone(value)
  const additional = partOf(value, 'additionalPhones')
  return [
    ...phone(primary, defaultCountry, true),
    ...(Array.isArray(additional) ? additional : []).flatMap((entry: unknown) => additionalPhone(entry, defaultCountry)),
  ]
}

function additionalPhone(entry: unknown, defaultCountry: CountryCode | undefined) {
  if (typeof entry === 'string') return phone(entry, defaultCountry, false)
  const number = stringOf(partOf(entry, 'number'))
  if (number === '') return []
  return phone(number.startsWith('+') ? number : `${stringOf(partOf(entry, 'callingCode'))}${number}`, defaultCountry, false)
}

function phone(text: string, defaultCountry: CountryCode | undefined, primary: boolean) {
  const number = toE164(text, defaultCountry)
  return text.trim() === '' ? [] : [{ number: number ?? text.trim(), valid: number !== null, primary }]
}

/**
 * A pattern for the platform's `ilike`: the national digits of a number (E.164) in their order, with any characters between them. Of another
 * number, such as an extension, the whole text: its few digits are in many numbers.
 */
export function phonePattern(phoneNumber: string): string {
  const national = phoneParts(phoneNumber)?.national
  return national === undefined ? phoneNumber : `%${national.replaceAll(/\d/g, '$&%')}`
}

/** The first address of a links field, or a text that is one. */
export function linkOf(value: FieldValue): string | null {
  const url = typeof value === 'string' ? value : stringOf(partOf(value, 'primaryLinkUrl'))
  return url.trim() === '' ? null : url.trim()
}

/** A value in the form of the field's type; undefined if it does not fit (a choice that the workspace does not have). */
export function writableValue(shape: FieldShape, value: string | number | null, current?: FieldValue): unknown {
  if (value === null) return shape.isObject ? undefined : null
  if (shape.values) return shape.values.includes(String(value)) ? value : undefined
  if (!shape.isObject) return value
  if (shape.typeName === 'Links') return isWebAddress(String(value)) ? { ...linkSiblings(current), primaryLinkUrl: value } : undefined
  // The platform refuses a number that has no country, such as a short code.
  if (shape.typeName === 'Phones') return phoneParts(String(value)) === null ? undefined : { primaryPhoneNumber: value }
  if (shape.typeName === 'RichText') return { markdown: markdownOf(String(value)) }
  if (shape.typeName === 'FullName') return { firstName: value, lastName: '' }
  return undefined
}

/** Label and further links: the platform clears them if they are left out (Twenty 2.21, recorded). */
function linkSiblings(current: FieldValue) {
  const further = partOf(current, 'secondaryLinks')
  return { primaryLinkLabel: stringOf(partOf(current, 'primaryLinkLabel')), ...(Array.isArray(further) && { secondaryLinks: further }) }
}

/** What the platform takes as a link (2.21, recorded): http(s) to a host with a dot, an IPv4 address, or localhost. */
function isWebAddress(text: string): boolean {
  const url = URL.parse(text)
  if (url === null || !/^https?:$/.test(url.protocol)) return false
  const { hostname } = url
  return hostname === 'localhost' || (!hostname.startsWith('[') && hostname.slice(1, -1).includes('.'))
}

/** The value without NUL characters, which the platform's database refuses. */
export function withoutNul<Value>(value: Value): Value | string {
  return typeof value === 'string' ? value.replaceAll('\0', '') : value
}

function partOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined
}

function stringOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}
