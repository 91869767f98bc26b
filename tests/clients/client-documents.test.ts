import { getEventListeners } from 'node:events'
import { readFile } from 'node:fs/promises'
import { gzipSync } from 'node:zlib'
import {
  buildSchema,
  getNamedType,
  type GraphQLField,
  type GraphQLNamedType,
  isAbstractType,
  isLeafType,
  isNonNullType,
  isObjectType,
  isUnionType,
  parse,
  print,
  stripIgnoredCharacters,
  validate,
} from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type ClientOptions, createClient, ServiceError, type TypedDocument } from '../../packages/client/src/client.ts'
import type { ServiceEvent } from '../../packages/client/src/events/generated.ts'
import { documentOf, type OperationKind } from '../../packages/client/src/graphql/document.ts'
import { openEventStream } from '../../packages/client/src/graphql/request.ts'
import { subscribe } from '../../packages/client/src/graphql/subscribe.ts'
import { realTimers } from '../../packages/client/src/timers.ts'
import { AppError, errorReasons } from '../../src/kernel/errors.ts'
import { formattedError } from '../../src/server/graphql/errors.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { statusOf } from '../../src/server/http/problem.ts'
import { bundled } from '../harness/client-bundle.ts'

const schema = buildSchema(readContract())
const roots = { query: schema.getQueryType(), mutation: schema.getMutationType(), subscription: schema.getSubscriptionType() }

/** Everything that can be selected of a type, to a depth at which types that contain themselves end. */
function everythingOf(type: GraphQLNamedType, depth = 6): object {
  if (isUnionType(type)) return { on: Object.fromEntries(type.getTypes().map((one) => [one.name, everythingOf(one, depth)])) }
  if (!isObjectType(type)) throw new TypeError(`${type.name} has no fields`)
  const fields = Object.values(type.getFields()).filter((field) => depth > 1 || isLeafType(getNamedType(field.type)))
  return { __typename: true, ...Object.fromEntries(fields.map((field) => [field.name, selectionOf(field, depth - 1)])) }
}

function selectionOf(field: GraphQLField<unknown, unknown>, depth: number): unknown {
  const type = getNamedType(field.type)
  const given = field.args.length > 0 ? { $: Object.fromEntries(field.args.map(({ name }) => [name, 'any'])) } : {}
  const below = isObjectType(type) || isAbstractType(type) ? everythingOf(type, depth) : {}
  return isLeafType(type) && field.args.length === 0 ? true : { ...given, ...below }
}

describe('the documents of the typed client', () => {
  test.each(['query', 'mutation', 'subscription'] satisfies OperationKind[])(
    'the schema accepts every field of a %s, with all arguments',
    (kind) => {
      const fields = Object.values(roots[kind]?.getFields() ?? {})
      expect(fields.length).toBeGreaterThan(4)
      for (const field of fields) {
        const selection = { [field.name]: selectionOf(field, 6) }
        const { query, variables } = documentOf(kind, selection)
        expect({ query, errors: validate(schema, parse(query)) }).toMatchObject({ errors: [] })
        // Also those of lists inside the answer.
        expect(Object.keys(variables)).toHaveLength(JSON.stringify(selection).split('"any"').length - 1)
      }
    },
  )

  test('arguments that are left out are not sent, and required ones keep the request from being valid', () => {
    const { query, variables } = documentOf('query', {
      me: { role: true, agent: undefined },
      callLookup: { $: { ucid: '1', phoneNumber: undefined }, match: true },
    })
    expect(query).toBe('query($v0: ID) { me { role } callLookup(ucid: $v0) { match } }')
    expect(variables).toEqual({ v0: '1' })
    const required = Object.values(roots.mutation?.getFields() ?? {}).filter(({ args }) => args.some(({ type }) => isNonNullType(type)))
    expect(required.length).toBeGreaterThan(10)
    expect(() => documentOf('query', { callLookup: { $: { phone: '1' }, match: true } })).toThrow('callLookup has no argument phone')
  })
})

