import type { GraphQLSchema } from 'graphql'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { BodyTooLarge } from '../http/body.ts'
import { unknownPath } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import type { Yoga } from '../graphql/yoga.ts'
import { UnsupportedMediaType } from '../http/json-body.ts'
import { sendProblem } from '../http/problem.ts'
import { outcomeOf } from './answer.ts'
import type { BoundRow } from './bound-row.ts'
import { createPathMatcher } from '../http/path-matcher.ts'
import { readRestRequest } from './read-request.ts'
import { variablesOf } from './variables.ts'

export type RestHandlerOptions = {
  readonly rows: readonly BoundRow[]
  /** The pipeline that GraphQL operations go through, and the schema against which the rows were held. */
  readonly yoga: Yoga
  readonly schema: GraphQLSchema
  readonly contextOf: (exchange: HttpContext) => RequestContext
}

/** The door of all rows: a request becomes variables, the named operation runs, its root field is the answer. */
export function createRestHandler({ rows, yoga, schema, contextOf }: RestHandlerOptions): Handler {
  const match = createPathMatcher(rows)

  const run = async (row: BoundRow, exchange: HttpContext, parameters: Readonly<Record<string, string>>): Promise<void> => {
    const variableValues = variablesOf(row, await readRestRequest(exchange, parameters))
    const { execute, contextFactory } = yoga.getEnveloped(contextOf(exchange))
    const result: unknown = await execute({ schema, document: row.document, variableValues, contextValue: await contextFactory() })
    if (exchange.aborted || exchange.response.headersSent) return
    const outcome = outcomeOf(row, result)
    if (outcome.error) sendError(exchange, outcome.error)
    else sendAnswer(exchange, row, outcome.answer)
  }

  return {
    handle(exchange) {
      const found = match(exchange.path)
      if (!found) return unknownPath(exchange)
      const row = found.routes.get(exchange.request.method === 'HEAD' ? 'GET' : (exchange.request.method ?? ''))
      return row ? run(row, exchange, found.parameters) : refuseMethod(exchange, [...found.routes.keys()])
    },
    answerError: sendError,
  }
}

function sendAnswer({ request, response }: HttpContext, row: BoundRow, answer: unknown): void {
  const body = Buffer.from(JSON.stringify(answer))
  response.writeHead(row.otherwise?.when(answer) === true ? row.otherwise.status : row.status, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': body.length,
    'cache-control': 'no-store',
    ...row.headers(answer),
  })
  response.end(request.method === 'HEAD' ? undefined : body)
}

function sendError(exchange: HttpContext, error: AppError): void {
  if (error instanceof BodyTooLarge) return sendProblem(exchange, error, { status: 413 })
  if (error instanceof UnsupportedMediaType) return sendProblem(exchange, error, { status: 415 })
  return sendProblem(exchange, error, error.code === 'UNAUTHENTICATED' ? { headers: { 'www-authenticate': 'Bearer' } } : {})
}

function refuseMethod(exchange: HttpContext, methods: readonly string[]): void {
  const allow = [...methods, ...(methods.includes('GET') ? ['HEAD'] : [])].join(', ')
  sendProblem(exchange, new AppError('INVALID_INPUT', { detail: `This path takes ${allow} only` }), { status: 405, headers: { allow } })
}
