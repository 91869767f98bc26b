import type { JsonSchema } from '../openapi/json-schema.ts'
import { type Html, html, prose } from './html.ts'
import type { SchemaReader } from './schema-reader.ts'

type Field = { readonly name: string; readonly schema: JsonSchema; readonly required: boolean; readonly note?: string }

/** Names, types and meanings; the fields of an object stand below it, further in. */
export function fieldTable(fields: readonly Field[], reader: SchemaReader): Html {
  return html`<table class="fields">
    <tbody>
      ${fields.flatMap((field) => fieldRows(field, reader, []))}
    </tbody>
  </table>`
}

/** The fields of an object's or of a list's schema; empty for anything else. */
export function fieldsOf(given: JsonSchema, reader: SchemaReader): readonly Field[] {
  const { schema } = reader.read(given)
  if (schema.items) return fieldsOf(schema.items, reader)
  return Object.entries(schema.properties ?? {}).map(([name, property]) => ({
    name,
    schema: property,
    required: schema.required?.includes(name) ?? false,
  }))
}

function fieldRows({ name, schema: given, required, note }: Field, reader: SchemaReader, above: readonly string[]): readonly Html[] {
  const { schema, name: type } = reader.read(given)
  const allowed = schema.enum ? html`<span class="allowed">${schema.enum.map((value) => html`<code>${value}</code> `)}</span>` : null
  const words = given.description ?? (type === null ? schema.description : undefined) ?? ''
  const row = html`<tr>
    <td class="level-${Math.min(above.length, 4)}">
      <code>${name}</code>${required ? null : html` <span class="optional">optional</span>`}
    </td>
    <td class="type">${note ? `${note} ` : null}${typeWords(given, reader)}</td>
    <td>${prose(words)} ${allowed}</td>
  </tr>`
  const holder = reader.read(schema.items ?? given).name ?? `${above.join('.')}.${name}`
  if (above.includes(holder)) return [row]
  return [row, ...fieldsOf(given, reader).flatMap((field) => fieldRows(field, reader, [...above, holder]))]
}

/** "text or null", "list of LeadSummary". */
function typeWords(given: JsonSchema, reader: SchemaReader): string {
  const { schema, nullable, name } = reader.read(given)
  const kind = [schema.type].flat().find((type) => type !== 'null')
  const words =
    schema.format === 'date-time'
      ? 'moment'
      : kind === 'array'
        ? `list of ${typeWords(schema.items ?? {}, reader)}`
        : schema.enum
          ? 'one of'
          : kindWords(kind, name)
  return nullable ? `${words} or null` : words
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'whole number',
  number: 'number',
  boolean: 'true or false',
  object: 'object',
}

function kindWords(kind: string | undefined, name: string | null): string {
  return kind === undefined ? (name ?? 'any JSON') : (kinds[kind] ?? kind)
}
