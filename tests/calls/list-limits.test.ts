import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'

let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())

const lists = [
  { most: 100, path: '/api/audit', field: 'auditLog', selection: 'pageInfo { hasNextPage }' },
  { most: 100, path: '/api/events/dead', field: 'deadLetters', selection: 'pageInfo { hasNextPage }' },
  { most: 100, path: '/api/team/members', field: 'teamMembers', selection: 'pageInfo { hasNextPage }' },
  { most: 200, path: '/api/calls/missed', field: 'missedCalls', selection: 'nodes { ucid }' },
  { most: 200, path: '/api/calls/worklist', field: 'worklist', selection: 'nodes { id }' },
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

const pageSchema = z.object({
  nodes: z.array(z.object({ id: z.string() })),
  pageInfo: z.object({ endCursor: z.string(), hasNextPage: z.boolean() }),
})

async function members(given: string): Promise<z.output<typeof pageSchema>> {
  const { data } = await app.graphql(`{ teamMembers(${given}) { nodes { id } pageInfo { endCursor hasNextPage } } }`, { token })
  return z.object({ teamMembers: pageSchema }).parse(data).teamMembers
}

test('a cursor of another list or workspace is refused by every list, in REST and GraphQL', async () => {
  const { endCursor } = (await members('first: 1')).pageInfo
  const fields = [{ path: 'after', message: 'must be a cursor of this list' }]
  const { token: elsewhere } = await app.signIn('manager@acme.example')
  const others = [
    ...lists.filter(({ field }) => field !== 'teamMembers').map((list) => ({ ...list, token })),
    { ...lists[2], token: elsewhere },
  ]
  for (const { path, field, selection, token } of others) {
    for (const cursor of [endCursor, 'x', '', 'W10', `${endCursor}x`.slice(1)]) {
      expect(await app.rest('GET', `${path}?after=${cursor}`, { token })).toMatchObject({ status: 400, body: { data: { fields } } })
      const { errors } = await app.graphql(`{ ${field}(after: "${cursor}") { ${selection} } }`, { token })
      expect(errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT', data: { fields } } }])
    }
  }
  // The cursor names no workspace, list or person.
  expect(Buffer.from(endCursor, 'base64url').toString()).not.toMatch(/team|demo|manager|@/)
})

test('REST has the next page in the header Link, which keeps the other parameters and is absent on the last page', async () => {
  const all = (await members('first: 100')).nodes.map(({ id }) => id)
  const seen: string[] = []
  let path: string | undefined = `/api/team/members?search=example&first=${all.length - 1}`
  const links: string[] = []
  while (path !== undefined) {
    const { body, headers } = await app.rest('GET', path, { token })
    seen.push(
      ...z
        .object({ members: z.array(z.object({ id: z.string() })) })
        .parse(body)
        .members.map(({ id }) => id),
    )
    path = /^<(.+)>; rel="next"$/.exec(headers.get('link') ?? '')?.[1]
    links.push(path ?? 'none')
  }
  expect(seen).toEqual(all)
  expect(links).toEqual([expect.stringMatching(/^\/api\/team\/members\?search=example&first=\d+&after=/), 'none'])
})
