import proxyAddr from 'proxy-addr'
import { Registry } from 'prom-client'
import type { Admission } from '../http/admission.ts'
import type { Connections } from '../http/connections.ts'
import type { Handler } from '../http/http-context.ts'
import { onlyMethods, problemHandler, unknownPath } from '../http/routes.ts'
import type { Stop } from '../http/stop.ts'
import { type HealthMonitor, sendHealth, sendReadiness, sendStopping } from './health.ts'
import type { HttpFigures } from './http-figures.ts'
import { registerHttpMetrics } from './metrics.ts'
import { registerOverloadMetrics } from './overload.ts'

type OperationOptions = {
  readonly registry?: Registry
  /** The addresses and ranges that may read `/metrics`; default: nobody. */
  readonly metricsFrom?: readonly string[] | null
}
type Running = { readonly connections: Connections; readonly stop: Stop; readonly admission: Admission; readonly health: HealthMonitor }

/** The handlers of `/health`, `/ready` and `/metrics`. */
export function operationHandlers(
  options: OperationOptions,
  figures: HttpFigures,
  { connections, stop, admission, health }: Running,
): Record<string, Handler> {
  const registry = options.registry ?? new Registry()
  registerHttpMetrics(registry, figures, connections)
  registerOverloadMetrics(registry, admission)
  const mayRead = proxyAddr.compile([...(options.metricsFrom ?? [])])
  return {
    '/health': problemHandler(onlyMethods(['GET', 'HEAD'], async (ctx) => sendHealth(ctx, await health.read()))),
    '/ready': problemHandler(
      onlyMethods(['GET', 'HEAD'], async (ctx) => (stop.isBegun ? sendStopping(ctx) : sendReadiness(ctx, await health.readForReadiness()))),
    ),
    '/metrics': problemHandler(
      onlyMethods(['GET'], async (ctx) => {
        if (!mayRead(ctx.clientAddress, 0)) return unknownPath(ctx)
        const text = await registry.metrics()
        ctx.response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text)
      }),
    ),
  }
}
