import { request } from 'undici'
import { expect, test } from 'vitest'
import { createTestApp } from '../harness/app.ts'
import { ownRequests } from '../harness/own-requests.ts'

const askByNobody = (url: string, query: string, variables: Readonly<Record<string, unknown>> = {}) =>
  request(`${url}/metadata`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ query, variables }),
  })

test('what the service sends the platform is seen, each document by its text', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  await app.rest('GET', '/auth/me', { token })
  await app.graphql('{ leads(first: 1) { edges { node { id } } } }', { token })
  const sent = [...ownRequests.documents].map((document) => /^\S+ *\s*((?:query|mutation)\s*\w*)/.exec(document)?.[1] ?? document)
  expect(sent).toEqual(expect.arrayContaining(['mutation LogIn', 'mutation Exchange', 'query Profile']))
  expect(ownRequests.checked).toBeGreaterThanOrEqual(5)
  expect(sent, 'a forwarded document is the client’s').not.toContainEqual(expect.stringContaining('leads(first: 1)'))
})

test.each([
  {
    what: 'an unknown field',
    query: '{ currentWorkspace { nothing } }',
    fault: 'Cannot query field "nothing" on type "Workspace".',
  },
  {
    what: 'a variable of another type',
    query: 'query Q($o: String) { getPublicWorkspaceDataByDomain(origin: $o) { id } }',
    variables: { o: 5 },
    fault: 'String cannot represent',
  },
])('$what fails the test in which the service sends it', async ({ query, variables = {}, fault }) => {
  await using app = await createTestApp()
  await (await askByNobody(app.standIns.platform.url, query, variables)).body.dump()
  expect(ownRequests.found.splice(0).join('\n')).toContain(fault)
})