/** The compiler checks this; nothing calls it. */
export async function typesOfTheClient(
  document: TypedDocument<{ readonly word: string }, { readonly id: string }>,
  event: ServiceEvent,
): Promise<unknown> {
  const client = createClient({ url: '' })
  const { me, callLookup } = await client.query({ me: { role: true }, callLookup: { $: { ucid: '1' }, match: true, lead: { name: true } } })
  const role: 'USER' | 'AGENT' | 'MANAGER' = me.role
  const name: string | null | undefined = callLookup.lead?.name
  const { missedCalls } = await client.query({ missedCalls: { pageInfo: { endCursor: true } } })
  await client.query({ missedCalls: { $: { after: missedCalls.pageInfo.endCursor }, nodes: { ucid: true } } })
  await client.query({ doctorDirectory: { slots: { $: { first: 5 }, edges: { cursor: true } } } })
  // @ts-expect-error -- not selected
  void me.memberId
  // @ts-expect-error -- no such field
  await client.query({ me: { rolle: true } })
  // @ts-expect-error -- no such argument
  await client.query({ callLookup: { $: { phone: '1' }, match: true } })
  // @ts-expect-error -- the argument is required
  await client.mutate({ dial: { ucid: true } })
  // @ts-expect-error -- no such field of the input
  await client.mutate({ dial: { $: { input: { phoneNumber: '1', number: '1' } }, ucid: true } })
  // @ts-expect-error -- an object needs a selection
  await client.query({ me: true })
  const { analyzeRecording } = await client.mutate({
    analyzeRecording: { $: { input: { callId: '1' } }, on: { RecordingAnalysis: { summary: true }, RecordingUnderWay: { stage: true } } },
  })
  const text: string | null = 'summary' in analyzeRecording ? analyzeRecording.summary : analyzeRecording.stage
  for await (const { callEvents } of client.subscribe({ callEvents: { kind: true, call: { ucid: true } } })) void callEvents.call.ucid
  const word: string = (await client.execute(document, { id: '1' })).word
  // @ts-expect-error -- the variables are required
  await client.execute(document)
  const dialled = await client.rest('POST /api/calls/dial', { body: { phoneNumber: '1' } })
  const ucid: string | null = dialled.ucid
  // @ts-expect-error -- the body is required
  await client.rest('POST /api/calls/dial')
  // @ts-expect-error -- no such path
  await client.rest('POST /api/calls/dail', { body: { phoneNumber: '1' } })
  const ended: string | null = event.type === 'call.completed' ? event.disposition : null
  return [role, name, text, word, ucid, ended]
}

/** As the client preset makes it. */
class TypedDocumentString extends String {
  readonly __apiType: undefined
}

describe('documents of other tools', () => {
  const own = 'query Me { me { role } }'
  async function sent(document: TypedDocument<unknown, unknown>, more: Pick<ClientOptions, 'print'> = {}): Promise<unknown> {
    const bodies: unknown[] = []
    const answering: typeof fetch = (_, init) => {
      bodies.push(JSON.parse(z.string().parse(init?.body)))
      return Promise.resolve(Response.json({ data: {} }))
    }
    await createClient({ url: '', fetch: answering, ...more }).execute(document, { a: 1 })
    return bodies
  }

  test.each([
    ['plain text', own, {}],
    ['the client preset', new TypedDocumentString(own), {}],
    ['graphql-tag', parse(own), {}],
    ['gql.tada', { ...parse(own, { noLocation: true }) }, { print }],
  ] satisfies [string, TypedDocument<unknown, unknown>, Pick<ClientOptions, 'print'>][])('%s', async (_, document, options) => {
    const [{ query }] = z
      .tuple([z.object({ query: z.string(), variables: z.object({ a: z.literal(1) }) })])
      .parse(await sent(document, options))
    expect(stripIgnoredCharacters(query)).toBe(stripIgnoredCharacters(own))
  })

  test('a node without its source needs the option print', async () => {
    await expect(sent(parse(own, { noLocation: true }))).rejects.toThrow('give createClient the option `print`')
  })
})

