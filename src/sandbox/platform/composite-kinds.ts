import { inspect } from 'node:util'
import { z } from 'zod'
import { badArguments } from './errors.ts'
import type { CompositeType, ScalarType } from './field-types.ts'
import type { JsonObject } from './json.ts'
import { normalizeLinks } from './links.ts'
import { normalizePhones } from './phones.ts'
import { normalizeRichText } from './rich-text.ts'
import { filled, listOf, type Place, scalarKinds } from './scalar-kinds.ts'

type Part = {
  readonly type: ScalarType
  /** What a part that was never written reads as. */
  readonly empty: unknown
  readonly options?: readonly string[]
}

type CompositeKind = {
  readonly graphqlName: string
  readonly parts: Readonly<Record<string, Part>>
  /** The part that must be unique in a unique field. */
  readonly key?: string
  /** Checks and completes the parts of a written value, each of which was checked alone. Parts that it leaves out stay as they are. */
  readonly normalize?: (value: JsonObject, place: Place) => JsonObject
}

const text: Part = { type: 'TEXT', empty: '' }
const list: Part = { type: 'RAW_JSON', empty: [] }
const nullable = (type: ScalarType): Part => ({ type, empty: null })
const parts = (part: Part, ...names: readonly string[]) => Object.fromEntries(names.map((name) => [name, part]))

export const actorSources = [
  'EMAIL',
  'CALENDAR',
  'WORKFLOW',
  'AGENT',
  'API',
  'IMPORT',
  'MANUAL',
  'SYSTEM',
  'WEBHOOK',
  'APPLICATION',
] as const

/** Everything that is particular to a kind of field with parts. */
export const compositeKinds: Readonly<Record<CompositeType, CompositeKind>> = {
  PHONES: {
    graphqlName: 'Phones',
    parts: { ...parts(text, 'primaryPhoneNumber', 'primaryPhoneCountryCode', 'primaryPhoneCallingCode'), additionalPhones: list },
    key: 'primaryPhoneNumber',
    normalize: normalizePhones,
  },
  EMAILS: {
    graphqlName: 'Emails',
    parts: { primaryEmail: text, additionalEmails: list },
    key: 'primaryEmail',
    normalize: normalizeEmails,
  },
  LINKS: {
    graphqlName: 'Links',
    parts: { primaryLinkLabel: text, primaryLinkUrl: text, secondaryLinks: list },
    key: 'primaryLinkUrl',
    normalize: normalizeLinks,
  },
  FULL_NAME: { graphqlName: 'FullName', parts: parts(text, 'firstName', 'lastName') },
  CURRENCY: {
    graphqlName: 'Currency',
    parts: { amountMicros: nullable('NUMERIC'), currencyCode: nullable('TEXT') },
    normalize: ({ amountMicros: amount, ...value }) => ({
      ...value,
      ...(amount === undefined ? {} : { amountMicros: typeof amount === 'number' ? Math.trunc(amount) : amount }),
    }),
  },
  ADDRESS: {
    graphqlName: 'Address',
    parts: {
      ...parts(text, 'addressStreet1', 'addressStreet2', 'addressCity', 'addressPostcode', 'addressState', 'addressCountry'),
      ...parts(nullable('NUMERIC'), 'addressLat', 'addressLng'),
    },
  },
  ACTOR: {
    graphqlName: 'Actor',
    parts: {
      source: { type: 'SELECT', empty: null, options: actorSources },
      name: text,
      workspaceMemberId: nullable('UUID'),
      context: { type: 'RAW_JSON', empty: {} },
    },
  },
  RICH_TEXT: {
    graphqlName: 'RichText',
    parts: parts(nullable('TEXT'), 'blocknote', 'markdown'),
    normalize: normalizeRichText,
  },
}

/** Checks the parts of a written composite value and gives them as records hold them. */
export function writtenParts(type: CompositeType, given: JsonObject, place: Place): JsonObject {
  const { graphqlName, parts: known, normalize } = compositeKinds[type]
  const written: JsonObject = {}
  for (const [name, value] of Object.entries(given)) {
    const part = known[name]
    const path = `${place.path}.${name}`
    if (!part) {
      const label = graphqlName.replace(/(?!^)(?=[A-Z])/, ' ').toLowerCase()
      const message = `Invalid subfield ${name} for ${label} field "${place.path}"`
      throw badArguments('INVALID_ARGS_DATA', message, `Invalid value for ${label}.`)
    }
    // The lists of phones, e-mails and links have rules of their own.
    const isOwn = value === null || part === list
    if (value !== undefined) written[name] = isOwn ? value : scalarKinds[part.type].write(value, { ...place, ...part, path })
  }
  return normalize ? normalize(written, place) : written
}

const emailForm = z.email({ pattern: z.regexes.unicodeEmail })

function normalizeEmails(value: JsonObject, place: Place): JsonObject {
  const { primaryEmail, additionalEmails } = value
  const path = `${place.path}.additionalEmails`
  const others = typeof additionalEmails === 'string' && listOf(additionalEmails) ? [additionalEmails] : listOf(additionalEmails)
  return {
    primaryEmail: primaryEmail ? emailOf(primaryEmail, { ...place, path: `${place.path}.primaryEmail` }) : null,
    additionalEmails: filled(others.map((email) => emailOf(email, { ...place, path }))),
  }
}

function emailOf(value: unknown, { path, subCode }: Place): string {
  const email = emailForm.safeParse(value)
  if (email.success) return email.data.toLowerCase()
  const shown = inspect(value)
  throw badArguments(subCode, `Invalid string value ${shown} for email field "${path}"`, `Invalid value: "${shown}"`)
}
