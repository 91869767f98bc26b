import type { GraphQLSchema } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge, leaveBody } from '../http/body.ts'
import { unknownPath } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import type { Yoga } from '../graphql/yoga.ts'
import { UnsupportedMediaType } from '../http/json-body.ts'
import { sendProblem } from '../http/problem.ts'
import { bearerToken } from '../http/request-context.ts'
import { type Outcome, outcomeOf } from './answer.ts'
import type { BoundRow } from './bound-row.ts'
import { createPathMatcher } from '../http/path-matcher.ts'
import { restAnswer } from './page.ts'
import { readRestRequest } from './read-request.ts'
import { withPreference } from './preference.ts'
import { withoutUnknownFields } from './unknown-fields.ts'
import { type RestRequest, variablesOf } from './variables.ts'

/** What runs the operations of REST. */
export type RestApi = Parameters<typeof createRestHandler>[0]

/** Makes variables of a request and runs the row's document. */
export async function runRow(
  { yoga, schema, contextOf }: Pick<RestApi, 'yoga' | 'schema' | 'contextOf'>,
  ctx: HttpContext,
  { row, request }: { readonly row: BoundRow; readonly request: RestRequest },
): Promise<Outcome> {
  const variableValues = withPreference(row, variablesOf(row, request), ctx.request.headers['prefer'])
  const { execute, contextFactory } = yoga.getEnveloped(contextOf(ctx))
  const result: unknown = await execute({ schema, document: row.document, variableValues, contextValue: await contextFactory() })
  return outcomeOf(row, result)
}

/** The handler of all rows: runs the row's document and sends the value of its root field. */
export function createRestHandler(options: {
  readonly rows: readonly BoundRow[]
  /** The pipeline of GraphQL operations, and the schema that the rows were checked against. */
  readonly yoga: Yoga
  readonly schema: GraphQLSchema
  readonly contextOf: (ctx: HttpContext) => RequestContext
}): Handler {
  const match = createPathMatcher(options.rows)

  const run = async (row: BoundRow, ctx: HttpContext, parameters: Readonly<Record<string, string>>): Promise<void> => {
    if (row.needsToken && bearerToken(ctx.request.headers.authorization) === null) {
      leaveBody(ctx)
      throw new AppError('TOKEN_MISSING')
    }
    const request = knownParts(ctx, row, await readRestRequest(ctx, parameters))
    const outcome = await runRow(options, ctx, { row, request })
    if (ctx.aborted || ctx.response.headersSent) return
    if (outcome.error) sendError(ctx, outcome.error)
    else sendAnswer(ctx, row, { answer: outcome.answer, query: request.query })
  }

  return {
    handle(ctx) {
      const found = match(ctx.path)
      if (!found) return unknownPath(ctx)
      ctx.route = found.path
      const row = found.routes.get(ctx.request.method === 'HEAD' ? 'GET' : (ctx.request.method ?? ''))
      ctx.restOperation = row?.name ?? null
      return row ? run(row, ctx, found.parameters) : refuseMethod(ctx, [...found.routes.keys()])
    },
    answerError: sendError,
  }
}

/** Without the unknown fields of the body, if the row ignores them. How many is logged, never a name: a client may have put a secret there. */
function knownParts(ctx: HttpContext, row: BoundRow, request: RestRequest): RestRequest {
  if (!row.ignoresUnknownFields) return request
  const { body, ignored } = withoutUnknownFields(row, request.body)
  if (ignored.length > 0) ctx.log.debug({ operation: row.name, fields: ignored.length }, 'rest.unknown-fields-ignored')
  return { ...request, body }
}

type Given = { readonly answer: unknown; readonly query: URLSearchParams }

function sendAnswer({ request, response }: HttpContext, row: BoundRow, { answer, query }: Given): void {
  const sent = restAnswer(row, answer, query)
  const body = Buffer.from(JSON.stringify(sent.body))
  response.writeHead(row.otherwise?.when(answer) === true ? row.otherwise.status : row.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...row.headers(answer),
    ...sent.headers,
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function sendError(ctx: HttpContext, error: AppError): void {
  if (error instanceof BodyTooLarge) return sendProblem(ctx, error, { status: 413 })
  if (error instanceof UnsupportedMediaType) return sendProblem(ctx, error, { status: 415 })
  return sendProblem(ctx, error, error.code === 'UNAUTHENTICATED' ? { headers: { 'www-authenticate': 'Bearer' } } : {})
}

function refuseMethod(ctx: HttpContext, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  sendProblem(ctx, new AppError('INVALID_INPUT', { detail: `This path takes ${allow} only` }), { status: 405, headers: { allow } })
}
