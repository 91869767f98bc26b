import type { GraphQLFormattedError } from 'graphql'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { readClaims } from '../../access/token-claims.ts'
import { requireServed, type ServedWorkspaces } from '../../features/auth/workspace.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { HttpContext } from '../http/http-context.ts'
import type { GatewayTokens } from './gateway-tokens.ts'
import type { PlatformRequests } from './platform-requests.ts'
import { readGraphQL } from './read-graphql.ts'

/** API keys of the platform belong to a workspace and not to a member. */
export type ApiKeys = {
  /**
   * The key of a request as an actor, confirmed by the platform at most a minute ago; null if its token is no API key. Throws TOKEN_REFUSED if the platform does
   * not accept what is written like one, PROVIDER_UNAVAILABLE if it cannot say.
   */
  actorOf(ctx: HttpContext, context: RequestContext): Promise<Actor | null>
}

const validForMs = 60_000
const question = JSON.stringify({ query: '{ currentWorkspace { id subdomain } }' })
const workspaceSchema = z.object({ currentWorkspace: z.object({ id: z.string(), subdomain: z.string() }) })

/** `metadata`: it counts no requests of API keys. `actorOf` throws WORKSPACE_NOT_SERVED for keys of others. */
export function createApiKeys(
  metadata: Pick<PlatformRequests, 'ask'>,
  { workspaces, tokens }: Pick<ServedWorkspaces, 'workspaces'> & { readonly tokens: Pick<GatewayTokens, 'checkHeader'> },
): ApiKeys {
  const confirmed = new LRUCache<string, Principal>({ max: 1_000, ttl: validForMs })
  const ask = async (ctx: HttpContext): Promise<Principal | null> => {
    const answer = await metadata.ask(question, ctx)
    const { data, errors } = readGraphQL(answer)
    const { data: found } = workspaceSchema.safeParse(data)
    // Not asked again as a person's, as which the platform refuses every key.
    if (!found && answer.status < 500 && errors?.some(isRefusal)) throw new AppError('TOKEN_REFUSED')
    // An old platform does not know the question, which is an error without a code: its tokens of people are asked as such.
    const isAway = answer.status >= 500 || answer.status === 429 || errors?.some(isFailure)
    if (!found && isAway) throw new AppError('PROVIDER_UNAVAILABLE', { detail: 'The platform is not available' })
    if (!found) return null
    requireServed(found.currentWorkspace.subdomain, { workspaces })
    return principalOf(found.currentWorkspace)
  }
  return {
    async actorOf(ctx, { accessToken, clientAddress }) {
      // Tokens of people on old platforms look like keys.
      tokens.checkHeader(ctx.request.headers.authorization)
      const claims = accessToken === null ? null : readClaims(accessToken)
      if (accessToken === null || !claims || claims.workspaceId === null || claims.memberId !== null) return null
      const key = hashOf(accessToken)
      const known = confirmed.get(key)
      const principal = known ?? (await ask(ctx))
      if (!principal) return null
      if (!known) confirmed.set(key, principal)
      ctx.isAuthenticated = true
      return { principal, accessToken, clientAddress }
    },
  }
}

const refusals: ReadonlySet<unknown> = new Set(['UNAUTHENTICATED', 'FORBIDDEN'])

function isFailure({ extensions }: GraphQLFormattedError): boolean {
  return extensions?.['code'] === 'INTERNAL_SERVER_ERROR'
}

function isRefusal({ extensions }: GraphQLFormattedError): boolean {
  return refusals.has(extensions?.['code'])
}

/** It is used only for fields of records that the platform has shown to the key: no rule of ours hides one of them. */
function principalOf({ id, subdomain }: { readonly id: string; readonly subdomain: string }): Principal {
  const roleBasis: Principal['roleBasis'] = { labels: ['API key'], accepted: { manager: ['API key'], user: ['API key'] } }
  const nobody = { userId: '', memberId: '', email: '', firstName: '', lastName: '', agentId: null, roleBasis }
  return { ...nobody, workspaceId: id, workspace: subdomain, role: 'MANAGER' }
}

/** The request for the fields that we add to types of the platform. */
export function contextOfKey(context: RequestContext, actor: Actor): RequestContext {
  return { ...context, principal: () => Promise.resolve(actor.principal), actor: () => Promise.resolve(actor) }
}

/** Rejects if the platform does not accept the token; also of a member of a workspace that is not served here it may know the token. */
export async function confirmToken(apiKeys: ApiKeys, ctx: HttpContext, context: RequestContext): Promise<void> {
  try {
    if (!(await apiKeys.actorOf(ctx, context))) await context.principal()
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'WORKSPACE_NOT_SERVED') throw error
  }
}
