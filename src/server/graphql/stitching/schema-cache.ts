import { createHash } from 'node:crypto'
import type { ExecutionResult, Executor } from '@graphql-tools/utils'
import { getIntrospectionQuery, type GraphQLSchema, type IntrospectionQuery, OperationTypeNode, parse } from 'graphql'
import { LRUCache } from 'lru-cache'
import { AppError, type ErrorReason } from '../../../kernel/errors.ts'
import { buildStitchedSchema, type StitchedSchema } from './build-schema.ts'
import { isRecord } from '../envelope.ts'
import type { PlatformExtension } from './extensions.ts'
import type { BuildFigures, WorkerSettings } from './messages.ts'
import type { CallerContext } from './platform-executor.ts'

/** Why a workspace's schema cannot be had. */
export class SchemaUnavailable extends Error {
  readonly reason: ErrorReason
  constructor(reason: ErrorReason, message: string) {
    super(message)
    this.reason = reason
  }
}

export type SchemaCacheDependencies = {
  readonly settings: WorkerSettings
  readonly platformExecutor: Executor<CallerContext>
  readonly localExecutor: Executor
  readonly onBuilt: (workspaceId: string, figures: BuildFigures) => void
}

/** Who asks, and what is added to the schema for the workspace. */
export type SchemaAsk = { readonly workspaceId: string; readonly caller: CallerContext; readonly extensions: readonly PlatformExtension[] }

export type SchemaCache = {
  /** The workspace's schema; read with the caller's token where it is not there yet. Throws SchemaUnavailable. */
  take(ask: SchemaAsk): Promise<GraphQLSchema>
  /** After an unknown field: the schema as it is now, or null where it was read just now or is the same still. */
  reread(ask: SchemaAsk): Promise<GraphQLSchema | null>
}

/** A workspace's last reading. The schema itself stands on the shelf by its hash, shared by workspaces that are the same. */
type Reading = { readonly hash: string; readonly at: number }

const introspectionDocument = parse(getIntrospectionQuery({ descriptions: true }))

/** Builds schemas one at a time per workspace, swaps them whole: operations under way keep the one they began with. */
export function createSchemaCache({ settings, platformExecutor, localExecutor, onBuilt }: SchemaCacheDependencies): SchemaCache {
  const cache = new LRUCache<string, StitchedSchema>({ max: settings.maxSchemas })
  const readings = new LRUCache<string, Reading>({ max: 10_000 })
  const underWay = new Map<string, Promise<StitchedSchema>>()

  const read = async ({ workspaceId, caller, extensions }: SchemaAsk): Promise<StitchedSchema> => {
    const startedAt = performance.now()
    const { introspection, text } = await introspect(platformExecutor, caller)
    const readAt = performance.now()
    const hash = createHash('sha256').update(text).update(JSON.stringify(extensions)).digest('base64url')
    let built = cache.get(hash)
    if (!built) {
      built = buildStitchedSchema({ introspection, contract: settings.contract, extensions, platformExecutor, localExecutor })
      cache.set(hash, built)
      onBuilt(workspaceId, {
        readMs: Math.round(readAt - startedAt),
        buildMs: Math.round(performance.now() - readAt),
        introspectionBytes: text.length,
        renamed: built.renamed,
        hidden: built.hidden,
        schemas: cache.size,
      })
    }
    readings.set(keyOf(workspaceId, extensions), { hash, at: performance.now() })
    return built
  }

  const readOnce = (ask: SchemaAsk): Promise<StitchedSchema> => {
    const key = keyOf(ask.workspaceId, ask.extensions)
    const reading = read(ask).finally(() => underWay.delete(key))
    underWay.set(key, reading)
    return reading
  }

  /** Waits for another's reading; where that failed (perhaps by its token) reads with the caller's own. */
  const readOrWait = async (ask: SchemaAsk): Promise<StitchedSchema> => {
    const other = underWay.get(keyOf(ask.workspaceId, ask.extensions))
    const waited = other && (await other.catch(() => null))
    if (waited) return waited
    return underWay.get(keyOf(ask.workspaceId, ask.extensions)) ?? readOnce(ask)
  }

  return {
    async take(ask) {
      const reading = readings.get(keyOf(ask.workspaceId, ask.extensions))
      const built = reading && cache.get(reading.hash)
      if (!built) return (await readOrWait(ask)).schema
      if (performance.now() - reading.at > settings.refreshMs && !underWay.has(keyOf(ask.workspaceId, ask.extensions))) {
        // In the background, by the token at hand; where it fails the next one tries.
        readOnce({ ...ask, caller: { ...ask.caller, signal: AbortSignal.timeout(settings.deadlineMs) } }).catch(() => {})
      }
      return built.schema
    },
    async reread(ask) {
      const before = readings.get(keyOf(ask.workspaceId, ask.extensions))
      if (before && performance.now() - before.at < settings.rereadMs) return null
      const { schema } = await readOrWait(ask)
      const after = readings.get(keyOf(ask.workspaceId, ask.extensions))
      return after?.hash === before?.hash ? null : schema
    },
  }
}

function keyOf(workspaceId: string, extensions: readonly PlatformExtension[]): string {
  return `${workspaceId} ${JSON.stringify(extensions)}`
}

async function introspect(
  execute: Executor<CallerContext>,
  caller: CallerContext,
): Promise<{ introspection: IntrospectionQuery; text: string }> {
  const result = await execute({ document: introspectionDocument, context: caller, operationType: OperationTypeNode.QUERY })
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
