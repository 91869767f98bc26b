import { deadlineSignal } from '../../../kernel/deadlines.ts'
import type { Executor } from '@graphql-tools/utils'
import type { GraphQLSchema } from 'graphql'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../../kernel/at-most.ts'
import { systemClock } from '../../../kernel/clock.ts'
import { createSingleFlight } from '../../../kernel/single-flight.ts'
import { buildStitchedSchema, type StitchedSchema } from './build-schema.ts'
import type { Endpoint } from '../root-selections.ts'
import { introspect, isIntrospection } from './introspect.ts'
import type { ObjectNames } from './object-names.ts'
import type { BuildFigures, WorkerSettings } from './messages.ts'
import type { PlatformContext } from './platform-context.ts'
import { createSchemaFiles, hashOfTexts, type SchemaFiles, type SchemaTexts } from './schema-files.ts'

export type SchemaCacheOptions = {
  readonly settings: WorkerSettings
  /** Of one contract; perhaps shared by several services of the thread. */
  readonly built: BuiltSchemas
  /** They read schemas: their answers have at most `maxIntrospectionBytes`. */
  readonly introspectors: Readonly<Record<Endpoint, Executor<PlatformContext>>>
  /** An operation takes the workspace's schema. `isCached`: it need not wait for it. */
  readonly onTaken: (isCached: boolean) => void
  readonly onBuilt: (workspaceId: string, figures: BuildFigures) => void
}

/** A workspace, the token to read its schema with, and the names of its objects. */
export type SchemaRequest = {
  readonly workspaceId: string
  readonly platform: PlatformContext
  readonly objects: ObjectNames
}

export type SchemaCache = {
  /**
   * The workspace's schema. Reads it with the actor's token if it is not cached, or if the operation introspects and the last reading is older
   * than `rereadMs`: a schema that is shown must not have what was deleted. Throws SchemaUnavailable.
   */
  take(request: SchemaRequest & { readonly introspects: boolean }): Promise<GraphQLSchema>
  /** For an unknown field: the current schema. Null if it was read a moment ago, or this token could not read it a moment ago, or it has not changed. */
  reread(request: SchemaRequest): Promise<GraphQLSchema | null>
  /** The workspace's data model has changed: what was read before is not used any more. Reads the schema again if it was in use. */
  changed(workspaceId: string, platform: PlatformContext): void
}

/** A workspace's last reading. The schema itself is stored by its hash and names, because workspaces with the same ones share it. */
type Reading = { readonly hash: string; readonly at: number; readonly request: Pick<SchemaRequest, 'workspaceId' | 'objects'> }
type Caches = {
  readonly schemas: BuiltSchemas
  readonly readings: LRUCache<string, Reading>
  /** Also of schemas that are not in memory. Null: none. */
  readonly files: SchemaFiles | null
}

/** Of one endpoint. The platform's real schema has 3.2 MB. All workspaces wait while the thread parses and builds a schema. */
export const maxIntrospectionBytes = 16 * 1_048_576

/** Of the introspection results of all schemas in memory. There is always room for `maxSchemas` of the platform's real size. */
function maxBytes(maxSchemas: number): number {
  return Math.max(64, 4 * maxSchemas) * 1_048_576
}

/** A schema that no operation has taken for so long is dropped: it holds tens of megabytes. */
const unusedMs = 15 * 60_000

