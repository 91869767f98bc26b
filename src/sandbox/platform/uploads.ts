import { z } from 'zod'
import { isJsonObject, type JsonObject } from './json.ts'

/** A file that came in an upload: the value of an `Upload` variable. */
export type UploadedFile = { readonly name: string; readonly contentType: string; readonly bytes: Buffer }

const boundaryPattern = /^multipart\/form-data;.*?boundary="?([^";]+)"?/i
/** A step into an object's prototype would change all objects of this process. Not recorded, so refused. */
const prototypeNames: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])
const path = z.string().refine((text) => !text.split('.').some((step) => prototypeNames.has(step)))
const mapSchema = z.record(z.string(), z.array(path))

function parseJson(text: string): unknown {
  return JSON.parse(text, (key, value: unknown) => {
    if (prototypeNames.has(key)) throw new TypeError(`${key} must not be a key`)
    return value
  })
}

/** The JSON request of an upload (`multipart/form-data`) with its files in the places of its variables; null if the body is not such a request. Throws if its JSON is not valid. */
export function readUpload(contentType: string | undefined, body: Buffer): unknown {
  const boundary = boundaryPattern.exec(contentType ?? '')?.[1]
  if (boundary === undefined) return null
  const parts = new Map(partsOf(body, boundary).map((part) => [part.field, part]))
  const textOf = (field: string): string => parts.get(field)?.bytes.toString('utf8') ?? ''
  const operations = parseJson(textOf('operations'))
  if (!isJsonObject(operations)) return operations
  for (const [field, paths] of Object.entries(mapSchema.parse(parseJson(textOf('map'))))) {
    for (const path of paths) place(operations, path.split('.'), parts.get(field) ?? null)
  }
  return operations
}

type Part = UploadedFile & { readonly field: string }

function partsOf(body: Buffer, boundary: string): Part[] {
  const sections = `\r\n${body.toString('latin1')}`.split(`\r\n--${boundary}`).slice(1, -1)
  return sections.map((section) => {
    const headEnd = section.indexOf('\r\n\r\n')
    const head = Buffer.from(section.slice(0, headEnd), 'latin1').toString('utf8')
    return {
      field: /name="([^"]*)"/i.exec(head)?.[1] ?? '',
      name: /filename="([^"]*)"/i.exec(head)?.[1] ?? '',
      contentType: /^content-type: *(.+)$/im.exec(head)?.[1]?.trim() ?? 'application/octet-stream',
      bytes: Buffer.from(section.slice(headEnd + 4), 'latin1'),
    }
  })
}

function place(holder: JsonObject, [step = '', ...others]: readonly string[], file: UploadedFile | null): void {
  if (others.length === 0) {
    holder[step] = file
    return
  }
  const inner = holder[step]
  if (isJsonObject(inner)) place(inner, others, file)
}
