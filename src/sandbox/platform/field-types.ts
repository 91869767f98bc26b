/** The scalar types that fields, and the parts of composite fields, are made of. */
const scalarTypes = [
  'TEXT',
  'UUID',
  'NUMBER',
  'NUMERIC',
  'BOOLEAN',
  'DATE_TIME',
  'DATE',
  'SELECT',
  'MULTI_SELECT',
  'ARRAY',
  'RAW_JSON',
  'POSITION',
  'TS_VECTOR',
] as const
export type ScalarType = (typeof scalarTypes)[number]

export const compositeTypes = ['PHONES', 'EMAILS', 'LINKS', 'FULL_NAME', 'CURRENCY', 'ADDRESS', 'ACTOR', 'RICH_TEXT'] as const
export type CompositeType = (typeof compositeTypes)[number]

export const fieldTypes = [...scalarTypes, ...compositeTypes, 'RELATION'] as const
export type FieldType = (typeof fieldTypes)[number]

/** What a composite field is made of; `empty` is what a part that was never written reads as. */
type CompositePart = { readonly type: ScalarType; readonly empty: unknown }
export type Composite = { readonly graphqlName: string; readonly parts: Readonly<Record<string, CompositePart>> }

const text: CompositePart = { type: 'TEXT', empty: '' }
const list: CompositePart = { type: 'RAW_JSON', empty: [] }
const nullable = (type: ScalarType): CompositePart => ({ type, empty: null })

export const composites: Readonly<Record<CompositeType, Composite>> = {
  PHONES: {
    graphqlName: 'Phones',
    parts: { primaryPhoneNumber: text, primaryPhoneCountryCode: text, primaryPhoneCallingCode: text, additionalPhones: list },
  },
  EMAILS: { graphqlName: 'Emails', parts: { primaryEmail: text, additionalEmails: list } },
  LINKS: { graphqlName: 'Links', parts: { primaryLinkLabel: text, primaryLinkUrl: text, secondaryLinks: list } },
  FULL_NAME: { graphqlName: 'FullName', parts: { firstName: text, lastName: text } },
  CURRENCY: { graphqlName: 'Currency', parts: { amountMicros: nullable('NUMERIC'), currencyCode: text } },
  ADDRESS: {
    graphqlName: 'Address',
    parts: {
      addressStreet1: text,
      addressStreet2: text,
      addressCity: text,
      addressPostcode: text,
      addressState: text,
      addressCountry: text,
      addressLat: nullable('NUMERIC'),
      addressLng: nullable('NUMERIC'),
    },
  },
  ACTOR: {
    graphqlName: 'Actor',
    parts: {
      source: nullable('SELECT'),
      name: text,
      workspaceMemberId: nullable('UUID'),
      context: { type: 'RAW_JSON', empty: {} },
    },
  },
  RICH_TEXT: { graphqlName: 'RichText', parts: { blocknote: nullable('TEXT'), markdown: nullable('TEXT') } },
}

export const actorSources = [
  'AGENT',
  'API',
  'APPLICATION',
  'CALENDAR',
  'EMAIL',
  'IMPORT',
  'MANUAL',
  'SYSTEM',
  'WEBHOOK',
  'WORKFLOW',
] as const

export function isComposite(type: FieldType): type is CompositeType {
  return Object.hasOwn(composites, type)
}

/** What a scalar that was never written reads as: texts read as empty, lists as empty lists. */
export function emptyScalar(type: ScalarType): unknown {
  if (type === 'TEXT') return ''
  return type === 'MULTI_SELECT' || type === 'ARRAY' ? [] : null
}

const comparing = ['eq', 'neq', 'gt', 'gte', 'lt', 'lte', 'in', 'is'] as const
const choosing = ['eq', 'neq', 'in', 'is', 'containsAny', 'isEmptyArray'] as const

/** The filter operators of each scalar type, in the order in which the platform's error message lists them. */
export const operatorsOf: Readonly<Record<ScalarType, readonly string[]>> = {
  TEXT: [...comparing, 'like', 'ilike', 'startsWith', 'endsWith'],
  UUID: comparing,
  NUMBER: comparing,
  NUMERIC: comparing,
  POSITION: comparing,
  DATE_TIME: comparing,
  DATE: comparing,
  BOOLEAN: ['eq', 'is'],
  SELECT: choosing,
  MULTI_SELECT: choosing,
  ARRAY: ['containsIlike', 'is', 'isEmptyArray'],
  RAW_JSON: ['is', 'like'],
  TS_VECTOR: ['search'],
}