/** Reads one schema at a time per workspace and replaces it as a whole: running operations go on with the one they began with. */
export function createSchemaCache(options: SchemaCacheOptions): SchemaCache {
  const { settings } = options
  const caches = createCaches(options)
  const underWay = new Map<string, Promise<StitchedSchema>>()
  const recalls = createRecalls(options, caches)
  const failures = createFailures(settings.rereadMs)

  const readOnce = (request: SchemaRequest): Promise<StitchedSchema> => {
    const key = keyOf(request)
    const isCurrent = (): boolean => underWay.get(key) === reading
    const reading: Promise<StitchedSchema> = failures
      .noting(request, readSchema(request, options, caches.schemas))
      .then((read) => {
        if (isCurrent()) remember(request, read, caches)
        return read.built
      })
      .finally(() => isCurrent() && underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  /** Waits for a reading that is under way. If that fails (perhaps because of its token), reads with the actor's own token. */
  const readOrWait = async (request: SchemaRequest): Promise<StitchedSchema> => {
    const other = underWay.get(keyOf(request))
    const waited = other && (await other.catch(() => null))
    if (waited) return waited
    return underWay.get(keyOf(request)) ?? readOnce(request)
  }

  return {
    async take(request) {
      const inMemory = cached(request, caches)
      options.onTaken(inMemory !== null)
      if (!inMemory && !underWay.has(keyOf(request))) await recalls.recall(request)
      const known = inMemory ?? cached(request, caches)
      if (!known) return (await readOrWait(request)).schema
      const { reading, built } = known
      if (request.introspects && performance.now() - reading.at > settings.rereadMs) {
        return (await readOrWait(request).catch(() => built)).schema
      }
      if (performance.now() - reading.at > settings.refreshMs && !underWay.has(keyOf(request)) && !failures.hasRecent(request)) {
        // In the background, with this actor's token.
        readOnce({ ...request, platform: { ...request.platform, signal: deadlineSignal(settings.deadlineMs) } }).catch(() => {})
      }
      return built.schema
    },
    async reread(request) {
      const before = caches.readings.get(keyOf(request))
      if ((before && performance.now() - before.at < settings.rereadMs) || failures.hasRecent(request)) return null
      const { schema } = await readOrWait(request)
      const after = caches.readings.get(keyOf(request))
      return after?.hash === before?.hash ? null : schema
    },
    changed(workspaceId, platform) {
      recalls.changed(workspaceId)
      for (const key of underWay.keys()) if (key.startsWith(`${workspaceId} `)) underWay.delete(key)
      const affected = [...caches.readings.entries()].filter(([, { request }]) => request.workspaceId === workspaceId)
      for (const [key, { request }] of affected) {
        caches.readings.delete(key)
        // If it fails, the next operation reads with its own token.
        readOnce({ ...request, platform }).catch(() => {})
      }
    },
  }
}

/** The stitched schemas in memory, by what they were built from. The least recently used one of more than `maxSchemas` is dropped. */
export type BuiltSchemas = LRUCache<string, StitchedSchema>

export function createBuiltSchemas(maxSchemas: number): BuiltSchemas {
  return new LRUCache({ max: maxSchemas, maxSize: maxBytes(maxSchemas), ttl: unusedMs, ttlAutopurge: true, updateAgeOnGet: true })
}

function createCaches({ built, settings: { directory } }: SchemaCacheOptions): Caches {
  const files = directory === null ? null : createSchemaFiles(directory)
  return { schemas: built, readings: new LRUCache(atMost(10_000)), files }
}

function remember({ workspaceId, objects }: SchemaRequest, { hash, texts }: Read, { readings, files }: Caches): void {
  readings.set(keyOf({ workspaceId, objects }), { hash, at: performance.now(), request: { workspaceId, objects } })
  files?.write(workspaceId, { hash, texts })
}

type Read = { readonly built: StitchedSchema; readonly hash: string; readonly texts: SchemaTexts }
type Introspections = Parameters<typeof buildStitchedSchema>[0]['introspections']

/** Reads the workspace's schema and builds the stitched one, unless another workspace has the same. */
async function readSchema(request: SchemaRequest, options: SchemaCacheOptions, schemas: Caches['schemas']): Promise<Read> {
  const { introspectors } = options
  const startedAt = performance.now()
  const [records, metadata] = await Promise.all([
    introspect(introspectors.records, request.platform),
    introspect(introspectors.metadata, request.platform),
  ])
  const readMs = performance.now() - startedAt
  const texts = { records: JSON.stringify(records), metadata: JSON.stringify(metadata) }
  const hash = hashOfTexts(texts)
  const bytes = texts.records.length + texts.metadata.length
  const built =
    schemas.get(schemaKey(hash, request)) ??
    build({ introspections: { records, metadata }, hash, bytes, readMs, source: 'PLATFORM' }, { request, options, schemas })
  return { built, hash, texts }
}

/** Not each operation of an actor who may not read the schema tries to read it. Other actors do. */
function createFailures(rereadMs: number) {
  const failedAt = new LRUCache<string, number>(atMost(1_000))
  const keyWithToken = (request: SchemaRequest): string => `${keyOf(request)} ${request.platform.accessToken}`
  return {
    noting: (request: SchemaRequest, reading: Promise<Read>): Promise<Read> =>
      reading.catch((error: unknown) => {
        // A client that leaves says nothing about its token.
        if (!hasLeft(request.platform.signal)) failedAt.set(keyWithToken(request), performance.now())
        throw error
      }),
    hasRecent: (request: SchemaRequest) => performance.now() - (failedAt.get(keyWithToken(request)) ?? -Infinity) < rereadMs,
  }
}

function hasLeft({ aborted, reason }: AbortSignal): boolean {
  return aborted && !(reason instanceof Error && reason.name === 'TimeoutError')
}

/** Takes schemas from their files. */
function createRecalls(options: SchemaCacheOptions, caches: Caches) {
  const running = createSingleFlight<void>()
  let changes = 0
  const recall = async (request: SchemaRequest): Promise<void> => {
    const changesBefore = changes
    const recalled = await recallSchema(request, options, caches)
    // What was stored before a change is not used.
    if (recalled && changes === changesBefore) caches.readings.set(keyOf(request), recalled)
  }
  return {
    /** Afterwards the workspace's schema is in memory, if it has a file that can be used. */
    recall: (request: SchemaRequest) => running.run(keyOf(request), () => recall(request)),
    changed(workspaceId: string) {
      changes += 1
      caches.files?.remove(workspaceId)
    },
  }
}

/** The same from the workspace's file. The reading is as old as the platform's last confirmation. */
async function recallSchema(request: SchemaRequest, options: SchemaCacheOptions, { schemas, files }: Caches): Promise<Reading | null> {
  const startedAt = performance.now()
  const { workspaceId, objects } = request
  const stored = files && (await files.read(workspaceId))
  if (!stored) return null
  const { hash, readAt } = stored
  const reading = { hash, at: performance.now() - (systemClock.now() - readAt), request: { workspaceId, objects } }
  if (schemas.has(schemaKey(hash, request))) return reading
  const texts = await stored.texts()
  const introspections = texts && introspectionsIn(texts)
  if (!texts || !introspections) return null
  const readMs = performance.now() - startedAt
  const bytes = texts.records.length + texts.metadata.length
  if (schemas.has(schemaKey(hash, request))) return reading
  try {
    build({ introspections, hash, bytes, readMs, source: 'DISK' }, { request, options, schemas })
    return reading
  } catch {
    // The platform's own schema may be another one by now.
    files.remove(workspaceId)
    return null
  }
}

function cached(
  request: SchemaRequest,
  { readings, schemas }: Caches,
): { readonly reading: Reading; readonly built: StitchedSchema } | null {
  const reading = readings.get(keyOf(request))
  const built = reading && schemas.get(schemaKey(reading.hash, request))
  return reading && built ? { reading, built } : null
}

function introspectionsIn(texts: SchemaTexts): Introspections | null {
  const records: unknown = JSON.parse(texts.records)
  const metadata: unknown = JSON.parse(texts.metadata)
  return isIntrospection(records) && isIntrospection(metadata) ? { records, metadata } : null
}

type Given = Pick<BuildFigures, 'readMs' | 'source'> & {
  readonly introspections: Introspections
  readonly hash: string
  readonly bytes: number
}
type For = { readonly request: SchemaRequest; readonly options: SchemaCacheOptions; readonly schemas: Caches['schemas'] }

function build({ introspections, hash, bytes, readMs, source }: Given, { request, options, schemas }: For): StitchedSchema {
  const { settings } = options
  const startedAt = performance.now()
  const built = buildStitchedSchema({ introspections, contract: settings.contract, objects: request.objects })
  schemas.set(schemaKey(hash, request), built, { size: bytes })
  options.onBuilt(request.workspaceId, {
    source,
    readMs: Math.round(readMs),
    buildMs: Math.round(performance.now() - startedAt),
    introspectionBytes: bytes,
    renamed: built.renamed,
    hidden: built.hidden,
    schemas: schemas.size,
  })
  return built
}

function schemaKey(hash: string, { objects }: Pick<SchemaRequest, 'objects'>): string {
  return `${hash} ${JSON.stringify(objects)}`
}

function keyOf({ workspaceId, objects }: Pick<SchemaRequest, 'workspaceId' | 'objects'>): string {
  return `${workspaceId} ${JSON.stringify(objects)}`
}
