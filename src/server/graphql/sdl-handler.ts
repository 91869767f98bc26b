import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import type { OperationRunner } from './operation-runner.ts'

/** `GET /schema.graphql`: the combined schema of the token's workspace, for code generators. Errors as in REST. */
export function createSdlHandler(runner: OperationRunner, contextOf: (ctx: HttpContext) => RequestContext): Handler {
  const send = async (ctx: HttpContext): Promise<void> => {
    if (bearerToken(ctx.request.headers.authorization) === null) throw new AppError('TOKEN_MISSING')
    const body = await runner.sdl(ctx, contextOf(ctx))
    if (ctx.aborted) return
    const headers = { 'content-type': 'text/plain; charset=utf-8', 'content-length': body.length, 'cache-control': 'no-store' }
    ctx.response.writeHead(200, headers)
    ctx.response.end(ctx.request.method === 'HEAD' ? undefined : body)
  }
  return problemHandler(onlyMethods(['GET', 'HEAD'], send))
}
