import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { z } from 'zod'

const valueSchema = z.looseObject({ stringValue: z.string().optional(), intValue: z.union([z.number(), z.string()]).optional() })
const spanSchema = z.object({
  traceId: z.string(),
  spanId: z.string(),
  parentSpanId: z.string().default(''),
  name: z.string(),
  kind: z.number(),
  attributes: z.array(z.object({ key: z.string(), value: valueSchema })).default([]),
})
export type CollectedSpan = z.output<typeof spanSchema>
const requestSchema = z.object({ resourceSpans: z.array(z.object({ scopeSpans: z.array(z.object({ spans: z.array(spanSchema) })) })) })

export type OtlpCollector = AsyncDisposable & {
  readonly url: string
  readonly spans: readonly CollectedSpan[]
  /** Everything that it was sent. */
  readonly text: () => string
  readonly headers: () => Readonly<Record<string, unknown>>
  /** From now on it takes requests and answers none. */
  stall(): void
}

/** Takes spans as OTLP over HTTP, in JSON, on a real socket. */
export async function startOtlpCollector(): Promise<OtlpCollector> {
  const spans: CollectedSpan[] = []
  const bodies: string[] = []
  let headers: Readonly<Record<string, unknown>> = {}
  let isStalled = false
  const server = createServer(async (request, response) => {
    const body = await text(request).catch(() => '')
    if (isStalled) return
    ;({ headers } = request)
    bodies.push(body)
    for (const { scopeSpans } of requestSchema.parse(JSON.parse(body)).resourceSpans)
      spans.push(...scopeSpans.flatMap((scope) => scope.spans))
    response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- it listens on a port
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    text: () => bodies.join('\n'),
    headers: () => headers,
    stall: () => void (isStalled = true),
    async [Symbol.asyncDispose]() {
      const closed = new Promise<void>((resolve) => server.close(() => resolve()))
      server.closeAllConnections()
      await closed
    },
  }
}
