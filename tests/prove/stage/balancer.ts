import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { pipeline } from 'node:stream/promises'
import { Agent, Pool, request } from 'undici'

/**
 * Sends each request to one of the instances that are ready, over connections that it keeps open, and never a second time. It asks `/ready`
 * four times a second, as the load balancers of a cloud do, only more often.
 */
export type Balancer = AsyncDisposable & {
  readonly url: string
  /** Whether the instance was ready when it was last asked. */
  isReady(url: string): boolean
}

const askEveryMs = 250
const hopByHop: ReadonlySet<string> = new Set(['connection', 'keep-alive', 'transfer-encoding', 'host', 'expect', 'content-length'])

/** A machine may be too busy to answer one question in time. */
const silentAtMost = 3

type Instance = { readonly url: string; readonly pool: Pool; isReady: boolean; silent: number }

export async function startBalancer(urls: readonly string[]): Promise<Balancer> {
  const instances = urls.map((url): Instance => ({ url, pool: new Pool(url, { connections: 100 }), isReady: false, silent: 0 }))
  // A connection for each question: it must not tell more than a new client learns.
  const asking = new Agent({ pipelining: 0, connectTimeout: 1_000 })
  const ask = async (instance: Instance): Promise<void> => {
    try {
      const { statusCode, body } = await request(`${instance.url}/ready`, { dispatcher: asking, signal: AbortSignal.timeout(1_000) })
      await body.dump()
      instance.silent = 0
      instance.isReady = statusCode === 200
    } catch (error) {
      instance.silent += 1
      const isSilent = error instanceof DOMException && error.name === 'TimeoutError'
      if (!isSilent || instance.silent >= silentAtMost) instance.isReady = false
    }
  }
  await Promise.all(instances.map(ask))
  const timer = setInterval(() => instances.forEach((instance) => void ask(instance)), askEveryMs)
  let count = 0
  const server = createServer((incoming, response) => {
    count += 1
    const ready = instances.filter(({ isReady }) => isReady)
    const chosen = ready[count % ready.length]
    if (!chosen) return void response.writeHead(503).end('no instance is ready')
    forward(incoming, response, chosen.pool).catch((error: unknown) => {
      if (response.headersSent) response.destroy()
      else response.writeHead(502).end(String(error))
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    isReady: (url) => instances.some((instance) => instance.url === url && instance.isReady),
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      server.closeAllConnections()
      server.close()
      await Promise.all([asking.destroy(), ...instances.map(({ pool }) => pool.destroy())])
    },
  }
}

async function forward(incoming: IncomingMessage, response: ServerResponse, pool: Pool): Promise<void> {
  const { method = 'GET', url = '/' } = incoming
  const body = method === 'GET' ? null : await buffer(incoming)
  const answer = await pool.request({ method, path: url, headers: passedOn(incoming.headers), body })
  response.writeHead(answer.statusCode, passedOn(answer.headers))
  await pipeline(answer.body, response)
}

function passedOn(headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers)) if (value !== undefined && !hopByHop.has(name)) kept[name] = value
  return kept
}
