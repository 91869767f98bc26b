import type { Clock } from '../clock.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import { type ApiKeyLimit, createApiKeyLimit } from './api-key-limit.ts'
import { asBearerError, type Caller, callerOf } from './callers.ts'
import { PlatformError } from './errors.ts'
import { plainAnswer, serverAnswer, shapedError } from './graphql-answers.ts'
import { type GraphqlRequest, readGraphqlRequest, rootNames } from './graphql-request.ts'
import { fileAnswer } from './metadata-files.ts'
import { answerMetadata, metadataRootFields } from './metadata-handler.ts'
import { answerRecords } from './record-handler.ts'
import type { World } from './fixtures.ts'

export type Handlers = {
  readonly limit: ApiKeyLimit
  readonly handle: (request: StandInRequest) => Promise<StandInAnswer>
  /** `POST /graphql leads,agents`: path and root fields, for faults and counts. */
  readonly operationOf: (request: StandInRequest) => string
}

/** The platform's paths. `world` is called for each request, because a reset replaces the state. */
export function openHandlers(clock: Clock, world: () => World): Handlers {
  const limit = createApiKeyLimit(clock)

  const graphql = async (request: StandInRequest): Promise<StandInAnswer> => {
    const read = readGraphqlRequest(request)
    if (read.kind === 'answer') return read.answer
    if (read.kind === 'unanswered') return never()
    const known = await callerOrAnswer(world(), request.headers.authorization)
    if ('answer' in known) return known.answer
    const question = { world: world(), caller: known.caller, limit, request: read.request }
    const isMetadata = request.path === '/metadata' || isOldAuthentication(world(), read.request)
    return isMetadata ? answerMetadata(question) : answerRecords(question)
  }

  /** Versions before 1.11 take sign-in on `/graphql` as well. */
  const isOldAuthentication = (world: World, request: GraphqlRequest): boolean => {
    if (world.version !== '1.3') return false
    const names = rootNames(request)
    return names.length > 0 && names.every((name) => metadataRootFields.has(name))
  }

  return {
    limit,
    async handle(request) {
      if (request.path === '/graphql' || request.path === '/metadata') return graphql(request)
      const file = request.method === 'GET' ? fileAnswer(world(), `${request.path}?${request.query.toString()}`) : null
      if (file) return file
      if (/^\/(graphql|metadata)\//.test(request.path)) return { status: 404, body: '' }
      if (request.path === '/healthz') return serverAnswer({ status: 'ok', info: {}, error: {}, details: {} })
      return serverAnswer({ message: `Cannot ${request.method} ${request.path}`, error: 'Not Found', statusCode: 404 }, 404)
    },
    operationOf(request) {
      const place = `${request.method} ${request.path}`
      if (request.path !== '/graphql' && request.path !== '/metadata') return place
      const read = readGraphqlRequest(request)
      return read.kind === 'operation' ? `${place} ${rootNames(read.request).join(',')}` : place
    },
  }
}

/** The platform leaves a request without a query unanswered. */
function never(): Promise<never> {
  return new Promise(() => undefined)
}

async function callerOrAnswer(world: World, authorization: string | undefined): Promise<{ caller: Caller } | { answer: StandInAnswer }> {
  try {
    return { caller: await callerOf(world, authorization) }
  } catch (error) {
    if (error instanceof PlatformError) return { answer: plainAnswer({ errors: [shapedError(asBearerError(error))] }) }
    throw error
  }
}
