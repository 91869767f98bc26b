import { readFileSync, writeFileSync } from 'node:fs'
import { parse, print, visit } from 'graphql'
import { z } from 'zod'
import type { BreakingChange } from './change.ts'
import { asyncApiChanges } from './asyncapi-changes.ts'
import type { publishedContracts } from './documents.ts'
import { codesOfReasons, errorChanges } from './error-changes.ts'
import { openApiChanges } from './openapi-changes.ts'
import { schemaChanges } from './schema-changes.ts'

const folder = new URL('released/', import.meta.url)
const names = ['schema.graphql', 'openapi.json', 'asyncapi.json', 'errors.json'] as const

/** The three contracts and the codes of errors as texts, without what is only for people to read. */
export type Snapshot = Readonly<Record<(typeof names)[number], string>>

export function snapshotOf({ sdl, openApi, asyncApi }: ReturnType<typeof publishedContracts>): Snapshot {
  return {
    'schema.graphql': `${withoutDescriptions(sdl)}\n`,
    'openapi.json': jsonText({ paths: openApi.paths, components: { schemas: openApi.components.schemas } }),
    'asyncapi.json': jsonText({ channels: asyncApi.channels, components: { messages: asyncApi.components.messages } }),
    'errors.json': jsonText(codesOfReasons()),
  }
}

/** The contracts of the last release. */
export function readSnapshot(): Snapshot {
  const read = (name: string): string => readFileSync(new URL(name, folder), 'utf8')
  return {
    'schema.graphql': read(names[0]),
    'openapi.json': read(names[1]),
    'asyncapi.json': read(names[2]),
    'errors.json': read(names[3]),
  }
}

export function writeSnapshot(snapshot: Snapshot): void {
  for (const name of names) writeFileSync(new URL(name, folder), snapshot[name])
}

export async function breakingChanges(before: Snapshot, after: Snapshot): Promise<readonly BreakingChange[]> {
  const json = (snapshot: Snapshot, name: `${string}.json` & keyof Snapshot): unknown => JSON.parse(snapshot[name])
  return [
    ...(await schemaChanges(before['schema.graphql'], after['schema.graphql'])),
    ...openApiChanges(json(before, 'openapi.json'), json(after, 'openapi.json')),
    ...asyncApiChanges(json(before, 'asyncapi.json'), json(after, 'asyncapi.json')),
    ...errorChanges(json(before, 'errors.json'), json(after, 'errors.json')),
  ]
}

function withoutDescriptions(sdl: string): string {
  const document = parse(sdl, { noLocation: true })
  return print(visit(document, { enter: (node) => ('description' in node ? { ...node, description: undefined } : undefined) }))
}

const forPeople = new Set(['description', 'summary', 'examples', 'tags'])

const forError = /^([45]\d\d|default)$/
/** Properties may have these names: then their value is a schema, an object. Of an error only its status is stored. */
function jsonText(document: object): string {
  const isText = (key: string, value: unknown): boolean => forPeople.has(key) && !z.record(z.string(), z.unknown()).safeParse(value).success
  const kept = (key: string, value: unknown): unknown => (forError.test(key) && z.looseObject({}).safeParse(value).success ? {} : value)
  return `${JSON.stringify(document, (key, value: unknown) => (isText(key, value) ? undefined : kept(key, value)), 1)}\n`
}
