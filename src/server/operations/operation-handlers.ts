import { Registry } from 'prom-client'
import type { Admission } from '../http/admission.ts'
import type { BeginQueue } from '../http/begin-queue.ts'
import type { Connections } from '../http/connections.ts'
import type { Handler } from '../http/http-context.ts'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Stop } from '../http/stop.ts'
import { type HealthMonitor, sendHealth, sendReadiness, sendState, sendStopping } from './health.ts'
import type { HttpFigures } from './http-figures.ts'
import { registerHttpMetrics } from './metrics.ts'
import { OperatorCheck, type OperatorOptions } from './operator-check.ts'
import { registerOverloadMetrics } from './overload.ts'

export type OperationOptions = OperatorOptions & { readonly registry?: Registry }
type Running = {
  readonly connections: Connections
  readonly stop: Stop
  readonly admission: Admission
  readonly queue: BeginQueue
  readonly health: HealthMonitor
}

/** The handlers of `/health`, `/ready` and `/metrics`. */
export function operationHandlers(
  options: OperationOptions,
  figures: HttpFigures,
  { connections, stop, health, ...load }: Running,
): Record<string, Handler> {
  const registry = options.registry ?? new Registry()
  registerHttpMetrics(registry, figures, connections)
  registerOverloadMetrics(registry, load)
  const operators = new OperatorCheck(options)
  return {
    '/health': problemHandler(
      onlyMethods(['GET', 'HEAD'], async (ctx) => {
        const send = (await operators.isOperator(ctx)) ? sendHealth : sendState
        send(ctx, await health.read())
      }),
    ),
    '/ready': problemHandler(
      onlyMethods(['GET', 'HEAD'], async (ctx) =>
        stop.isBegun ? sendStopping(ctx) : sendReadiness(ctx, await health.readForReadiness(), operators.hasNamedAddress(ctx)),
      ),
    ),
    '/metrics': problemHandler(
      onlyMethods(['GET'], async (ctx) => {
        if (!operators.hasNamedAddress(ctx)) return unknownPath(ctx)
        const text = await registry.metrics()
        ctx.response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
      }),
    ),
  }
}
