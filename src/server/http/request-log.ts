import type { Log } from '../../kernel/log.ts'
import { traceIds } from '../../kernel/tracing.ts'
import { statusOf } from '../operations/http-figures.ts'
import type { HttpContext } from './http-context.ts'
import { bearerToken } from './request-context.ts'

/** Whose request it was, by ids. */
export type Requester = { readonly workspaceId: string; readonly memberId: string }

/** Machines ask for these every few seconds. */
const quietRoutes: ReadonlySet<string> = new Set(['/health', '/ready', '/metrics'])

/** Whose token it is, if that is known here without asking the platform. */
export type KnownRequesters = { known(accessToken: string): Requester | null }
type Logging = { readonly log: Log; readonly principals: KnownRequesters | undefined }

/** Logs one line for a request that is over. */
export function logRequest(ctx: HttpContext, { log, principals }: Logging): void {
  const level = quietRoutes.has(ctx.route) ? 'debug' : 'info'
  if (!log.isLevelEnabled(level)) return
  const { request, response, aborted } = ctx
  const isSocket = response.statusCode === 101
  const requester = ctx.requester ?? (principals ? knownRequester(request.headers.authorization, principals) : null)
  log[level](
    {
      requestId: ctx.requestId,
      method: request.method,
      route: ctx.route,
      operation: ctx.operation ?? ctx.restOperation ?? undefined,
      status: isSocket ? 101 : statusOf(ctx),
      durationMs: Math.round(ctx.tookMs() * 10) / 10,
      workspaceId: requester?.workspaceId,
      // An API key has no member.
      memberId: requester?.memberId || undefined,
      // A web socket always ends without an answer.
      aborted: isSocket ? undefined : (aborted ?? undefined),
      ...(ctx.span && traceIds(ctx.span)),
    },
    'http.request',
  )
}

/** Whose token the header has, if that is known here. */
export function knownRequester(header: string | undefined, principals: KnownRequesters): Requester | null {
  const accessToken = bearerToken(header)
  return accessToken === null ? null : principals.known(accessToken)
}
