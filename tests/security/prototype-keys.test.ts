import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { uploadOf } from '../harness/hostile-requests.ts'

/** A key that names a prototype is refused before a value of a client can reach all objects of the process. */
let app: TestApp
let token: string
beforeAll(async () => {
  app = await createTestApp()
  token = (await app.signIn('manager@demo.example')).token
})
afterAll(() => app[Symbol.asyncDispose]())

const keys = ['__proto__', 'constructor', 'prototype', String.raw`\u005f_proto__`, String.raw`\u0063onstructor`]
const operations = '{"query":"mutation($file: Upload!) { uploadFilesFieldFile(file: $file) { path } }","variables":{"file":null}}'
const prototypeKeys = () => Object.keys(Object.prototype)

/** Sends an upload; to the stand-in of the platform if `url` is its address. */
async function upload(url: string, path: string, { form = operations, map }: { form?: string; map: string }) {
  const { headers, body } = uploadOf(form, map, 'x')
  const response = await fetch(url + path, { method: 'POST', headers: { ...headers, authorization: `Bearer ${token}` }, body })
  return { status: response.status, text: await response.text() }
}

const maps = keys.flatMap((key) => [
  `{"0":["variables.${key}.polluted"]}`,
  `{"0":["variables.file.${key}"]}`,
  `{"0":["variables.a.${key}.prototype.polluted"]}`,
  `{"0":["variables.file"],"${key}":["variables.file"]}`,
])

describe('the gateway refuses', () => {
  test.for(['/graphql', '/metadata'])('upload maps and operations with such names on %s', async (path) => {
    for (const map of maps) expect(await upload(app.url, path, { map }), map).toMatchObject({ status: 400 })
    for (const key of keys) {
      const form = operations.replace('"file":null', `"file":null,"${key}":{"polluted":1}`)
      expect(await upload(app.url, path, { form, map: '{"0":["variables.file"]}' }), key).toMatchObject({ status: 400 })
    }
    expect(prototypeKeys()).toEqual([])
  })

  test.for(keys)('bodies and variables with the key %s, at any depth and however it is written', async (key) => {
    const value = `{"a":[{"${key}":{"polluted":1}}]}`
    const bodies = [
      ['/graphql', `{"query":"{ __typename }","variables":${value}}`],
      ['/metadata', `{"query":"{ __typename }","variables":${value}}`],
      ['/graphql', `{"query":"{ __typename }","${key}":1}`],
      ['/auth/login', `{"email":${value}}`],
      ['/auth/login', `{ "${key}" : 1 }`],
      ['/api/calls/dial', value],
    ] as const
    for (const [path, body] of bodies) {
      const answer = await app.rest('POST', path, { body, token })
      expect(answer.status, `${path} ${body}`).toBe(400)
      expect(JSON.stringify(answer.body)).toContain('must not have the key')
    }
    expect(prototypeKeys()).toEqual([])
  })

  test.for(['__proto__', 'constructor', 'prototype', '%5f_proto__'])('the parameter %s in a path', async (key) => {
    for (const path of [`/api/leads/${key}/insight`, `/api/config/${key}`, `/api/widget/chat/${key}`]) {
      const { status } = await app.rest('GET', path, { token })
      expect([400, 401, 404], path).toContain(status)
    }
  })

  test('nothing that only looks like such a key', async () => {
    const text = '{"note":"__proto__","constructors":"constructor","a":{"b":"prototype"},"proto":"\\"constructor\\":1"}'
    const { status } = await app.rest('POST', '/graphql', { body: `{"query":"{ __typename }","variables":${text}}` })
    expect(status).toBe(200)
  })
})

describe('the stand-in of the platform', () => {
  test('refuses them in upload maps, and its process goes on', async () => {
    const { url } = app.standIns.platform
    for (const map of maps) expect(await upload(url, '/metadata', { map }), map).toMatchObject({ status: 400 })
    expect(prototypeKeys()).toEqual([])
    expect(await app.graphql('{ leads(first: 1) { edges { node { id } } } }', { token })).not.toHaveProperty('errors')
  })

  test('refuses them in records, filters and the names of commands', async () => {
    const { url } = app.standIns.platform
    const ask = async (path: string, body: string) => {
      const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
      return (await fetch(url + path, { method: 'POST', headers, body })).text()
    }
    const create = 'mutation($d: LeadCreateInput!) { createLead(data: $d) { id } }'
    const find = 'query($f: LeadFilterInput) { leads(filter: $f) { edges { node { id } } } }'
    expect(await ask('/graphql', `{"query":"${create}","variables":{"d":{"__proto__":{"name":"x"}}}}`)).toContain('"errors"')
    expect(await ask('/graphql', `{"query":"${find}","variables":{"f":{"constructor":{"eq":1}}}}`)).toContain('"errors"')
    expect(await ask('/graphql', '{"query":"{ leads(__proto__: {first: 1}) { edges { node { id } } } }"}')).toContain('"errors"')
    for (const name of ['__proto__', 'constructor', 'toString']) expect(await ask(`/_sandbox/${name}`, '{}')).toContain('commands:')
    expect(prototypeKeys()).toEqual([])
  })
})
