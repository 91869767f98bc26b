import { z } from 'zod'
import type { Caller } from './callers.ts'
import { forbiddenResource, internalError, permissionDenied, platformError } from './errors.ts'
import { isJsonObject, textOf } from './json.ts'
import { mayUse } from './roles.ts'

const argumentsForm = z.object({
  searchInput: z.string(),
  limit: z.number(),
  after: z.string().nullish(),
  includedObjectNameSingulars: z.array(z.string()).nullish(),
})
const maxRows = 100

/** The platform's full-text search, here for words that begin words of a record's label; pages after the first are not played. */
export function searchRecords(args: unknown, caller: Caller) {
  if (caller.kind !== 'user' && caller.kind !== 'apiKey') throw forbiddenResource()
  const { searchInput, limit, after, includedObjectNameSingulars: names } = argumentsForm.parse(args)
  if (limit > maxRows) throw platformError(`Limit cannot exceed ${maxRows} items`, 'BAD_USER_INPUT')
  if (after) throw internalError(`Invalid cursor: ${after}`)
  const { model, records } = caller.workspace
  const objects = model.objects().filter((object) => (names ? names.includes(object.nameSingular) : !object.isSystem))
  const readable = objects.filter((object) => mayUse(caller.role, 'read', object))
  if (names && readable.length < objects.length) throw permissionDenied()
  const wanted = wordsOf(searchInput)
  const nodes = readable
    .flatMap((object) =>
      records.find(object, {}).map((record) => ({
        recordId: record.id,
        objectNameSingular: object.nameSingular,
        label: labelText(record[object.labelField]),
      })),
    )
    .filter(({ label }) => wanted.every((word) => wordsOf(label).some((known) => known.startsWith(word))))
  const edges = nodes.slice(0, Math.max(0, limit)).map((node) => ({ node, cursor: Buffer.from(node.recordId).toString('base64') }))
  return { edges, pageInfo: { hasNextPage: nodes.length > edges.length } }
}

function wordsOf(text: string): string[] {
  return text.toLowerCase().split(/\s+/).filter(Boolean)
}

function labelText(label: unknown): string {
  return isJsonObject(label) ? Object.values(label).map(textOf).join(' ') : textOf(label ?? '')
}
