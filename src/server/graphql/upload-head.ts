import { z } from 'zod'
import { invalidInput } from '../../kernel/errors.ts'
import { isPrototypeName } from '../../kernel/prototype-names.ts'
import { BodyTooLarge } from '../http/body.ts'
import { checkJson, graphqlLimits, type JsonLimits } from '../../kernel/json-limits.ts'
import { type Envelope, envelopeOf } from './envelope.ts'

/** The part of an upload before its files: the operation, and which variables the files are. */
export type UploadHead = {
  readonly envelope: Envelope
  readonly map: Readonly<Record<string, readonly string[]>>
  /** The bytes that were read after it. They begin with the boundary that ends the head. */
  readonly rest: Buffer
}

const multipart = /^multipart\/form-data;\s*boundary=(?:"([\w'()+,./:=?-]{1,70})"|([\w'()+./:=?-]{1,70}))\s*$/i

/** The boundary of `multipart/form-data`; null for every other type. */
export function boundaryOf(contentType: string | undefined): string | null {
  const found = contentType === undefined ? null : multipart.exec(contentType)
  return found?.[1] ?? found?.[2] ?? null
}

const firstBytes = 16_384

/**
 * Takes an upload piece by piece until its head is complete: the field `operations`, then `map`, as in the GraphQL multipart request
 * specification (github.com/jaydenseric/graphql-multipart-request-spec). Returns null as long as more must come. Throws INVALID_INPUT for
 * any other form, BodyTooLarge for a head over the limit.
 */
export function createUploadHeadReader({
  boundary,
  limitBytes,
}: {
  boundary: string
  limitBytes: number
}): (piece: Buffer) => UploadHead | null {
  const delimiter = Buffer.from(`\r\n--${boundary}`)
  const delimitersAt: number[] = []
  // With a line break before it the first boundary is like all others.
  let bytes = Buffer.alloc(firstBytes)
  let size = bytes.write('\r\n')
  let searchedTo = 0

  const append = (piece: Buffer): void => {
    if (size + piece.length > bytes.length) {
      const larger = Buffer.alloc(Math.max(bytes.length * 2, size + piece.length))
      bytes.copy(larger, 0, 0, size)
      bytes = larger
    }
    size += piece.copy(bytes, size)
  }
  const search = (): void => {
    const known = bytes.subarray(0, size)
    while (delimitersAt.length < 3) {
      const at = known.indexOf(delimiter, searchedTo)
      if (at < 0) break
      delimitersAt.push(at)
      searchedTo = at + delimiter.length
    }
    searchedTo = Math.max(searchedTo, size - delimiter.length + 1)
  }

  return (piece) => {
    append(piece)
    search()
    const [first, second, third] = delimitersAt
    if (first !== 0 && size >= delimiter.length) throw misshapen
    if (third === undefined || second === undefined) {
      if (size > limitBytes) throw new BodyTooLarge(limitBytes)
      return null
    }
    if (third > limitBytes) throw new BodyTooLarge(limitBytes)
    return {
      envelope: readOperations(fieldOf(bytes.subarray(delimiter.length, second), 'operations', graphqlLimits(limitBytes))),
      map: readMap(fieldOf(bytes.subarray(second + delimiter.length, third), 'map', mapLimits)),
      rest: bytes.subarray(third + 2, size),
    }
  }
}

const misshapen = invalidInput('operations', 'must be the first field of the form, and "map" the second')
const fieldHead =
  /^\r\ncontent-disposition: *form-data; *name="(\w+)"\r\n(?:content-type: *(?:application\/json|text\/plain)[^\r\n]*\r\n)?\r\n/i

/** More than 100 files. */
const mapLimits: JsonLimits = { values: 500, depth: 3 }

/** The JSON of a part that is a plain field of this name. */
function fieldOf(part: Buffer, name: string, limits: JsonLimits): unknown {
  const head = fieldHead.exec(part.toString('latin1', 0, 500))
  if (!head || head[1] !== name) throw misshapen
  const text = part.subarray(head[0].length)
  checkJson(text, limits, name)
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    throw invalidInput(name, 'must be JSON')
  }
}

function readOperations(value: unknown): Envelope {
  const envelope = envelopeOf(value)
  if (!envelope) throw invalidInput('operations', 'must be one GraphQL request: query, variables, operationName')
  return envelope
}

/** A file may only be a variable: a file in place of the query would be another operation than the planned one. */
const place = z
  .string()
  .startsWith('variables.')
  .refine((path) => !path.split('.').some(isPrototypeName))
/** A file with the name of a field could be read in its place. */
const fileName = z.string().refine((name) => name !== 'operations' && name !== 'map')
const mapSchema = z.record(fileName, z.array(place))

function readMap(value: unknown): UploadHead['map'] {
  const map = mapSchema.safeParse(value)
  if (!map.success) throw invalidInput('map', 'must name the variables of each file, for example {"0": ["variables.file"]}')
  return map.data
}
