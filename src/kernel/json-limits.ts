import { AppError } from './errors.ts'
import { parseExactJson } from './exact-json.ts'
import { isPrototypeName } from './prototype-names.ts'

/** What JSON from a client may hold. `values`: members of objects and items of lists, all levels together; empty ones count as one. */
export type JsonLimits = { readonly values: number; readonly depth: number }

/** More than any filter or document of the platform needs. JSON.stringify fails at a much greater depth. */
const depth = 200
/** A REST body: the largest configuration section has some hundred values. Parsing that many takes 8 ms. */
export const bodyLimits: JsonLimits = { values: 5_000, depth }
/**
 * A GraphQL request of up to 1 MB: 200 records, the most that the platform creates at once, with 125 values each. Parsing that many takes 15 ms.
 * Who allows larger bodies allows more values.
 */
export function graphqlLimits(bodyBytes: number): JsonLimits {
  return { values: Math.max(25_000, Math.round(bodyBytes / 42)), depth }
}

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Throws INVALID_INPUT if the JSON is over a limit or has a key that names a prototype (`__proto__` ...). Reads the bytes once, before anything is made of
 * them. Bytes that are not JSON may pass: parsing refuses them.
 */
export function checkJson(bytes: Uint8Array, limits: JsonLimits, name = 'body'): void {
  let level = 0
  let values = 1
  let textStart = 0
  let textEnd = 0
  for (let index = 0; index < bytes.length; index += 1) {
    const byte = bytes[index]
    if (byte === quote) {
      textStart = index + 1
      textEnd = endOfText(bytes, textStart)
      index = textEnd
    } else if (byte === comma) {
      values += 1
      if (values > limits.values) throw tooMany(name, limits)
    } else if (byte === openList || byte === openObject) {
      level += 1
      values += 1
      if (values > limits.values) throw tooMany(name, limits)
      if (level > limits.depth) throw refusal(name, `must nest at most ${limits.depth} levels`)
    } else if (byte === closeList || byte === closeObject) {
      level -= 1
    } else if (byte === colon) {
      const key = keyAt(bytes, textStart, textEnd)
      if (isPrototypeName(key)) throw refusal(name, `must not have the key ${key}`)
    }
  }
}

/** Parses JSON from outside by `parseExactJson`, if it is within the limits of a REST body. Throws INVALID_INPUT otherwise. */
export function parseBoundedJson(text: string): unknown {
  checkJson(Buffer.from(text), bodyLimits)
  return parseExactJson(text)
}

function tooMany(name: string, { values }: JsonLimits): AppError {
  return refusal(name, `must have at most ${values.toLocaleString('en')} values`)
}

function refusal(name: string, message: string): AppError {
  const detail = name === 'body' ? `The request body ${message}` : `${name}: ${message}`
  return new AppError('INVALID_INPUT', { detail, data: { fields: [{ path: name, message }] } })
}

/** Where the closing quotation mark is. */
function endOfText(bytes: Uint8Array, start: number): number {
  let index = start
  while (index < bytes.length && bytes[index] !== quote) index += bytes[index] === backslash ? 2 : 1
  return index
}

const utf8 = new TextDecoder()
/** `\u005f` for each of the 11 characters of the longest name. */
const longestEscaped = 66

/** The key if it may be a name of a prototype; otherwise the empty text. */
function keyAt(bytes: Uint8Array, start: number, end: number): string {
  const length = end - start
  if (length === 9 || length === 11) return utf8.decode(bytes.subarray(start, end))
  if (length < 9 || length > longestEscaped) return ''
  for (let index = start; index < end; index += 1) if (bytes[index] === backslash) return unescaped(utf8.decode(bytes.subarray(start, end)))
  return ''
}

function unescaped(text: string): string {
  try {
    return String(JSON.parse(`"${text}"`))
  } catch {
    return ''
  }
}
