import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { derivedId } from '../../src/kernel/ids.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { watchLoop } from '../harness/loop-watch.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

/** CI is busy, and client and stand-ins share the process: `npm run prove:security -- members` measures 50 ms. */
const longestHoldMs = 250

let app: TestApp
let agent: string
let manager: string
beforeAll(async () => {
  app = await createTestApp()
  agent = (await app.signIn('agent1@demo.example')).token
  manager = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app?.[Symbol.asyncDispose]())

const idsOf = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => derivedId('call', 'cost', String(index)))
const aliased = (count: number, field: string): string => Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ')
const statuses = (aliases: number): string => `query($ids: [ID!]!) { ${aliased(aliases, 'recordingStatuses(callIds: $ids) { state }')} }`

const refusal = (cost: number): object => ({
  extensions: { code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', retryable: false, data: { cost, limit: 10_000 } },
})

describe('an operation that costs too much', () => {
  test('is refused with its cost and the limit', async () => {
    const answer = await app.graphql(statuses(60), { token: agent, variables: { ids: idsOf(500) } })
    expect(answer.data ?? null).toBeNull()
    expect(answer.errors).toEqual([
      expect.objectContaining({
        message:
          'The operation costs 300,060, and may cost at most 10,000: send fewer IDs, smaller pages, shorter ranges or fewer fields at once',
      }),
    ])
    expect(answer.errors?.[0]).toMatchObject(refusal(300_060))
  })

  test('is refused at the first unit over the limit, and not before', async () => {
    const { data } = await app.graphql('query($ids: [ID!]!) { recordingAnalyses(callIds: $ids) { id } }', {
      token: agent,
      variables: { ids: idsOf(500) },
    })
    expect(data).toEqual({ recordingAnalyses: idsOf(500).map(() => null) })
    const query = (more: string): string =>
      `query($a: [ID!]!, $b: [ID!]!) { a: recordingAnalyses(callIds: $a) { id } b: recordingAnalyses(callIds: $b) { id } ${more} }`
    const variables = { a: idsOf(500), b: idsOf(499) }
    expect((await app.graphql(query(aliased(8, 'me { role }')), { token: agent, variables })).errors).toBeUndefined()
    expect((await app.graphql(query(aliased(9, 'me { role }')), { token: agent, variables })).errors?.[0]).toMatchObject(refusal(10_001))
  })

  test.each([
    [
      'beside the platform',
      `{ leads(first: 1) { edges { node { id } } } ${aliased(14, 'searchTranscripts { nodes { callId } }')} }`,
      10_080,
    ],
    [
      'in records of the platform',
      '{ leads(first: 200) { edges { node { calls(first: 60) { edges { node { analysis { id } } } } } } } }',
      120_000,
    ],
    ['behind a link', '{ missedCalls(first: 200) { nodes { lead { calls(first: 10) { edges { node { analysis { id } } } } } } } }', 20_410],
    ['by its links', `{ ${aliased(25, 'missedCalls(first: 200) { nodes { lead { id } } }')} }`, 10_250],
    ['as a mutation', `mutation { ${aliased(11, 'replayDeadLetters { replayed }')} }`, 11_000],
    [
      'as a mutation beside the platform',
      `mutation { ${Array.from({ length: 11 }, (_, index) => `a${index}: replayWebhooks { replayed } b${index}: updateLead(id: "x", data: {}) { id }`).join(' ')} }`,
      11_000,
    ],
  ])('is refused %s, and nothing of it runs', async (_name, query, cost) => {
    const before = app.standIns.platform.calls().length
    const answer = await app.graphql(query, { token: manager })
    expect(answer.errors?.[0]).toMatchObject(refusal(cost))
    expect(answer.errors).toHaveLength(1)
    expect(app.standIns.platform.calls().length).toBe(before)
  })
})

test('sixty aliases with five hundred equal IDs are answered, in many turns of the event loop', async () => {
  const [id = ''] = idsOf(1)
  using watch = watchLoop()
  const { data, errors } = await app.graphql(statuses(60), { token: agent, variables: { ids: Array.from({ length: 500 }, () => id) } })
  expect(errors).toBeUndefined()
  expect(Object.keys(data ?? {})).toHaveLength(60)
  expect(watch.read().cpuMs).toBeLessThan(longestHoldMs)
})

test('REST runs the same way, and its description says what a request costs', async () => {
  const [id = ''] = idsOf(1)
  expect(await app.rest('GET', `/api/recordings/${id}/status`, { token: agent })).toMatchObject({ status: 404 })
  expect(await app.rest('GET', '/api/calls/missed?first=200', { token: agent })).toMatchObject({ status: 200 })
  const { paths } = descriptionSchema.parse((await app.rest('GET', '/openapi.json')).body)
  expect(paths['/api/calls/missed']?.get?.description).toContain('Costs 10, and 1 for each row of `first`.')
  expect(paths['/api/recordings/{callId}/status']?.get?.description).toContain('Costs 10.')
})
const descriptionSchema = z.object({
  paths: z.record(z.string(), z.looseObject({ get: z.looseObject({ description: z.string() }).optional() })),
})

test('a subscription that costs too much is refused, also with records of the platform', async () => {
  const calls = 'calls(first: 200) { edges { node { analysis { utterances { text } } } } }'
  const source = `subscription { worklistChanges { entry { lead { ${calls} } } } }`
  const answer = await subscribe(app.url, { query: source, token: agent })
  await waitFor(() => answer.ended, { what: 'the end of the stream' })
  expect(answer.text).toContain('and may cost at most 10,000')
})
