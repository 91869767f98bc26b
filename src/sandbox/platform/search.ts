import { z } from 'zod'
import type { Caller } from './callers.ts'
import { forbiddenResource } from './errors.ts'
import { isJsonObject, textOf } from './json.ts'

/** The platform's full-text search, here over the labels of all records that are not the system's. */
export function searchRecords(args: unknown, caller: Caller) {
  if (caller.kind !== 'user' && caller.kind !== 'apiKey') throw forbiddenResource()
  const { searchInput, limit } = z.object({ searchInput: z.string(), limit: z.number() }).parse(args)
  const { model, records } = caller.workspace
  const wanted = searchInput.toLowerCase()
  const nodes = model
    .objects()
    .filter((object) => !object.isSystem)
    .flatMap((object) =>
      records.find(object, {}).map((record) => ({
        recordId: record.id,
        objectNameSingular: object.nameSingular,
        label: labelText(record[object.labelField]),
      })),
    )
    .filter(({ label }) => label.toLowerCase().includes(wanted))
  return { edges: nodes.slice(0, limit).map((node) => ({ node, cursor: Buffer.from(node.recordId).toString('base64') })) }
}

function labelText(label: unknown): string {
  return isJsonObject(label) ? Object.values(label).map(textOf).join(' ') : textOf(label ?? '')
}
