import { afterAll, beforeAll, expect, test } from 'vitest'
import { mostSearches } from '../../src/features/recordings/search/member-searches.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createSqliteTranscriptIndex } from '../../src/providers/transcripts/sqlite.ts'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'
import { recordedCalls } from '../harness/recordings.ts'
import { commonWords, copyAnalysis, manySearches, workspaceOf } from '../harness/stored-transcripts.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

let app: TestApp
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  manager = await app.signIn('manager@demo.example')
  const [call] = await recordedCalls(app, manager.token)
  const callId = call?.id ?? ''
  await app.rest('POST', '/api/recordings/analyze', { token: manager.token, body: { callId } })
  await using closing = new AsyncDisposableStack()
  const store = createSqliteStore({ dataDir: app.dataDir, clock: systemClock, retentionOf })
  closing.defer(() => store.close())
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir: app.dataDir, clock: systemClock, log: createLog('silent') })
  closing.defer(() => transcriptIndex.close())
  await copyAnalysis({ store, transcriptIndex }, { workspaceId: workspaceOf(manager.token), callId, copies: 100, utterances: 40 })
})
afterAll(() => app[Symbol.asyncDispose]())

const healthStatus = async (): Promise<number> => (await fetch(`${app.url}/health`)).status

test('health answers while one operation searches thousands of utterances many times', async () => {
  const operation = { hasEnded: false }
  const answer = app
    .graphql(manySearches(mostSearches, { text: commonWords }), { token: manager.token })
    .finally(() => (operation.hasEnded = true))
  let answers = 0
  while (!operation.hasEnded) {
    expect(await healthStatus()).toBe(200)
    answers += 1
  }
  const { data, errors } = await answer
  expect(errors).toBeUndefined()
  expect(Object.values(data ?? {})).toHaveLength(mostSearches)
  for (const found of Object.values(data ?? {})) expect(found).toMatchObject({ nodes: Array.from({ length: 50 }, () => ({})) })
  // Without turns of the event loop between the searches it would be one or two.
  expect(answers).toBeGreaterThan(mostSearches)
})

test('an operation with more searches gets all, a few at a time', async () => {
  const { data, errors } = await app.graphql(manySearches(mostSearches + 1, { text: commonWords, first: 1 }), { token: manager.token })
  expect(errors).toBeUndefined()
  expect(Object.values(data ?? {})).toHaveLength(mostSearches + 1)
})

test('more searches at once are refused with the limit, and the member searches on', async () => {
  const operation = manySearches(4, { text: commonWords, first: 1 })
  const answers = await Promise.all(Array.from({ length: 6 }, () => app.graphql(operation, { token: manager.token })))
  const refused = answers.flatMap(({ errors = [] }) => errors)
  expect(refused.length).toBeGreaterThan(0)
  for (const error of refused) {
    expect(error).toMatchObject({
      message: 'Your searches run one after another, and 10 are under way already: wait for their answers, then try again',
      extensions: {
        code: 'RATE_LIMITED',
        reason: 'TOO_MANY_SEARCHES',
        retryable: true,
        data: { limit: mostSearches, retryAfterSeconds: 1 },
      },
    })
  }
  const again = await app.rest('GET', '/api/recordings/search?text=the&first=1', { token: manager.token })
  expect(again).toMatchObject({ status: 200 })
})

test('another member’s search does not wait for all searches of the first one', async () => {
  const agent = await app.signIn('agent1@demo.example')
  const order: string[] = []
  const search = async (name: string, count: number, { token }: TestSignIn) => {
    const { errors } = await app.graphql(manySearches(count, { text: commonWords }), { token })
    expect(errors).toBeUndefined()
    order.push(name)
  }
  await search('first', 1, agent)
  await Promise.all([search('many', mostSearches, manager), search('one', 1, agent)])
  expect(order).toEqual(['first', 'one', 'many'])
})
