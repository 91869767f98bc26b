/** The scalar types that fields, and the parts of composite fields, are made of. What they mean is in scalar-kinds.ts. */
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

/** What they mean is in composite-kinds.ts. */
export const compositeTypes = ['PHONES', 'EMAILS', 'LINKS', 'FULL_NAME', 'CURRENCY', 'ADDRESS', 'ACTOR', 'RICH_TEXT'] as const
export type CompositeType = (typeof compositeTypes)[number]

export const fieldTypes = [...scalarTypes, ...compositeTypes, 'RELATION'] as const
export type FieldType = (typeof fieldTypes)[number]

export function isComposite(type: FieldType): type is CompositeType {
  return compositeTypes.some((name) => name === type)
}
