import { createHash } from 'node:crypto'
import type { ExecutionResult, Executor } from '@graphql-tools/utils'
import { getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery, OperationTypeNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { buildStitchedSchema, type StitchedSchema } from './build-schema.ts'
import { isRecord } from '../envelope.ts'
import type { Endpoint } from '../root-selections.ts'
import type { ObjectNames } from './object-names.ts'
import type { BuildFigures, WorkerSettings } from './messages.ts'
import type { PlatformContext } from './platform-executor.ts'

/** The workspace's schema cannot be read. */
export class SchemaUnavailable extends Error {
  readonly reason: ErrorReason
  constructor(reason: ErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export type SchemaCacheOptions = {
  readonly settings: WorkerSettings
  readonly executors: Readonly<Record<Endpoint, Executor<PlatformContext>>>
  readonly localExecutor: Executor
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
  /** For an unknown field: the current schema. Null if it was read a moment ago or has not changed. */
  reread(request: SchemaRequest): Promise<GraphQLSchema | null>
  /** The workspace's data model has changed: what was read before is not used any more. Reads the schema again if it was in use. */
  changed(workspaceId: string, platform: PlatformContext): void
}

/** A workspace's last reading. The schema itself is stored by its hash, because workspaces with the same schema share it. */
type Reading = { readonly hash: string; readonly at: number; readonly request: Pick<SchemaRequest, 'workspaceId' | 'objects'> }
type Caches = { readonly schemas: LRUCache<string, StitchedSchema>; readonly readings: LRUCache<string, Reading> }

const introspectionDocument = parse(getIntrospectionQuery({ descriptions: true }))

/** Reads one schema at a time per workspace and replaces it as a whole: running operations go on with the one they began with. */
export function createSchemaCache(options: SchemaCacheOptions): SchemaCache {
  const { settings } = options
  const caches: Caches = { schemas: new LRUCache({ max: settings.maxSchemas }), readings: new LRUCache({ max: 10_000 }) }
  const underWay = new Map<string, Promise<StitchedSchema>>()

  const readOnce = (request: SchemaRequest): Promise<StitchedSchema> => {
    const key = keyOf(request)
    const isCurrent = (): boolean => underWay.get(key) === reading
    const reading: Promise<StitchedSchema> = readSchema(request, options, caches.schemas)
      .then(({ built, hash }) => {
        const { workspaceId, objects } = request
        if (isCurrent()) caches.readings.set(key, { hash, at: performance.now(), request: { workspaceId, objects } })
        return built
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
      const reading = caches.readings.get(keyOf(request))
      const built = reading && caches.schemas.get(reading.hash)
      options.onTaken(built !== undefined)
      if (!built) return (await readOrWait(request)).schema
      if (request.introspects && performance.now() - reading.at > settings.rereadMs) {
        return (await readOrWait(request).catch(() => built)).schema
      }
      if (performance.now() - reading.at > settings.refreshMs && !underWay.has(keyOf(request))) {
        // In the background, with this actor's token. If it fails, the next request tries again.
        readOnce({ ...request, platform: { ...request.platform, signal: AbortSignal.timeout(settings.deadlineMs) } }).catch(() => {})
      }
      return built.schema
    },
    async reread(request) {
      const before = caches.readings.get(keyOf(request))
      if (before && performance.now() - before.at < settings.rereadMs) return null
      const { schema } = await readOrWait(request)
      const after = caches.readings.get(keyOf(request))
      return after?.hash === before?.hash ? null : schema
    },
    changed(workspaceId, platform) {
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

/** Reads the workspace's schema and builds the stitched one, unless another workspace has the same. */
async function readSchema(
  request: SchemaRequest,
  { settings, executors, localExecutor, onBuilt }: SchemaCacheOptions,
  schemas: Caches['schemas'],
): Promise<{ built: StitchedSchema; hash: string }> {
  const { workspaceId, platform, objects } = request
  const startedAt = performance.now()
  const [records, metadata] = await Promise.all([introspect(executors.records, platform), introspect(executors.metadata, platform)])
  const readAt = performance.now()
  const hash = createHash('sha256').update(records.text).update(metadata.text).update(JSON.stringify(objects)).digest('base64url')
  let built = schemas.get(hash)
  if (!built) {
    const introspections = { records: records.introspection, metadata: metadata.introspection }
    built = buildStitchedSchema({ introspections, contract: settings.contract, objects, executors, localExecutor })
    schemas.set(hash, built)
    onBuilt(workspaceId, {
      readMs: Math.round(readAt - startedAt),
      buildMs: Math.round(performance.now() - readAt),
      introspectionBytes: records.text.length + metadata.text.length,
      renamed: built.renamed,
      hidden: built.hidden,
      schemas: schemas.size,
    })
  }
  return { built, hash }
}

function keyOf({ workspaceId, objects }: SchemaRequest): string {
  return `${workspaceId} ${JSON.stringify(objects)}`
}

async function introspect(
  execute: Executor<PlatformContext>,
  platform: PlatformContext,
): Promise<{ introspection: IntrospectionQuery; text: string }> {
  const result = await execute({ document: introspectionDocument, context: platform, operationType: OperationTypeNode.QUERY })
  if (Symbol.asyncIterator in result) throw unreadable()
  if (!isIntrospection(result.data)) throw refusalIn(result)
  return { introspection: result.data, text: JSON.stringify(result.data) }
}

function isIntrospection(data: unknown): data is IntrospectionQuery {
  return isRecord(data) && isRecord(data['__schema'])
}

function unreadable(): SchemaUnavailable {
  return new SchemaUnavailable('PROVIDER_ANSWER_INVALID', 'The platform gave an answer that cannot be read')
}

function refusalIn({ errors }: ExecutionResult): SchemaUnavailable {
  const [error] = errors ?? []
  const { code, reason } = error?.extensions ?? {}
  if (code === 'UNAUTHENTICATED') return new SchemaUnavailable('TOKEN_REFUSED', new AppError('TOKEN_REFUSED').message)
  if (!error || reason === 'PROVIDER_ANSWER_INVALID') return unreadable()
  if (code === 'FORBIDDEN') return new SchemaUnavailable('PLATFORM_REFUSED', 'The platform does not show its schema to this account')
  return new SchemaUnavailable('PROVIDER_UNAVAILABLE', "The platform's schema cannot be read at the moment")
}
