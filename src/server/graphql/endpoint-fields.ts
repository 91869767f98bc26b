import { deadlineSignal } from '../../kernel/deadlines.ts'
import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import { readClaims } from '../../access/token-claims.ts'
import type { CircuitBreaker } from '../../kernel/circuit-breaker.ts'
import { AppError } from '../../kernel/errors.ts'
import { httpRequest, isGatewayFailure } from '../../kernel/http-client.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { type MetadataNames, metadataNames, recordedCommonFields, recordedMetadataFields, type RootNames } from './metadata-fields.ts'

/** Which endpoint of the platform has a root field. */
export type EndpointFields = {
  /** The names for requests without a workspace, and for a workspace whose schema has not been read. */
  readonly assumed: () => MetadataNames
  /** The names in the actor's workspace. A promise if they must be read first: at most 5 s, then they are assumed. */
  of(ctx: HttpContext): MetadataNames | Promise<MetadataNames>
  /** The endpoint refused a root field: reads the names again, unless they were read a moment ago. */
  reread(ctx: HttpContext): Promise<MetadataNames>
  /** The workspace's data model has changed. */
  forget(workspaceId: string): void
}

export type EndpointFieldsOptions = {
  readonly platform: { readonly url: string; readonly graphqlPath: string; readonly metadataPath: string }
  readonly breaker: CircuitBreaker
  /** Names of this age are read again in the background. */
  readonly refreshMs: number
  /** The least time between two readings. */
  readonly rereadMs: number
}

/** A workspace's names, and when they were read, in `performance.now()` time. */
type Known = { readonly names: MetadataNames; readonly at: number }
type Actor = { readonly workspaceId: string; readonly token: string }

const deadlineMs = 5_000

/** Reads the names of root fields with the first actor's token, once per workspace. The token's claims only choose the names to use. */
export function createEndpointFields({ platform, breaker, refreshMs, rereadMs }: EndpointFieldsOptions): EndpointFields {
  const workspaces = new LRUCache<string, Known>({ max: 1_000 })
  const underWay = new Map<string, Promise<Known | null>>()
  const intern = internNames()
  let assumed = intern(recordedMetadataFields, recordedCommonFields)

  const readOnce = (actor: Actor): Promise<Known | null> => {
    const reading = readNames({ platform, breaker }, actor.token).then((read) => {
      if (read === 'refused') return null
      const before = workspaces.get(actor.workspaceId)?.names ?? assumed
      const names = read === 'unreadable' ? before : intern(read.metadata, commonFields(read))
      // The endpoint is the same for all workspaces, so that another version of the platform counts for all at once.
      if (read !== 'unreadable') assumed = intern(read.metadata, recordedCommonFields)
      const known = { names, at: performance.now() - (read === 'unreadable' ? refreshMs - rereadMs : 0) }
      if (underWay.get(actor.workspaceId) === reading) workspaces.set(actor.workspaceId, known)
      return known
    })
    underWay.set(actor.workspaceId, reading)
    const over = (): void => {
      if (underWay.get(actor.workspaceId) === reading) underWay.delete(actor.workspaceId)
    }
    void reading.then(over, over)
    return reading
  }
  /** Waits for a reading that is under way. If its token was refused, reads with the actor's own. */
  const readOrWait = async (actor: Actor): Promise<MetadataNames> => {
    const waited = await underWay.get(actor.workspaceId)
    const known = waited ?? (await (underWay.get(actor.workspaceId) ?? readOnce(actor)))
    return known?.names ?? assumed
  }

  return {
    assumed: () => assumed,
    of(ctx) {
      const actor = actorOf(ctx)
      if (!actor) return assumed
      const known = workspaces.get(actor.workspaceId)
      if (!known) return readOrWait(actor)
      if (performance.now() - known.at > refreshMs && !underWay.has(actor.workspaceId)) void readOnce(actor)
      return known.names
    },
    async reread(ctx) {
      const actor = actorOf(ctx)
      if (!actor) return assumed
      const known = workspaces.get(actor.workspaceId)
      return known && performance.now() - known.at < rereadMs ? known.names : readOrWait(actor)
    },
    forget(workspaceId) {
      workspaces.delete(workspaceId)
      underWay.delete(workspaceId)
    },
  }
}

