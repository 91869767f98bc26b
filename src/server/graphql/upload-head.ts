import { z } from 'zod'
import { invalidInput } from '../../kernel/errors.ts'
import { isPrototypeName } from '../../kernel/prototype-names.ts'
import { BodyTooLarge } from '../http/body.ts'
import { checkJson, graphqlLimits, type JsonLimits } from '../../kernel/json-limits.ts'
import { type Envelope, envelopeOf } from './envelope.ts'
import type { PartHead } from './form-parts.ts'

/** The parts of an upload before its files: the operation, and which variables the files are. */
export type UploadHead = {
  readonly envelope: Envelope
  readonly map: Readonly<Record<string, readonly string[]>>
  /** The head of the first file; null if there is none. */
  readonly next: PartHead | null
}

export type Parts = AsyncGenerator<PartHead | Buffer, undefined>

const misshapen = invalidInput('operations', 'must be the first field of the form, and "map" the second; both JSON in UTF-8')

/**
 * Reads the head of an upload: the field `operations`, then `map`, as in the GraphQL multipart request specification
 * (github.com/jaydenseric/graphql-multipart-request-spec). Throws INVALID_INPUT for any other form, BodyTooLarge for a field over the limit.
 */
export async function readUploadHead(parts: Parts, limitBytes: number): Promise<UploadHead> {
  const { value: first } = await parts.next()
  const operations = await readField(parts, Buffer.isBuffer(first) ? null : (first ?? null), { name: 'operations', limitBytes })
  const envelope = readOperations(jsonOf('operations', operations.text, graphqlLimits(limitBytes)))
  const map = await readField(parts, operations.next, { name: 'map', limitBytes })
  return { envelope, map: readMap(jsonOf('map', map.text, mapLimits)), next: map.next }
}

/** The text of a plain field, and the head of the part after it. */
async function readField(
  parts: Parts,
  head: PartHead | null,
  { name, limitBytes }: { readonly name: string; readonly limitBytes: number },
): Promise<{ readonly text: Buffer; readonly next: PartHead | null }> {
  if (head?.name !== name || head.isFile || !head.isUtf8) throw misshapen
  const pieces: Buffer[] = []
  let size = 0
  for (;;) {
    const { value } = await parts.next()
    if (!Buffer.isBuffer(value)) return { text: Buffer.concat(pieces), next: value ?? null }
    size += value.length
    if (size > limitBytes) throw new BodyTooLarge(limitBytes)
    pieces.push(value)
  }
}

/** More than 100 files. */
const mapLimits: JsonLimits = { values: 500, depth: 3 }

function jsonOf(name: string, text: Buffer, limits: JsonLimits): unknown {
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
