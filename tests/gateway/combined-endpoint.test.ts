import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp, type TestSignIn } from '../harness/app.ts'

let app: TestApp
let agent: TestSignIn
let manager: TestSignIn
beforeAll(async () => {
  app = await createTestApp()
  agent = await app.signIn('agent1@demo.example')
  manager = await app.signIn('manager@demo.example')
}, 60_000)
afterAll(() => app[Symbol.asyncDispose]())

describe('the combined endpoint', () => {
  test('answers root fields of the records, of the metadata endpoint and of ours in one query', async () => {
    const { data, errors } = await app.graphql('{ me { role } currentUser { id } people(first: 3) { totalCount } }', { token: agent.token })
    expect(errors).toBeUndefined()
    expect(Object.keys(data ?? {})).toEqual(['me', 'currentUser', 'people'])
    expect(data).toMatchObject({ me: { role: 'AGENT' }, people: {} })
  })

  test('the stitched schema has both endpoints, with prefixes for what the records have too', async () => {
    const query = `{
      __schema { queryType { fields { name } } mutationType { fields { name } } }
      prefixed: __type(name: "MetadataWorkspaceMember") { fields { name } }
      records: __type(name: "WorkspaceMember") { fields { name } }
      me { role }
      getRoles { label }
      people(first: 1) { totalCount }
    }`
    const { data, errors } = await app.graphql(query, { token: manager.token })
    expect(errors).toBeUndefined()
    const text = JSON.stringify(data)
    for (const name of ['me', 'currentUser', 'people', 'createOneObject', 'createLead', 'agentLogin'])
      expect(text).toContain(`"name":"${name}"`)
    expect(JSON.stringify(data?.['prefixed'])).toContain('"name":"roles"')
    expect(JSON.stringify(data?.['records'])).toContain('timelineActivities')
    expect(data?.['getRoles']).toContainEqual({ label: 'Manager' })
  })
})
