import { expect, test } from 'vitest'
import { z } from 'zod'
import { CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { createFigures } from '../../src/ports/figures.ts'
import { createPlatformEndpoint, type PlatformEndpoint, platformParty } from '../../src/providers/platform/endpoint.ts'
import { platformErrorOf } from '../../src/providers/platform/failure.ts'
import { startStandIn, type StandIn, type StandInAnswer } from '../../src/sandbox/stand-in.ts'

async function platformThatAnswers(
  answer: StandInAnswer,
  deadlineMs = 30_000,
): Promise<{ standIn: StandIn; endpoint: PlatformEndpoint } & AsyncDisposable> {
  const standIn = await startStandIn({ name: 'one-answer', handle: () => answer })
  const endpoint = createPlatformEndpoint({ url: standIn.url, graphqlPath: '/graphql', metadataPath: '/metadata', deadlineMs })
  return { standIn, endpoint, [Symbol.asyncDispose]: () => standIn[Symbol.asyncDispose]() }
}

const ask = { endpoint: 'records', document: '{ lead { id } }', accessToken: 'a-token', answer: z.object({ lead: z.string() }) } as const

async function faultOf(endpoint: PlatformEndpoint): Promise<AppError> {
  const error: unknown = await endpoint.request(ask).catch((reason: unknown) => reason)
  if (error instanceof AppError) return error
  throw new Error('expected an AppError', { cause: error })
}

const refusals: readonly [string, StandInAnswer, ErrorReason][] = [
  ['an expired token', platformError('Token has expired.', 'UNAUTHENTICATED', 'UNAUTHENTICATED'), 'TOKEN_REFUSED'],
  ['a token of another kind', platformError('Invalid token', 'FORBIDDEN', 'INVALID_JWT_TOKEN_TYPE'), 'TOKEN_REFUSED'],
  ['a role that lacks the right', platformError('Entity may not', 'FORBIDDEN', 'PERMISSION_DENIED'), 'PLATFORM_REFUSED'],
  ['a guarded field in version 1.3', platformError('Forbidden resource', 'INTERNAL_SERVER_ERROR'), 'PLATFORM_REFUSED'],
  ['a missing record', platformError('Record not found', 'NOT_FOUND', 'RECORD_NOT_FOUND'), 'NOT_FOUND'],
  ['its rate limit', platformError('Limit reached (100 tokens per 60000 ms)', 'BAD_USER_INPUT', 'LIMIT_REACHED'), 'OVERLOADED'],
  ['a duplicate', platformError('A duplicate entry was detected', 'BAD_USER_INPUT'), 'PROVIDER_REFUSED'],
  ['an unknown field', { body: { errors: [{ message: 'Cannot query field "lead" on type "Query".' }] } }, 'PROVIDER_REFUSED'],
  ['a status of a proxy', { status: 401, body: { statusCode: 401 } }, 'PROVIDER_ANSWER_INVALID'],
  ['a proxy without a platform behind it', { status: 502, body: '<html>Bad gateway</html>' }, 'PROVIDER_UNAVAILABLE'],
  ['a page instead of JSON', { body: '<html>Sign in</html>' }, 'PROVIDER_ANSWER_INVALID'],
  ['half of a JSON text', { body: '{"data":{"lead":' }, 'PROVIDER_ANSWER_INVALID'],
  ['a status of its own with an error in the body', { status: 500, ...platformError('Forbidden', 'FORBIDDEN') }, 'PROVIDER_UNAVAILABLE'],
  ['a status that says there are too many requests', { status: 429, body: '' }, 'OVERLOADED'],
  ['an answer that is too large', { body: { data: { lead: 'x'.repeat(16 * 1024 * 1024) } } }, 'PROVIDER_ANSWER_INVALID'],
  ['an error without a message', { body: { errors: [{ message: 7, extensions: { code: 'NOT_FOUND' } }] } }, 'NOT_FOUND'],
  ['an error without facts', { body: { errors: [{ message: 'Forbidden resource', extensions: 'none' }] } }, 'PLATFORM_REFUSED'],
  ['an error with an odd code', oddError({ code: 7, subCode: 'PERMISSION_DENIED' }), 'PLATFORM_REFUSED'],
  ['an error with an odd subcode', oddError({ code: 'NOT_FOUND', subCode: 7 }), 'NOT_FOUND'],
  ['an error that names an odd record', oddError({ code: 'NOT_FOUND', conflictingRecordId: 7 }), 'NOT_FOUND'],
  ['nothing', { body: '' }, 'PROVIDER_ANSWER_INVALID'],
  ['another shape than asked for', { body: { data: { lead: 7 } } }, 'PROVIDER_ANSWER_INVALID'],
  ['a redirect', { status: 302, headers: { location: 'http://127.0.0.1:1/' }, body: '' }, 'PROVIDER_ANSWER_INVALID'],
]

function oddError(extensions: object): StandInAnswer {
  return { body: { errors: [{ message: 'odd', extensions }] } }
}

function platformError(message: string, code: string, subCode?: string): StandInAnswer {
  return { body: { errors: [{ message, extensions: { code, ...(subCode ? { subCode } : {}) } }], data: null } }
}

test.each(refusals)('when the platform answers %s, the reason is ours', async (_, answer, reason) => {
  await using platform = await platformThatAnswers(answer)
  expect((await faultOf(platform.endpoint)).reason).toBe(reason)
})

test('parses the answer, and sends a bearer token without Origin and Cookie', async () => {
  await using platform = await platformThatAnswers({ body: { data: { lead: 'L1', further: true } } })
  await expect(platform.endpoint.request(ask)).resolves.toEqual({ lead: 'L1' })
  const [call] = platform.standIn.calls()
  expect(call?.path).toBe('/graphql')
  expect(call?.headers.authorization).toBe('Bearer a-token')
  expect(call?.headers.origin ?? call?.headers.cookie).toBeUndefined()
})

test('without a token no Authorization header is sent', async () => {
  await using platform = await platformThatAnswers({ body: { data: { lead: 'L1' } } })
  await platform.endpoint.request({ ...ask, endpoint: 'metadata', accessToken: null })
  expect(platform.standIn.calls()[0]?.path).toBe('/metadata')
  expect(platform.standIn.calls()[0]?.headers).not.toHaveProperty('authorization')
})

test('a root field that the role may not read is null beside the others, if the request allows it; other errors count', async () => {
  const denied = { message: 'Entity may not', extensions: { code: 'FORBIDDEN', subCode: 'PERMISSION_DENIED' } }
  const limited = { message: 'Limit reached (100 tokens per 60000 ms)', extensions: { code: 'BAD_USER_INPUT', subCode: 'LIMIT_REACHED' } }
  const data = { notes: null, tasks: 'T1' }
  const request = { ...ask, answer: z.object({ notes: z.string().nullable(), tasks: z.string().nullable() }) }
  await using partly = await platformThatAnswers({ body: { data, errors: [denied] } })
  await expect(partly.endpoint.request({ ...request, partial: true })).resolves.toEqual(data)
  await expect(partly.endpoint.request(request)).rejects.toMatchObject({ reason: 'PLATFORM_REFUSED' })
  await using overloaded = await platformThatAnswers({ body: { data, errors: [denied, limited] } })
  await expect(overloaded.endpoint.request({ ...request, partial: true })).rejects.toMatchObject({ reason: 'OVERLOADED' })
  await using refused = await platformThatAnswers({ body: { data: null, errors: [denied] } })
  await expect(refused.endpoint.request({ ...request, partial: true })).rejects.toMatchObject({ reason: 'PLATFORM_REFUSED' })
})

test.each([
  ['Argument not allowed: upsert', { code: 'BAD_USER_INPUT', subCode: 'INVALID_QUERY_INPUT' }, 'UNKNOWN_ARGUMENT'],
  ['Unknown argument "upsert" on field "Mutation.createLeads".', {}, 'UNKNOWN_ARGUMENT'],
  ['insert on table "call" violates foreign key constraint "FK_1"', { code: 'INTERNAL_SERVER_ERROR' }, 'VANISHED_RELATION'],
  ['Cannot query field "x" on type "Lead".', { code: 'BAD_USER_INPUT' }, 'OTHER'],
  ['Limit reached (100 tokens per 60000 ms)', { code: 'BAD_USER_INPUT' }, 'LIMIT_REACHED'],
  ['Object lead doesn\'t have any "nope" field.', { code: 'BAD_USER_INPUT', subCode: 'INVALID_ARGS_DATA' }, 'UNKNOWN_FIELD'],
])('adapters can tell "%s" from other refusals', async (message, extensions, kind) => {
  await using platform = await platformThatAnswers({ body: { errors: [{ message, extensions }], data: null } })
  expect(platformErrorOf(await faultOf(platform.endpoint))?.facts.kind).toBe(kind)
})

test('a platform that never answers exceeds the deadline; one that is not reachable is unavailable', async () => {
  await using platform = await platformThatAnswers({ body: {} }, 300)
  platform.standIn.fault({ act: 'hang' })
  expect((await faultOf(platform.endpoint)).reason).toBe('DEADLINE_PASSED')
  const gone = createPlatformEndpoint({ url: 'http://127.0.0.1:1', graphqlPath: '/graphql', metadataPath: '/metadata' })
  expect((await faultOf(gone)).reason).toBe('PROVIDER_UNAVAILABLE')
})

test('an incomplete body exceeds the deadline too', async () => {
  await using platform = await platformThatAnswers({ body: endlessBody() }, 300)
  expect((await faultOf(platform.endpoint)).reason).toBe('DEADLINE_PASSED')
})

async function* endlessBody(): AsyncGenerator<string> {
  yield '{"data":'
  await new Promise<void>((resolve) => setTimeout(resolve, 2_000).unref())
}

test('a request whose client has gone already is not answered', async () => {
  await using platform = await platformThatAnswers({ body: { data: { lead: 'L1' } } })
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(platform.endpoint.request({ ...ask, signal })).rejects.toMatchObject({ reason: 'DEADLINE_PASSED' })
})

test('who listens learns of each token whose member is gone, and of no other error', async () => {
  const gone: string[] = []
  const answers = [
    platformError('User workspace not found', 'UNAUTHENTICATED', 'USER_NOT_FOUND'),
    platformError('User does not exist or is not found', 'UNAUTHENTICATED'),
    platformError('Token has expired.', 'UNAUTHENTICATED', 'UNAUTHENTICATED'),
    platformError('User not found', 'NOT_FOUND'),
  ]
  for (const [index, answer] of answers.entries()) {
    await using platform = await platformThatAnswers(answer)
    platform.endpoint.onMemberGone((token) => void gone.push(token))
    await platform.endpoint.request({ ...ask, accessToken: `token ${index}` }).catch(() => undefined)
    await platform.endpoint.request({ ...ask, accessToken: null }).catch(() => undefined)
  }
  expect(gone).toEqual(['token 0', 'token 1'])
})

test('the request is aborted at once when its client disconnects', async () => {
  await using platform = await platformThatAnswers({ body: {} })
  platform.standIn.fault({ act: 'hang' })
  const leaving = new AbortController()
  const asked = platform.endpoint.request({ ...ask, signal: leaving.signal })
  leaving.abort()
  await expect(asked).rejects.toThrow(AppError)
})

test("the platform's message reaches neither the client nor the log, and adapters can detect a duplicate", async () => {
  const extensions = { code: 'BAD_USER_INPUT', conflictingRecordId: 'L7' }
  await using platform = await platformThatAnswers({
    body: { errors: [{ message: 'A duplicate entry was detected: 9876543210', extensions }], data: null },
  })
  const error = await faultOf(platform.endpoint)
  expect(platformErrorOf(error)?.facts).toMatchObject({ kind: 'DUPLICATE', conflictingRecordId: 'L7' })
  expect(`${error.message} ${String(error.cause)} ${JSON.stringify(error.cause)}`).not.toContain('9876543210')
})

test('an answer that is too large is an answer; requests that were not sent, or whose caller left, are not measured', async () => {
  await using standIn = await startStandIn({ name: 'large', handle: () => ({ body: { data: { lead: 'x'.repeat(16 * 1024 * 1024) } } }) })
  const figures = createFigures()
  const breaker = new CircuitBreaker(platformParty, { failuresToOpen: 1, now: () => 1 })
  const endpoint = createPlatformEndpoint({ url: standIn.url, graphqlPath: '/graphql', metadataPath: '/metadata', breaker, figures })
  const counted = (): readonly (readonly [string, number])[] =>
    [...(figures.upstreamCalls.get('platform')?.get('lead') ?? [])].map(([result, { counts }]) => [result, counts.reduce((a, b) => a + b)])
  expect((await faultOf(endpoint)).reason).toBe('PROVIDER_ANSWER_INVALID')
  expect(breaker.isOpen).toBe(false)
  standIn.fault({ act: 'hang' })
  const leaving = new AbortController()
  const asked = endpoint.request({ ...ask, signal: leaving.signal })
  leaving.abort()
  await expect(asked).rejects.toThrow(AppError)
  standIn.clearFaults()
  standIn.fault({ act: 'refuse', status: 503 })
  for (let time = 0; time < 3; time += 1) expect((await faultOf(endpoint)).reason).toBe('PROVIDER_UNAVAILABLE')
  expect(counted()).toEqual([
    ['PROVIDER_ANSWER_INVALID', 1],
    ['PROVIDER_UNAVAILABLE', 1],
  ])
})
