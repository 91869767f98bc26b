import type { z } from 'zod'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import { AppError } from '../../kernel/errors.ts'
import type { RecordAccess, ServiceAccess } from '../../ports/record-access.ts'
import type { PlatformEndpoint } from './endpoint.ts'
import { platformErrorOf } from './failure.ts'
import type { PlatformLimit, RequestWindow } from './api-key-limit.ts'
import type { ServiceQueue } from './api-key-queue.ts'

export type RecordRequest<Schema extends z.ZodType> = {
  readonly access: RecordAccess
  readonly document: string
  readonly variables?: Readonly<Record<string, unknown>>
  readonly answer: Schema
  /** See `PlatformRequest`. */
  readonly partial?: boolean
  /** How many of the API key's requests it counts for: one per record operation, none for introspection. Default 1. */
  readonly cost?: number
  readonly signal?: AbortSignal
}

/** One request for a workspace's records. A person's request is sent at once, the service's own waits in the queue. Errors: those of `PlatformEndpoint`. */
export type RecordGate = <Schema extends z.ZodType>(request: RecordRequest<Schema>) => Promise<z.output<Schema>>

export function createRecordGate({
  endpoint,
  configuration,
  queue,
  window,
}: {
  readonly endpoint: PlatformEndpoint
  readonly configuration: Configuration
  readonly queue: ServiceQueue
  readonly window: RequestWindow
}): RecordGate {
  const apiKeyOf = async ({ workspaceId, lane }: ServiceAccess, { cost, signal }: Request): Promise<string> => {
    const { apiKey } = await configuration.read(workspaceId, 'platform')
    if (apiKey === null) throw new AppError('NOT_CONFIGURED', { detail: "The platform's API key is not set for this workspace" })
    if (cost > 0) await queue.wait({ workspaceId, lane, cost, ...(signal ? { signal } : {}) })
    return apiKey
  }

  return async ({ access, cost = 1, ...request }) => {
    const accessToken = access.kind === 'PERSON' ? access.accessToken : await apiKeyOf(access, { cost, signal: request.signal })
    try {
      return await endpoint.request({ endpoint: 'records', accessToken, ...request })
    } catch (error) {
      const refusal = access.kind === 'SERVICE' ? platformErrorOf(error) : null
      if (refusal?.facts.kind === 'LIMIT_REACHED') window.learn(access.workspaceId, limitIn(refusal.platformMessage()))
      throw error
    }
  }
}

type Request = { readonly cost: number; readonly signal: AbortSignal | undefined }

/** "Limit reached (100 tokens per 60000 ms)"; null for another text. */
function limitIn(message: string): PlatformLimit | null {
  const [, requests, windowMs] = /\b(\d{1,9}) tokens per (\d{1,9}) ms\b/.exec(message) ?? []
  const limit = { requests: Number(requests), windowMs: Number(windowMs) }
  return limit.requests > 0 && limit.windowMs > 0 ? limit : null
}
