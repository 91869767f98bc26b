import { createSchema, createYoga } from 'graphql-yoga'
import { createServer } from 'node:http'
import { z } from 'zod'
import { createTestApp, type TestApp, type TestSignIn } from './app.ts'
import { createTestClock } from './clock.ts'

/** What a frontend's GraphQL client meets: the service, an agent and a manager with tokens that end when the test wants it, and phones that ring. */
export type ClientDesk = AsyncDisposable & {
  readonly app: TestApp
  readonly endpoint: string
  readonly manager: TestSignIn
  readonly agent: TestSignIn
  /** Ends the access tokens at hand; refresh tokens stay good. */
  endAccessTokens(): void
  /** A call comes in to the agent; answers its id. */
  ring(): string
}

const pastAccessTokenMs = 31 * 60_000

export async function openClientDesk(): Promise<ClientDesk> {
  const clock = createTestClock()
  const app = await createTestApp({ clock, receivesWebhooks: true })
  const { telephony } = app.standIns
  telephony.accountMode({ mode: 'token' })
  const manager = await app.signIn('manager@demo.example')
  const agent = await app.signIn('agent1@demo.example')
  return {
    app,
    endpoint: `${app.url}/graphql`,
    manager,
    agent,
    endAccessTokens: () => clock.advance(pastAccessTokenMs),
    ring: () => telephony.ring({ from: '+919812345670', agentId: 'agent1' }).ucid,
    [Symbol.asyncDispose]: () => app[Symbol.asyncDispose](),
  }
}

const answerSchema = z.object({
  tokens: z.object({ accessToken: z.object({ token: z.string() }), refreshToken: z.object({ token: z.string() }) }),
})

/** The pair of tokens of a frontend, renewed once for all who ask at the same time. */
export type Tokens = { readonly access: () => string; readonly renew: () => Promise<void> }

export function tokensOf({ app }: ClientDesk, { token, refreshToken }: TestSignIn): Tokens {
  let access = token
  let refresh = refreshToken
  let renewing: Promise<void> | null = null
  const renew = async (): Promise<void> => {
    const { body } = await app.rest('POST', '/auth/refresh', { body: { refreshToken: refresh } })
    const { tokens } = answerSchema.parse(body)
    access = tokens.accessToken.token
    refresh = tokens.refreshToken.token
  }
  return {
    access: () => access,
    renew: () => (renewing ??= renew().finally(() => (renewing = null))),
  }
}

/** A platform with subscriptions, on the GraphQL server that the real one runs on: `characters` sends each character of a word. */
export async function startStreamingPlatform(): Promise<AsyncDisposable & { readonly url: string; readonly open: () => number }> {
  let open = 0
  const schema = createSchema({
    typeDefs: 'type Query { word: String } type Subscription { characters(word: String!, forever: Boolean): String! }',
    resolvers: {
      Subscription: {
        characters: {
          async *subscribe(_: unknown, { word, forever = false }: { word: string; forever?: boolean }, { request }: { request: Request }) {
            open += 1
            try {
              for (const character of word) yield { characters: character }
              if (forever) await new Promise((resolve) => request.signal.addEventListener('abort', resolve))
            } finally {
              open -= 1
            }
          },
        },
      },
    },
  })
  const yoga = createYoga({ schema, graphqlEndpoint: '*', logging: false })
  // oxlint-disable-next-line typescript/no-misused-promises -- Yoga answers by itself
  const server = createServer(yoga)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    open: () => open,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
