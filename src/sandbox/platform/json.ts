/** A JSON object whose fields are not validated yet. */
export type JsonObject = Record<string, unknown>

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Text of a value for messages and keys; objects as JSON. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? '')
}

const uuidForm = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-5][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i

/** UUID versions 1 to 5 of the usual variant; the platform refuses others, the nil UUID too. */
export function isUuid(value: unknown): value is string {
  return typeof value === 'string' && uuidForm.test(value)
}

export function capitalized(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}
