import { type DocumentNode, getOperationAST, Kind } from 'graphql'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import type { GatewayPlugin } from '../../src/server/graphql/yoga.ts'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { subscribe } from '../harness/subscribe.ts'
import { waitFor } from '../harness/wait-for.ts'

let executed: string[] = []
let validated = 0
const counting: GatewayPlugin = {
  onValidate() {
    validated += 1
  },
  onExecute({ args }) {
    executed.push(rootFieldsOf(args))
  },
  onSubscribe({ args }) {
    executed.push(rootFieldsOf(args))
  },
}

let app: TestApp
let token: string

beforeAll(async () => {
  app = await createTestApp({ yogaPlugins: [counting] })
  token = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())
beforeEach(() => {
  executed = []
  validated = 0
})

describe('a plugin of the Yoga server sees every operation on the local schema', () => {
  test('a local operation of /graphql, validated once for each document', async () => {
    const query = '{ me { role } again: me { memberId } }'
    for (let round = 0; round < 3; round += 1) expect((await app.graphql(query, { token })).errors).toBeUndefined()
    expect(executed).toEqual(['me me', 'me me', 'me me'])
    expect(validated).toBe(1)
  })

  test('the local part of a mixed operation', async () => {
    const { data } = await app.graphql('{ me { role } leads(first: 1) { edges { node { id } } } }', { token })
    expect(data).toMatchObject({ me: { role: 'MANAGER' }, leads: { edges: [{}] } })
    expect(executed).toEqual(['me'])
  })

  test('the local part of a stitched operation', async () => {
    const { data } = await app.graphql('{ me { role } __type(name: "Lead") { name } }', { token })
    expect(data).toMatchObject({ me: { role: 'MANAGER' }, __type: { name: 'Lead' } })
    expect(executed).toEqual(['me'])
  })

  test('a REST request', async () => {
    expect((await app.rest('GET', '/api/supervisor/overview', { token })).status).toBe(200)
    expect(executed).toEqual(['supervision'])
  })

  test('a subscription over server-sent events', async () => {
    const stream = await subscribe(app.url, { query: 'subscription { supervisionUpdates { at } }', token })
    await waitFor(() => stream.text.includes('supervisionUpdates'))
    stream.leave()
    expect(executed).toEqual(['supervisionUpdates'])
  })

  test('a form of request that only Yoga reads', async () => {
    const answer = await fetch(`${app.url}/graphql?query={me{role}}`, { headers: { authorization: `Bearer ${token}` } })
    expect(await answer.json()).toMatchObject({ data: { me: { role: 'MANAGER' } } })
    expect(executed).toEqual(['me'])
  })
})

/** The names of the operation's root fields. */
function rootFieldsOf({ document }: { readonly document: DocumentNode }): string {
  const fields = getOperationAST(document)?.selectionSet.selections ?? []
  return fields.map((field) => (field.kind === Kind.FIELD ? field.name.value : field.kind)).join(' ')
}
