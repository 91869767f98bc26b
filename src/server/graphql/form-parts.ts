import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { Dicer } from '@fastify/busboy'
import { decodeExtended, encodeExtended, parse } from 'content-disposition'
import { parse as parseType } from 'content-type'
import { z } from 'zod'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { isUtf8 } from '../http/media-types.ts'

/** What the headers of a part say. */
export type PartHead = {
  readonly name: string
  /** By its file name, or its type: so does the platform's reader. */
  readonly isFile: boolean
  /** Whether its text, if it is one, is in UTF-8. */
  readonly isUtf8: boolean
  /** The headers in the platform's form, written from what was read. */
  readonly written: string
}

/** A form ends in the middle, or a part has no head. */
const incompleteForm = new AppError('INVALID_INPUT', { detail: 'The form is not complete: it must end with its boundary' })

const nameless = invalidInput('map', 'must name every later part: each needs one Content-Disposition, form-data with a name')
/** A slice may be full of parts, each of which costs more than its bytes: the reader refuses the first wrong one of a slice. */
const sliceBytes = 16_384

const headersSchema = z.record(z.string(), z.array(z.string()))

/**
 * The parts of `multipart/form-data`: for each its head, then its bytes as they arrive. No more than one piece is in memory. Throws
 * INVALID_INPUT if the form is not complete or a part has no name; what comes before and after the form is ignored (RFC 2046, 5.1.1).
 */
export async function* partsOf(pieces: AsyncIterable<Buffer>, boundary: string): AsyncGenerator<PartHead | Buffer, undefined> {
  const reader = createReader(boundary)
  for await (const piece of pieces) {
    for (let at = 0; at < piece.length; at += sliceBytes) yield* await reader.write(piece.subarray(at, at + sliceBytes))
  }
  await reader.end()
  return undefined
}

type Part = { head: PartHead | null; isGiven: boolean; readonly body: Readable }

function createReader(boundary: string) {
  let parts: Part[] = []
  // Nothing waits in a part longer than for the end of its piece, so no part ever has to slow down the reader.
  const options = { boundary, partHwm: Number.MAX_SAFE_INTEGER }
  const dicer = new Dicer(options)
  const ended = once(dicer, 'finish')
  ended.catch(() => undefined)
  dicer.on('part', (body) => {
    // A form that is full of boundaries is refused at its second one.
    if (parts.at(-1)?.head === null) throw incompleteForm
    const part: Part = { head: null, isGiven: false, body }
    body.on('error', () => undefined)
    body.once('header', (headers) => {
      part.head = headOf(headersSchema.parse(headers))
      if (part.head.name === '') throw nameless
    })
    parts.push(part)
  })
  const arrived = (): (PartHead | Buffer)[] => {
    const found: (PartHead | Buffer)[] = []
    for (const part of parts) {
      if (part.head === null) continue
      if (!part.isGiven) found.push(part.head)
      part.isGiven = true
      const bytes: unknown = part.body.read()
      if (Buffer.isBuffer(bytes)) found.push(bytes)
    }
    // Only the last one may go on.
    parts = parts.slice(-1)
    return found
  }
  return {
    async write(piece: Buffer) {
      await new Promise<void>((resolve, reject) => {
        dicer.write(piece, (error) => (error ? reject(error) : resolve()))
      })
      return arrived()
    },
    async end() {
      dicer.end()
      await ended.catch(() => {
        throw incompleteForm
      })
      if (parts.at(-1)?.head === null) throw incompleteForm
    },
  }
}

/** Header values come as bytes; names of files are UTF-8 (RFC 7578, 5.1), or say what they are (RFC 5987). */
function headOf(headers: Readonly<Record<string, readonly string[]>>): PartHead {
  const valuesOf = (header: string): string[] => (headers[header] ?? []).map((value) => Buffer.from(value, 'latin1').toString('utf8'))
  const [disposition = '', ...others] = valuesOf('content-disposition')
  const { type, parameters } = parse(withPairs(disposition), { extended: false })
  const { name = '', filename: plainName, 'filename*': extended = '' } = type === 'form-data' && others.length === 0 ? parameters : {}
  const extendedName = decodeExtended(extended)
  const filename = extendedName ?? plainName
  const [contentType, encoding] = ['content-type', 'content-transfer-encoding'].map((header) => lineOf(valuesOf(header)[0]))
  const { type: mediaType, parameters: typeParameters } = parseType(contentType ?? '')
  const lines = [
    `form-data; name=${quoted(name)}`,
    ...(filename === undefined ? [] : [`filename=${quoted(filename)}`]),
    ...(extendedName === undefined ? [] : [`filename*=${encodeExtended(extendedName)}`]),
  ]
  return {
    name,
    isFile: filename !== undefined || mediaType === 'application/octet-stream',
    isUtf8: isUtf8(typeParameters['charset']),
    written: [
      `content-disposition: ${lines.join('; ')}`,
      ...(contentType === undefined ? [] : [`content-type: ${contentType}`]),
      ...(encoding === undefined ? [] : [`content-transfer-encoding: ${encoding}`]),
    ].join('\r\n'),
  }
}

/** A value may stand on several lines. What is forwarded has one, so that nobody reads a second header out of it. */
function lineOf(value: string | undefined): string | undefined {
  return value?.replaceAll(/[\r\n]+/g, ' ')
}

/** Browsers write a backslash as it is, others as a pair. As in the platform's reader (busboy), it is one of a pair only before a quote or another one. */
function withPairs(disposition: string): string {
  return disposition.replaceAll(/\\(["\\]?)/g, (pair, next) => (next === '' ? '\\\\' : pair))
}

const lineBreaks: Readonly<Record<string, string>> = { '\r': '%0D', '\n': '%0A' }

function quoted(value: string): string {
  return `"${value.replaceAll(/[\\"]/g, String.raw`\$&`).replaceAll(/[\r\n]/g, (found) => lineBreaks[found] ?? '')}"`
}
