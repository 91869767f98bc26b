import { expect, test, vi } from 'vitest'
import type { Resolvers } from '../../src/generated.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { sendRequestError } from '../../src/server/graphql/answer.ts'
import { createLocalSchema } from '../../src/server/graphql/local-schema.ts'
import { createYogaServer } from '../../src/server/graphql/yoga.ts'
import { createYogaHandler } from '../../src/server/graphql/yoga-handler.ts'
import { readBody } from '../../src/server/http/body.ts'
import { HttpContext } from '../../src/server/http/http-context.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { createRequestContext } from '../../src/server/http/request-context.ts'

const typeDefs = /* GraphQL */ `
  directive @auth on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
  scalar DateTime
  type Query {
    name: String @public
  }
  type Subscription {
    texts: String! @public
  }
`

async function* texts(): AsyncGenerator<{ readonly texts: string }> {
  for (let index = 0; index < 40; index += 1) yield { texts: 'x'.repeat(400_000) }
}

test('a stream that waits for its reader many times does not collect listeners', async () => {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the generated types are of the real contract
  const resolvers = { Query: { name: () => 'n' }, Subscription: { texts: { subscribe: texts } } } as unknown as Resolvers
  const schema = createLocalSchema({ typeDefs, resolvers: [resolvers] })
  const yoga = createYogaServer({ schema })
  const contextOf = (ctx: HttpContext) => createRequestContext(ctx, () => Promise.reject(new AppError('TOKEN_REFUSED')))
  const toYoga = createYogaHandler({ yoga, httpContexts: new WeakMap(), contextOf })
  const onAbort = vi.spyOn(HttpContext.prototype, 'onAbort')
  await using server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    log: createLog('silent'),
    health: {},
    handlers: {
      '/graphql': {
        writesOwnHead: true,
        handle: async (ctx) => toYoga(ctx, { body: await readBody(ctx) }),
        answerError: sendRequestError,
      },
    },
  })
  const response = await fetch(`${server.url}/graphql`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'text/event-stream' },
    body: JSON.stringify({ query: 'subscription { texts }' }),
  })
  expect((await response.text()).split('data: {').length).toBe(41)
  expect(onAbort.mock.calls.length).toBeLessThan(5)
  onAbort.mockRestore()
  await yoga.dispose()
})
