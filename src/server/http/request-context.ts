import type { Principal } from '../../access/principal.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { HttpContext } from './http-context.ts'

/** Returns the principal of the token; throws UNAUTHENTICATED if it is not valid. */
export type ResolvePrincipal = (accessToken: string, signal: AbortSignal) => Promise<Principal>

const bearer = /^Bearer +([\w.~+/=-]{1,8192})$/i

/** The token of `Authorization: Bearer`; null if there is none or the header is malformed. */
export function bearerToken(header: string | undefined): string | null {
  return header === undefined ? null : (bearer.exec(header)?.[1] ?? null)
}

/** The request for use cases. The principal is looked up once, on the first use. */
export function createRequestContext(ctx: HttpContext, resolvePrincipal: ResolvePrincipal): RequestContext {
  const accessToken = bearerToken(ctx.request.headers.authorization)
  let principal: Promise<Principal> | undefined
  const resolve = (): Promise<Principal> => {
    if (accessToken === null) return Promise.reject(new AppError('TOKEN_MISSING'))
    principal ??= resolvePrincipal(accessToken, ctx.signal).then((resolved) => {
      ctx.isAuthenticated = true
      ctx.requester = resolved
      return resolved
    })
    return principal
  }
  return {
    requestId: ctx.requestId,
    get clientAddress() {
      return ctx.clientAddress
    },
    accessToken,
    origin: ctx.request.headers.origin ?? null,
    get signal() {
      return ctx.signal
    },
    get log() {
      return ctx.log
    },
    afterAnswer(callback) {
      ctx.onClosed(() => callback(ctx.response.writableFinished && ctx.aborted === null))
    },
    allowAtLeast(ms) {
      ctx.deadlineAt = Math.max(ctx.deadlineAt, performance.now() + ms)
    },
    pausing: (wait) => ctx.pausing(wait),
    principal: resolve,
    async actor() {
      const member = await resolve()
      if (accessToken === null) throw new AppError('TOKEN_MISSING')
      return { principal: member, accessToken, clientAddress: ctx.clientAddress }
    },
  }
}