test('the README says how large the client is in a bundle', async () => {
  const bytes = gzipSync(await bundled('packages/client/src/client.ts')).length
  const readme = await readFile(new URL('../../packages/client/README.md', import.meta.url), 'utf8')
  expect(readme).toContain(`${Math.ceil(bytes / 1_000)} kB`)
})

describe('errors', () => {
  const caught = (answer: Response, run: (client: ReturnType<typeof createClient>) => Promise<unknown>): Promise<unknown> =>
    run(createClient({ url: 'http://service.test', fetch: () => Promise.resolve(answer) })).catch((error: unknown) => error)
  const json = (body: object, init: ResponseInit, type = 'application/json'): Response =>
    new Response(JSON.stringify(body), { ...init, headers: { 'content-type': `${type}; charset=utf-8`, 'x-request-id': 'r1' } })

  test.each(errorReasons)('%s comes with all that the service says, in GraphQL and REST', async (reason) => {
    const error = new AppError(reason, {
      detail: 'What is wrong',
      data: { fields: [{ path: 'input.x', message: 'no' }], retryAfterSeconds: 3 },
    })
    const expected = { message: 'What is wrong', code: error.code, reason, retryable: error.retryable, data: error.data, requestId: 'r1' }
    const fromGraphql = await caught(json({ errors: [formattedError(error, 'r1')] }, { status: 200 }), (client) =>
      client.query({ me: { role: true } }),
    )
    expect(fromGraphql).toBeInstanceOf(ServiceError)
    expect(fromGraphql).toMatchObject(expected)
    const status = statusOf[error.code]
    const problem = { type: 'about:blank', title: error.title, status, detail: error.message, ...expected }
    const fromRest = await caught(json(problem, { status }, 'application/problem+json'), (client) => client.rest('GET /auth/me'))
    expect(fromRest).toMatchObject(expected)
  })

  test('what something in between answers is an error too', async () => {
    const page = await caught(new Response('<h1>Bad gateway</h1>', { status: 502 }), (client) => client.query({ me: { role: true } }))
    expect(page).toMatchObject({ name: 'ServiceError', code: 'UPSTREAM_UNAVAILABLE', retryable: true, reason: null })
    const wrongAddress = await caught(new Response('<h1>Welcome</h1>'), (client) => client.query({ me: { role: true } }))
    expect(wrongAddress).toMatchObject({ code: 'UPSTREAM_FAILED', message: 'The answer is not that of the service: check the address' })
    const several = json({ data: { me: null, leads: [] }, errors: [{ message: 'one', path: ['me'] }, { message: 'two' }] }, {})
    const partial = await caught(several, (client) => client.query({ me: { role: true } }))
    expect(partial).toMatchObject({
      message: 'one',
      path: ['me'],
      partial: { me: null, leads: [] },
      errors: [{ message: 'one' }, { message: 'two' }],
    })
  })
})

test('a signal keeps no listener of a stream or an answer that has ended', async () => {
  const { signal } = new AbortController()
  const body = 'event: next\ndata: {"data":{"a":1}}\n\nevent: complete\ndata:\n\n'
  const connection = {
    url: 'http://service.test',
    fetch: () => Promise.resolve(new Response(body, { headers: { 'content-type': 'text/event-stream' } })),
    timers: realTimers,
    timeoutMs: 60_000,
  }
  const source = {
    timers: realTimers,
    open: (token: string | null, own: AbortSignal) =>
      openEventStream(connection, { operation: { query: '{ a }', variables: {} }, token }, own),
    access: () => Promise.resolve(null),
    renew: () => Promise.reject(new Error('no')),
    isOwnTakeOver: () => false,
    onEnd: () => undefined,
  }
  for await (const event of subscribe(source, {}, signal)) expect([event, getEventListeners(signal, 'abort').length]).toEqual([{ a: 1 }, 1])
  expect(getEventListeners(signal, 'abort')).toEqual([])
  const client = createClient({ url: connection.url, fetch: () => Promise.resolve(new Response(null, { status: 204 })) })
  expect(await client.rest('DELETE /api/widget/bookings/{id}', { path: { id: 'b-1' } }, { signal })).toBeNull()
  expect(getEventListeners(signal, 'abort')).toEqual([])
})
