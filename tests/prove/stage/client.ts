import { Agent, request } from 'undici'
import { z } from 'zod'

/** What came back; `status` 0 where the connection broke. */
export type Answer = { readonly status: number; readonly body: unknown; readonly tookMs: number }

/** Clients of the service: each of its requests has a connection of its own for as long as it lasts. */
export type Client = AsyncDisposable & {
  send(
    address: string,
    options?: { readonly method?: string; readonly body?: unknown; readonly headers?: Record<string, string> },
  ): Promise<Answer>
  logIn(url: string, name: string, headers?: Record<string, string>): Promise<Answer>
}

const patienceMs = 120_000
const password = 'sandbox-password'

/** `addresses`: of this machine, from which they call in turn. The service limits the connections of one that show no token. */
export function createClient({ addresses = 1 } = {}): Client {
  const agents = Array.from({ length: addresses }, (_, index) => {
    const localAddress = `127.0.0.${index + 1}`
    return new Agent({ headersTimeout: patienceMs, bodyTimeout: patienceMs, connect: { timeout: patienceMs }, localAddress })
  })
  let sent = 0
  const send: Client['send'] = async (address, { method = 'POST', body, headers = {} } = {}) => {
    const startedAt = performance.now()
    const agent = agents[(sent += 1) % addresses]
    try {
      const answer = await request(address, {
        ...(agent && { dispatcher: agent }),
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      })
      return { status: answer.statusCode, body: await answer.body.json(), tookMs: performance.now() - startedAt }
    } catch (error) {
      return { status: 0, body: String(error), tookMs: performance.now() - startedAt }
    }
  }
  return {
    send,
    logIn: (url, name, headers) =>
      send(`${url}/auth/login`, { body: { email: `${name}@demo.example`, password, workspace: 'demo' }, ...(headers && { headers }) }),
    [Symbol.asyncDispose]: async () => void (await Promise.all(agents.map((agent) => agent.destroy()))),
  }
}

const tokensSchema = z.object({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }),
})

export function tokensOf({ status, body }: Answer): { readonly accessToken: string; readonly refreshToken: string } {
  const signedIn = tokensSchema.safeParse(body)
  if (!signedIn.success) throw new Error(`a sign-in got ${status}: ${JSON.stringify(body)}`)
  const { tokens } = signedIn.data
  return { accessToken: tokens.accessToken.token, refreshToken: tokens.refreshToken.token }
}

/** Runs so many steps, at most `atOnce` of them at the same time, in order of their number. */
export async function inFlight<T>(count: number, atOnce: number, step: (index: number) => Promise<T>): Promise<T[]> {
  const results: T[] = []
  let next = 0
  const worker = async (): Promise<void> => {
    while (next < count) {
      const index = next
      next += 1
      results[index] = await step(index)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, count) }, worker))
  return results
}

/** How often each status came. */
export function countByStatus(answers: readonly Answer[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { status } of answers) counts[status] = (counts[status] ?? 0) + 1
  return counts
}

export function percentile(answers: readonly Answer[], share: number): number {
  const sorted = answers.map(({ tookMs }) => tookMs).toSorted((a, b) => a - b)
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0)
}
