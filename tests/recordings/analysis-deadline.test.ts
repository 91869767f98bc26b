import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { recordedCalls } from '../harness/recordings.ts'

let app: TestApp
/** What the requests were allowed to take, from the moment they asked. */
const allowed: number[] = []
beforeAll(async () => {
  app = await createTestApp({
    yogaPlugins: [
      {
        onExecute({ args }) {
          const context = args.contextValue
          const allowAtLeast = context.allowAtLeast.bind(context)
          context.allowAtLeast = (ms) => {
            allowed.push(ms)
            allowAtLeast(ms)
          }
        },
      },
    ],
  })
})
afterAll(() => app[Symbol.asyncDispose]())

test('however long the platform takes before, a request for an analysis has the time to wait', async () => {
  const { token } = await app.signIn('manager@demo.example')
  const [first] = await recordedCalls(app, token)
  app.standIns.speech.fault({ operation: '/v1/listen', act: 'hang' })
  allowed.splice(0)
  const body = { callId: first?.id, waitSeconds: 1 }
  expect(await app.rest('POST', '/api/recordings/analyze', { token, body })).toMatchObject({ status: 202 })
  expect(allowed).toEqual([6_000])
})
