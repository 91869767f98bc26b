import type { WireSchema } from './ask.ts'
import { objectOf } from './schema-parts.ts'

/**
 * What OpenAI's strict mode refuses in a schema, as its message; null if the schema is valid. Every object must list all its
 * properties as required and allow no others.
 */
export function strictFault(schema: WireSchema, name: string): string | null {
  const fault = faultAt(schema, [])
  return fault === null ? null : `Invalid schema for response_format '${name}': ${fault}`
}

function faultAt(schema: WireSchema, path: readonly string[]): string | null {
  const context = `In context=(${path.map((part) => `'${part}'`).join(', ')})`
  const properties = objectOf(schema['properties'])
  if (schema['type'] === 'object') {
    if (schema['additionalProperties'] !== false) return `${context}, 'additionalProperties' is required to be supplied and to be false.`
    const required: readonly unknown[] = Array.isArray(schema['required']) ? schema['required'] : []
    const missing = Object.keys(properties).find((key) => !required.includes(key))
    if (missing !== undefined) {
      return `${context}, 'required' is required to be supplied and to be an array including every key in properties. Missing '${missing}'.`
    }
  }
  const parts = [
    ...Object.entries(properties).map(([key, value]) => ({ value, path: [...path, 'properties', key] })),
    ...('items' in schema ? [{ value: schema['items'], path: [...path, 'items'] }] : []),
    ...(Array.isArray(schema['anyOf'])
      ? schema['anyOf'].map((value: unknown, index) => ({ value, path: [...path, 'anyOf', String(index)] }))
      : []),
    ...Object.entries(objectOf(schema['$defs'])).map(([key, value]) => ({ value, path: [...path, '$defs', key] })),
  ]
  return parts.map((part) => faultAt(objectOf(part.value), part.path)).find((fault) => fault !== null) ?? null
}
