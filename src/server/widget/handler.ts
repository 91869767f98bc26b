import { AppError } from '../../kernel/errors.ts'
import type { VisitorLimits } from '../../features/widget/visitor-limits.ts'
import type { WidgetKeys } from '../../features/widget/widget-keys.ts'
import { isPreflight } from '../http/cors.ts'
import { createPathMatcher } from '../http/path-matcher.ts'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { UnsupportedMediaType } from '../http/json-body.ts'
import { sendProblem } from '../http/problem.ts'
import type { Visit, WidgetOperation } from './operation.ts'
import { allowOrigin, answerPreflight, assertSite } from './site.ts'
import { visitorError } from './visitor-error.ts'

export type WidgetHandlerDependencies = {
  readonly keys: Pick<WidgetKeys, 'find' | 'isNamed'>
  readonly limits: Pick<VisitorLimits, 'request'>
  readonly operations: readonly WidgetOperation[]
}

/**
 * Everything below `/api/widget/`: no token, but a key whose origins name the page that asks. Each request is held against the key, the
 * origin and the limits before its operation runs.
 */
export function createWidgetHandler({ keys, limits, operations }: WidgetHandlerDependencies): Handler {
  const match = createPathMatcher(operations)

  const admit = async (exchange: HttpContext): Promise<Pick<Visit, 'workspaceId' | 'widgetKey' | 'clientAddress'>> => {
    const { request, clientAddress } = exchange
    const given = request.headers['x-widget-key']
    const found = typeof given === 'string' ? await keys.find(given) : null
    if (!found) throw new AppError('WIDGET_KEY_REFUSED', { detail: 'x-widget-key must be a key that a manager of the hospital has made' })
    assertSite(request, found.origins)
    if (request.headers.origin !== undefined) allowOrigin(exchange, request.headers.origin)
    await limits.request({ clientAddress, key: found.key })
    return { workspaceId: found.workspaceId, widgetKey: found.key, clientAddress }
  }

  const handle = async (exchange: HttpContext): Promise<void> => {
    const { request, response, path } = exchange
    response.setHeader('vary', 'Origin')
    if (isPreflight(request)) return answerPreflight(exchange, await keys.isNamed(request.headers.origin ?? ''))
    const found = match(path)
    if (!found) return unknownPath(exchange)
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = found.routes.get(method ?? '')
    if (!operation) return refuseMethod(exchange, [...found.routes.keys()])
    const parameters = decoded(found.parameters)
    await operation.handle({ exchange, parameters, ...(await admit(exchange)) })
  }
  const handler = problemHandler(handle)
  return {
    handle,
    ownsCors: true,
    answerError(exchange, error) {
      const shown = visitorError(error)
      if (shown !== error) exchange.log.warn({ err: error, path: exchange.path }, 'a visitor was sent away')
      if (error instanceof UnsupportedMediaType) sendProblem(exchange, error, { status: 415 })
      else handler.answerError(exchange, shown)
    },
  }
}

async function refuseMethod(exchange: HttpContext, methods: readonly string[]): Promise<void> {
  await onlyMethods(methods.includes('GET') ? [...methods, 'HEAD'] : methods, () => undefined)(exchange)
}

function decoded(parameters: Readonly<Record<string, string>>): Record<string, string> {
  try {
    return Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    throw new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
  }
}
