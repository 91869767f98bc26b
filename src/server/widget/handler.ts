import { AppError } from '../../kernel/errors.ts'
import { isPrototypeName } from '../../kernel/prototype-names.ts'
import type { WidgetPorts } from '../../features/widget/widget-ports.ts'
import { isPreflight } from '../http/cors.ts'
import { createPathMatcher } from '../http/path-matcher.ts'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Handler, HttpContext } from '../http/http-context.ts'
import { UnsupportedMediaType } from '../http/json-body.ts'
import { sendProblem } from '../http/problem.ts'
import type { Visit } from './operation.ts'
import { widgetOperations } from './operations.ts'
import { allowOrigin, answerPreflight, assertSite } from './site.ts'
import { visitorError } from './visitor-error.ts'

/**
 * Handles `/api/widget/*`. Instead of a token there is a widget key, whose origins must include the page's. The key, the origin and the rate
 * limits are checked before the operation runs.
 */
export function createWidgetHandler(ports: WidgetPorts): Handler {
  const match = createPathMatcher(widgetOperations)

  const admit = async (ctx: HttpContext): Promise<Pick<Visit, 'workspaceId' | 'widgetKey' | 'clientAddress'>> => {
    const { request, clientAddress } = ctx
    const given = request.headers['x-widget-key']
    const found = typeof given === 'string' ? await ports.widgetKeys.find(given) : null
    if (!found)
      throw new AppError('WIDGET_KEY_REFUSED', { detail: 'x-widget-key must be a key that a manager of the hospital has created' })
    assertSite(request, found.origins)
    if (request.headers.origin !== undefined) allowOrigin(ctx, request.headers.origin)
    await ports.visitorLimits.request({ clientAddress, key: found.key })
    return { workspaceId: found.workspaceId, widgetKey: found.key, clientAddress }
  }

  const handle = async (ctx: HttpContext): Promise<void> => {
    const { request, response, path } = ctx
    response.setHeader('vary', 'Origin')
    if (isPreflight(request)) return answerPreflight(ctx, await ports.widgetKeys.hasOrigin(request.headers.origin ?? ''))
    const found = match(path)
    if (!found) return unknownPath(ctx)
    ctx.route = found.path
    const method = request.method === 'HEAD' ? 'GET' : request.method
    const operation = found.routes.get(method ?? '')
    if (!operation) return refuseMethod(ctx, [...found.routes.keys()])
    const parameters = decoded(found.parameters)
    await operation.handle(ports, { ctx, parameters, ...(await admit(ctx)) })
  }
  const handler = problemHandler(handle)
  return {
    handle,
    ownsCors: true,
    answerError(ctx, error) {
      const shown = visitorError(error)
      if (shown !== error) ctx.log.warn({ err: error, route: ctx.route }, 'widget.request-rejected')
      if (error instanceof UnsupportedMediaType) sendProblem(ctx, error, { status: 415 })
      else handler.answerError(ctx, shown)
    },
  }
}

async function refuseMethod(ctx: HttpContext, methods: readonly string[]): Promise<void> {
  await onlyMethods(methods.includes('GET') ? [...methods, 'HEAD'] : methods, () => undefined)(ctx)
}

function decoded(parameters: Readonly<Record<string, string>>): Record<string, string> {
  const nothing = new AppError('NOT_FOUND', { detail: 'There is nothing at this path' })
  let texts: Record<string, string>
  try {
    texts = Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, decodeURIComponent(text)]))
  } catch {
    throw nothing
  }
  if (Object.values(texts).some(isPrototypeName)) throw nothing
  return texts
}
