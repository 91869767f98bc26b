/** Readers of what came over the wire: they never throw, and answer something empty for what is not there. */
export type Json = Readonly<Record<string, unknown>>

export function asRecord(value: unknown): Json {
  return isRecord(value) ? value : {}
}

export function asList(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : []
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asTextOrNull(value: unknown): string | null {
  return typeof value === 'string' && value !== '' ? value : null
}

export function asNumberOrNull(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null
}

/** Null if it is not JSON. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
