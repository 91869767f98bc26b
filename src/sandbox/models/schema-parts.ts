import type { WireSchema } from './ask.ts'

export function resolved(schema: WireSchema, root: WireSchema): WireSchema {
  const reference = schema['$ref']
  if (typeof reference === 'string') {
    const target = reference
      .split('/')
      .slice(1)
      .reduce<unknown>((part, key) => objectOf(part)[key], root)
    return resolved(objectOf(target), root)
  }
  const all = listOf(schema['allOf'])
  return Object.fromEntries([schema, ...all.map((part) => resolved(part, root))].flatMap((part) => Object.entries(part)))
}

export function typeOf(schema: WireSchema): string {
  const type = schema['type']
  if (typeof type === 'string') return type
  if (Array.isArray(type)) return String(type.find((name) => name !== 'null') ?? 'null')
  return 'properties' in schema ? 'object' : 'items' in schema ? 'array' : 'string'
}

export function textIn(schema: WireSchema, key: string): string {
  const value = schema[key]
  return typeof value === 'string' ? value : ''
}

export function numberIn(schema: WireSchema, key: string): number | undefined {
  const value = schema[key]
  return typeof value === 'number' ? value : undefined
}

export function objectOf(value: unknown): WireSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : {}
}

export function listOf(value: unknown): readonly WireSchema[] {
  return Array.isArray(value) ? value.map((item) => objectOf(item)) : []
}
