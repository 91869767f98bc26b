import * as fc from 'fast-check'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { type BoundedWork, hostileText, startBoundedWork, textOf } from '../harness/bounded-work.ts'
import { hostileShapes } from '../harness/hostile-json.ts'
import { dearDocuments, documentBody, rootFieldRequests, uploadOf } from '../harness/hostile-requests.ts'
import { ownRequests } from '../harness/own-requests.ts'
import { createWidgetDesk, site } from '../harness/widget-desk.ts'

const schema = makeExecutableSchema({ typeDefs: readContract() })

let work: BoundedWork
beforeAll(async () => {
  work = await startBoundedWork()
})
afterAll(() => work[Symbol.asyncDispose]())
// What is forwarded of these requests is refused on purpose.
afterEach(() => void ownRequests.found.splice(0))

vi.setConfig({ testTimeout: 180_000 })

describe('no request holds the event loop', () => {
  test('with any variables for any root field', async () => {
    expect.assertions(200)
    await fc.assert(
      fc.asyncProperty(hostileText, fc.nat(), async ({ name, text }, choice) => {
        const requests = rootFieldRequests(schema, text)
        const request = requests[choice % requests.length]
        expect(request && (await work.faultOf({ ...request, label: `${request.label} ${name}` }))).toBeNull()
      }),
      { numRuns: 200, seed: 17 },
    )
  })

  test('for each root field with many unknown keys', async () => {
    expect(await work.faultsOf(rootFieldRequests(schema, textOf('many keys', 262_000)))).toEqual([])
  })

  test.for(['/graphql', '/metadata'])('with documents on %s', async (path) => {
    const headers = { 'content-type': 'application/json' }
    const requests = [500_000, 1_000_000].flatMap((bytes) =>
      Object.entries(dearDocuments(bytes)).map(([label, query]) => {
        return { label: `${label} (${bytes})`, method: 'POST', path, headers, body: documentBody(label, query) }
      }),
    )
    const hostile = hostileShapes.map(({ name }) => {
      const text = textOf(name, 250_000)
      const query =
        'mutation($email: String!) { getLoginTokenFromCredentials(email: $email, password: "x", origin: "http://demo.localhost") { loginToken { token: work.token } } }'
      return { label: name, method: 'POST', path, headers, body: `{"query":${JSON.stringify(query)},"variables":{"email":${text}}}` }
    })
    expect(await work.faultsOf([...requests, ...hostile])).toEqual([])
  })

  test('with uploads', async () => {
    const operations = '{"query":"mutation($file: Upload!) { uploadImage(file: $file) { path } }","variables":{"file":null}}'
    const map = '{"0":["variables.file"]}'
    const requests = [
      uploadOf(operations, `{${Array.from({ length: 30_000 }, (_, index) => `"${index}":["variables.f"]`).join(',')}}`),
      uploadOf(operations, `{"0":[${Array.from({ length: 30_000 }, () => '"variables.f"').join(',')}]}`),
      uploadOf(operations, `{"0":["variables.${'a.'.repeat(400_000)}"]}`),
      uploadOf(operations, map, '\r\n--b--'.repeat(140_000)),
      uploadOf(operations, map, '\r\n--b\r\n'.repeat(140_000)),
      uploadOf(operations, map, '\r\n--b\r\ncontent-disposition: form-data; name="0"; filename="a"\r\n\r\n'.repeat(14_000)),
      uploadOf(operations, map, `\r\n--b\r\ncontent-disposition: form-data; name="0"; filename="${'\\a'.repeat(2_000)}`),
      ...hostileShapes.map(({ name }) => uploadOf(operations.replace('null', textOf(name, 1_000_000)), map)),
    ]
    expect(await work.faultsOf(requests)).toEqual([])
  })

  test('with headers', async () => {
    const headers: Record<string, string>[] = [
      { accept: 'a,'.repeat(6_000) },
      { accept: `application/json${' '.repeat(12_000)};q=1` },
      { authorization: `Bearer ${'x'.repeat(12_000)}` },
      { authorization: `Bearer${' '.repeat(12_000)}` },
      { 'x-forwarded-for': '1.1.1.1,'.repeat(1_500) },
      { 'x-request-id': 'x'.repeat(12_000) },
      { 'if-match': `W/"${'"'.repeat(12_000)}` },
      { prefer: ', '.repeat(6_000) },
      { 'content-type': `application/json;${' '.repeat(12_000)}x` },
      { 'content-type': `multipart/form-data; boundary="${'b'.repeat(12_000)}` },
      { origin: `https://${'a.'.repeat(6_000)}` },
      { 'accept-encoding': 'br;q=0,'.repeat(1_500) },
      { cookie: 'a=b;'.repeat(3_000) },
    ]
    const paths = ['/graphql', '/metadata', '/auth/logout', '/api/team/members', '/api/widget/config']
    const requests = headers.flatMap((header) =>
      paths.map((path) => {
        const method = path === '/graphql' || path === '/metadata' || path === '/auth/logout' ? 'POST' : 'GET'
        return {
          label: `${Object.keys(header).join()} ${path}`,
          method,
          path,
          headers: { 'content-type': 'application/json', ...header },
          body: method === 'GET' ? null : '{}',
        }
      }),
    )
    const faults = await work.faultsOf(requests)
    expect(faults).toEqual([])
  })

  test.for(['ozonetel', 'exotel'])('with webhooks of %s that have a valid key', async (provider) => {
    const { body } = await work.app.rest('POST', '/api/calls/callback-keys', { token: work.token, body: { provider } })
    const { path } = z.object({ path: z.string() }).parse(body)
    const form = (fields: string) => ({ type: 'application/x-www-form-urlencoded', body: fields })
    const bodies = [
      ...hostileShapes.flatMap(({ name }) => [
        { type: 'application/json', body: textOf(name, 250_000) },
        form(`data=${encodeURIComponent(textOf(name, 80_000))}`),
      ]),
      form('a&'.repeat(120_000)),
      form(`data=${'%41'.repeat(80_000)}`),
      form('data=1&'.repeat(35_000)),
      { type: 'multipart/form-data; boundary=b', body: '\r\n--b\r\n'.repeat(30_000) },
      { type: 'multipart/form-data; boundary=b', body: `--b\r\n${'content-disposition:\r\n'.repeat(10_000)}` },
      { type: `multipart/form-data; ${'a=b; '.repeat(2_000)}boundary=b`, body: '--b' },
    ]
    const requests = bodies.map(({ type, body: text }, index) => {
      return { label: `${type} ${index} ${text.slice(0, 30)}`, method: 'POST', path, headers: { 'content-type': type }, body: text }
    })
    expect(await work.faultsOf(requests)).toEqual([])
  })

  test('with bodies of the widget that have a valid key', async () => {
    await using desk = await createWidgetDesk()
    const headers = { 'content-type': 'application/json', origin: site, 'x-widget-key': desk.key }
    const requests = hostileShapes.flatMap(({ name }) =>
      ['/api/widget/chat', '/api/widget/bookings'].flatMap((path) =>
        [130_000, 16_000].map((bytes) => ({ label: `${path} ${name}`, method: 'POST', path, headers, body: textOf(name, bytes) })),
      ),
    )
    expect(await work.faultsOf(requests, desk.app.url)).toEqual([])
  })

  test('with the variables of a stitched operation, nor the thread of the stitched schemas', async () => {
    const query = 'query Q($f: LeadFilterInput, $n: Int) { leads(filter: $f, first: $n) { edges { node { id insight { summary } } } } }'
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${work.token}` }
    const ask = (variables: string) =>
      work.faultOf({
        label: variables.slice(0, 40),
        method: 'POST',
        path: '/graphql',
        headers,
        body: `{"query":"${query}","variables":${variables}}`,
      })
    await ask('{}')
    const startedAt = performance.now()
    expect(await ask(`{"f":${textOf('many keys', 262_000)}}`)).toBeNull()
    expect(await ask(`{"n":${textOf('many objects', 200_000)}}`)).toBeNull()
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    const { errors } = await work.app.graphql(query, { token: work.token, variables: { n: { secret: 'SECRET-9' } } })
    expect(errors).toMatchObject([
      { message: 'n: must be a whole number of at most 32 bits', extensions: { data: { fields: [{ path: 'n' }] } } },
    ])
  })
})