function actorOf({ request }: HttpContext): Actor | null {
  const token = bearerToken(request.headers.authorization)
  const workspaceId = token === null ? null : (readClaims(token)?.workspaceId ?? null)
  return token === null || workspaceId === null ? null : { token, workspaceId }
}

/** Equal names are one object, so that workspaces share the plans that were made with them. */
function internNames(): (fields: RootNames, common: ReadonlySet<string>) => MetadataNames {
  const known = new LRUCache<string, MetadataNames>({ max: 100 })
  return (fields, common) => {
    const parts = [fields.query, fields.mutation, fields.subscription, common].map((names) => [...names].sort())
    const key = createHash('sha256').update(JSON.stringify(parts)).digest('base64url')
    const names = known.get(key) ?? metadataNames(fields, common)
    known.set(key, names)
    return names
  }
}

type Read = { readonly records: RootNames; readonly metadata: RootNames }

function commonFields({ records, metadata }: Read): ReadonlySet<string> {
  const kinds = ['query', 'mutation', 'subscription'] as const
  return new Set(kinds.flatMap((kind) => [...metadata[kind]].filter((name) => records[kind].has(name)).map((name) => `${kind}.${name}`)))
}

/** `refused`: the platform does not accept the token. `unreadable`: there is no schema in the answers. */
async function readNames(
  { platform, breaker }: Pick<EndpointFieldsOptions, 'platform' | 'breaker'>,
  token: string,
): Promise<Read | 'refused' | 'unreadable'> {
  const paths = [platform.graphqlPath, platform.metadataPath]
  const ask = (path: string): Promise<Answer> => breaker.run(() => askNames(platform.url + path, token), isNoAnswer)
  const answers = await Promise.all(paths.map((path) => ask(path).catch(() => null)))
  const [records, metadata] = answers.map((answer) => (answer?.data ? rootNamesOf(answer.data) : null))
  if (records && metadata) return { records, metadata }
  const codes = new Set(answers.flatMap((answer) => answer?.errors?.map(({ extensions }) => extensions?.code) ?? []))
  return codes.has('UNAUTHENTICATED') || codes.has('FORBIDDEN') ? 'refused' : 'unreadable'
}

const query =
  'query RootFields { __schema { queryType { ...Names } mutationType { ...Names } subscriptionType { ...Names } } } fragment Names on __Type { fields(includeDeprecated: true) { name } }'

const rootType = z.object({ fields: z.array(z.object({ name: z.string() })) }).nullish()
const answerSchema = z.object({
  data: z
    .object({ __schema: z.object({ queryType: rootType, mutationType: rootType, subscriptionType: rootType }) })
    .nullish()
    .catch(null),
  errors: z.array(z.object({ extensions: z.object({ code: z.unknown() }).nullish().catch(null) })).nullish(),
})
type Answer = z.output<typeof answerSchema>

/** Not tied to the client's request, because others may wait for it too. */
async function askNames(url: string, token: string): Promise<Answer> {
  const { status, text } = await httpRequest({
    who: 'The platform',
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json', authorization: `Bearer ${token}` },
    body: JSON.stringify({ query }),
    signal: deadlineSignal(deadlineMs),
  })
  if (isGatewayFailure(status)) throw new AppError('PROVIDER_UNAVAILABLE')
  return answerSchema.parse(JSON.parse(text))
}

/** These requests wait for less than the platform's usual deadline: whether an answer would have come, only silence shows. */
function isNoAnswer(error: unknown): boolean | null {
  if (!(error instanceof AppError) || error.reason === 'PROVIDER_ANSWER_INVALID') return false
  return error.reason === 'DEADLINE_PASSED' ? null : true
}

function rootNamesOf({ __schema: { queryType, mutationType, subscriptionType } }: NonNullable<Answer['data']>): RootNames {
  const namesOf = (type: z.output<typeof rootType>): ReadonlySet<string> => new Set(type?.fields.map(({ name }) => name))
  return { query: namesOf(queryType), mutation: namesOf(mutationType), subscription: namesOf(subscriptionType) }
}
