import { print } from 'graphql'
import { z } from 'zod'
import { statusOf } from '../../src/server/http/problem.ts'
import type { BoundRow } from '../../src/server/rest/bound-row.ts'
import type { Row } from '../../src/server/rest/row.ts'
import { createTestApp, type RestAnswer, type TestApp, type TestSignIn } from './app.ts'
import { tokenWithoutSession } from './tokens-without-session.ts'
import { createTestClock } from './clock.ts'

/** One request of a row, as a REST client sends it and as a GraphQL client does; the two are written apart, so that each proves the other. */
export type Asked = {
  readonly path?: Readonly<Record<string, string>>
  readonly query?: Readonly<Record<string, string>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
  readonly variables?: Readonly<Record<string, unknown>>
}

/** The result of a request, in the same form for REST and GraphQL. */
export type Outcome =
  | { readonly answer: unknown }
  | { readonly code: string; readonly reason: string; readonly detail?: string; readonly data?: unknown; readonly retryable: boolean }

/** How a row is asked in a test. `as` is an access token; null: none. */
export type Ask = (asked: Asked, as: string | null) => Promise<Outcome>

/** A service with a clock that stands still and three signed-in people. Two of them that get the same requests stay the same. */
export type World = AsyncDisposable & {
  readonly app: TestApp
  readonly manager: TestSignIn
  readonly agent: TestSignIn
  readonly user: TestSignIn
}

export async function createWorld(): Promise<World> {
  const app = await createTestApp({ clock: createTestClock() })
  return { ...(await signInAll(app)), [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

/** The same service with new tokens and a new session of the agent, whatever a scenario has done to the old ones. */
export async function signedInAgain(world: World): Promise<World> {
  const { status } = await world.app.rest('POST', '/auth/logout', { token: world.agent.token })
  if (status !== 200) await endAgentSession(world.app)
  return { ...world, ...(await signInAll(world.app)) }
}

/** A scenario has ended the agent's token: another device takes the session over, and signs out. */
async function endAgentSession(app: TestApp): Promise<void> {
  const token = await tokenWithoutSession({ url: app.url, workspaceUrl: app.standIns.platform.workspaceUrl }, 'agent1@demo.example')
  await app.rest('POST', '/auth/session', { token, body: { takeOver: true } })
  await app.rest('POST', '/auth/logout', { token, body: {} })
}

async function signInAll(app: TestApp) {
  const manager = await app.signIn('manager@demo.example')
  const agent = await app.signIn('agent1@demo.example')
  const user = await app.signIn('user@demo.example')
  return { app, manager, agent, user }
}

/** Sends the request of a row to its path. */
export function sendRest(
  app: TestApp,
  { method, path }: Pick<Row, 'method' | 'path'>,
  asked: Asked & { as: string | null },
): Promise<RestAnswer> {
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(asked.path?.[name] ?? `no-${name}`))
  const query = asked.query ? `?${new URLSearchParams(asked.query).toString()}` : ''
  return app.rest(method, filled + query, { token: asked.as ?? undefined, body: asked.body, headers: asked.headers ?? {} })
}

const problemSchema = z.strictObject({
  type: z.literal('about:blank'),
  title: z.string(),
  status: z.int(),
  detail: z.string(),
  code: z.enum(Object.keys(statusOf)),
  reason: z.string(),
  retryable: z.boolean(),
  requestId: z.string(),
  data: z.unknown().optional(),
})

/** By REST. `seen` gets every answer that is not an error. */
export function askByRest(app: TestApp, row: Row, seen: (answer: RestAnswer) => void): Ask {
  return async (asked, as) => {
    const answer = await sendRest(app, row, { ...asked, as })
    if (answer.status < 400) {
      seen(answer)
      return { answer: answer.body }
    }
    const { status, code, reason, detail, data, retryable, requestId } = problemSchema.parse(answer.body)
    const statusFor = new Map<string, number>(Object.entries(statusOf)).get(code)
    if (status !== answer.status || status !== statusFor)
      throw new Error(`${code} was answered with ${answer.status}, and ${status} in the body`)
    if (requestId !== answer.headers.get('x-request-id')) throw new Error('the problem names another request')
    return outcomeOf({ code, reason, detail, data, retryable })
  }
}

const extensionsSchema = z.looseObject({
  code: z.string(),
  reason: z.string(),
  retryable: z.boolean(),
  requestId: z.string(),
  data: z.unknown().optional(),
})

/** By the same operation on `/graphql`. */
export function askByGraphql(app: TestApp, row: BoundRow): Ask {
  const query = print(row.document)
  return async ({ variables = {} }, as) => {
    const { data, errors } = await app.graphql(query, { variables: { ...row.constants, ...variables }, token: as ?? undefined })
    const [error] = errors ?? []
    if (!error) return { answer: asInRest(row, Object.values(data ?? {})[0]) }
    const { code, reason, retryable, data: more } = extensionsSchema.parse(error.extensions)
    return outcomeOf({ code, reason, retryable, detail: error.message, data: more })
  }
}

const pageSchema = z.object({ nodes: z.array(z.unknown()), pageInfo: z.object({ endCursor: z.unknown(), hasNextPage: z.boolean() }) })

/** A list is a connection in GraphQL and an array in REST, in an answer too; older lists are in an object. */
function asInRest({ listName }: Pick<BoundRow, 'listName'>, answer: unknown): unknown {
  const page = pageSchema.loose().safeParse(answer)
  if (page.success) {
    const { nodes, pageInfo, ...others } = page.data
    return listName === null ? nodes : { ...others, [listName]: nodes, nextCursor: pageInfo.hasNextPage ? pageInfo.endCursor : null }
  }
  const object = z.record(z.string(), z.unknown()).safeParse(answer).data
  return object ? Object.fromEntries(Object.entries(object).map(([name, value]) => [name, asInRest({ listName: null }, value)])) : answer
}

/** REST and GraphQL name input fields differently (`notes`, `input.notes`), so only the reason of INVALID_INPUT is compared. */
function outcomeOf(error: Exclude<Outcome, { answer: unknown }>): Outcome {
  const { code, reason, retryable } = error
  return reason === 'INVALID_INPUT' ? { code, reason, retryable } : error
}

/**
 * What differs between two services that did the same: ids, tokens, ports, the telephony stand-in's call ids, fingerprints of random keys,
 * cursors, temporary passwords, widget keys. Each becomes the number of its first appearance.
 */
const random =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|eyJ[\w-]+\.[\w-]+\.[\w-]+|127\.0\.0\.1:\d+|(?<="wsPort":)\d+|\b3\d{16}\b|(?<=")[0-9a-f]{8}(?=")|(?<="password":")[A-Za-z34679]{16}(?=")|(?<=_)[a-km-np-z2-9]{24}(?=")|(?<=")[\w+/=-]{43,}(?=")/g

export function withoutChance(value: unknown): unknown {
  const names = new Map<string, string>()
  const text = JSON.stringify(value).replaceAll(random, (found) => {
    const name = names.get(found) ?? `#${names.size + 1}`
    names.set(found, name)
    return name
  })
  return JSON.parse(text.replaceAll(/"wsPort":#\d+/g, '"wsPort":0'))
}
