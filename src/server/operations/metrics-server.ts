import { createServer } from 'node:http'
import type { Registry } from 'prom-client'
import { listen } from '../http/listen.ts'

export type MetricsAddress = { readonly host: string; readonly port: number }

/** One Prometheus needs one; a second one, and a person with curl, may come. */
const maxConnections = 20
const patienceMs = 10_000

/** Opens a port of its own that answers `GET /metrics` and nothing else. Resolves to the port that it listens on. Throws StartError. */
export async function openMetricsServer(registry: Registry, address: MetricsAddress): Promise<AsyncDisposable & { readonly port: number }> {
  const server = createServer({ headersTimeout: patienceMs, requestTimeout: patienceMs }, (request, response) => {
    if (request.method !== 'GET' || request.url !== '/metrics') return void response.writeHead(404).end()
    registry.metrics().then(
      (text) => void response.writeHead(200, { 'content-type': registry.contentType, 'cache-control': 'no-store' }).end(text),
      () => void response.writeHead(500).end(),
    )
  })
  server.maxConnections = maxConnections
  server.timeout = patienceMs
  const port = await listen(server, { ...address, setting: 'METRICS_ADDRESS' })
  return {
    port,
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
