import { afterAll, beforeAll, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())

const lists = [
  { most: 100, path: '/api/audit', field: 'auditLog', selection: 'nextCursor' },
  { most: 100, path: '/api/events/dead', field: 'deadLetters', selection: 'nextCursor' },
  { most: 100, path: '/api/team/members', field: 'teamMembers', selection: 'nextCursor' },
  { most: 200, path: '/api/calls/missed', field: 'missedCalls', selection: 'ucid' },
] as const

test.each(lists)(
  '$field accepts a page of 1 to $most entries and rejects other sizes, in REST and GraphQL',
  async ({ most, path, field, selection }) => {
    const fields = [{ path: 'first', message: `must be 1 to ${most}` }]
    for (const first of [0, -1, most + 1]) {
      expect(await app.rest('GET', `${path}?first=${first}`, { token })).toMatchObject({ status: 400, body: { data: { fields } } })
      const { errors } = await app.graphql(`{ ${field}(first: ${first}) { ${selection} } }`, { token })
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', data: { fields } } }])
    }
    for (const first of [1, most]) {
      expect(await app.rest('GET', `${path}?first=${first}`, { token })).toMatchObject({ status: 200 })
      expect((await app.graphql(`{ ${field}(first: ${first}) { ${selection} } }`, { token })).errors).toBeUndefined()
    }
  },
)
