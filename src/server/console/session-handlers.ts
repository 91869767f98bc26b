import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { PublicAddress } from '../../kernel/public-address.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { readJson } from '../http/json-body.ts'
import { sendProblem } from '../http/problem.ts'
import { onlyMethods, problemHandler } from '../http/routes.ts'
import { type RestApi, runRow } from '../rest/handler.ts'
import { noRenewalCookie, renewalCookie, renewalToken, requireOwnPage, sessionPath } from './renewal-cookie.ts'

const ownerInput = z.strictObject({ userId: z.string(), workspaceId: z.string() })
const issuedSchema = z.looseObject({ tokens: z.looseObject({ refreshToken: z.looseObject({ token: z.string() }) }) })

/**
 * The sign-in of the console: as `/auth/login`, `/auth/tokens` and `/auth/refresh`, but the refresh token is in a cookie that no script reads, and empty in
 * the answer. The cookie is good for the renewal alone. Several tabs share it; the page says whose tokens it wants, because another tab may have signed
 * somebody else in.
 */
export function createConsoleSessionHandlers(api: RestApi, publicAddress: Pick<PublicAddress, 'url'>): Readonly<Record<string, Handler>> {
  const handler = (handle: (ctx: HttpContext) => Promise<void>): Handler => ({
    ...problemHandler(
      onlyMethods(['POST'], (ctx) => {
        requireOwnPage(ctx.request.headers, publicAddress.url())
        return handle(ctx)
      }),
    ),
    // No other origin may call it, the platform's frontends neither.
    ownsCors: true,
  })
  return {
    [`${sessionPath}/sign-in`]: handler(async (ctx) => issue(api, ctx, { operation: 'agentLogin', body: await readJson(ctx) })),
    [`${sessionPath}/exchange`]: handler(async (ctx) => issue(api, ctx, { operation: 'exchangeLoginToken', body: await readJson(ctx) })),
    [`${sessionPath}/renew`]: handler((ctx) => renew(api, ctx)),
    [`${sessionPath}/end`]: handler(end),
  }
}

type Issuing = { readonly operation: 'agentLogin' | 'exchangeLoginToken' | 'refreshTokens'; readonly body: unknown }

async function issue(api: RestApi, ctx: HttpContext, { operation, body }: Issuing): Promise<void> {
  const row = api.rows.find(({ name }) => name === operation)
  if (!row) throw new TypeError(`REST has no operation ${operation}`)
  const { request, response } = ctx
  const outcome = await runRow(api, ctx, { row, request: { path: {}, query: new URLSearchParams(), ifMatch: null, body } })
  if (ctx.aborted || response.headersSent) return
  if (outcome.error) return sendProblem(ctx, outcome.error)
  const { tokens, ...others } = issuedSchema.parse(outcome.answer)
  response.setHeader('set-cookie', renewalCookie(request.headers, tokens.refreshToken.token))
  sendJson(ctx, { ...others, tokens: { ...tokens, refreshToken: { ...tokens.refreshToken, token: '' } } })
}

async function renew(api: RestApi, ctx: HttpContext): Promise<void> {
  const refreshToken = renewalToken(ctx.request.headers, parseInput(ownerInput, await readJson(ctx), 'body'))
  if (refreshToken === null)
    throw new AppError('TOKEN_REFUSED', { detail: 'This browser has no sign-in of this member any more; sign in again' })
  return issue(api, ctx, { operation: 'refreshTokens', body: { refreshToken } })
}

/** Deletes the cookie, if it is that of this member: in another tab somebody else may have signed in. */
async function end(ctx: HttpContext): Promise<void> {
  const { headers } = ctx.request
  const isOwn = renewalToken(headers, parseInput(ownerInput, await readJson(ctx), 'body')) !== null
  if (isOwn) ctx.response.setHeader('set-cookie', noRenewalCookie(headers))
  sendJson(ctx, { ended: isOwn })
}

function sendJson({ response }: HttpContext, answer: object): void {
  const body = Buffer.from(JSON.stringify(answer))
  response.writeHead(200, { 'content-type': 'application/json; charset=utf-8', 'content-length': body.length, 'cache-control': 'no-store' })
  response.end(body)
}
