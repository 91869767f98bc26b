import * as fc from 'fast-check'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { restTable } from '../../src/server/rest/table.ts'
import { type BoundedWork, hostileText, largestErrorBytes, startBoundedWork, textOf } from '../harness/bounded-work.ts'
import { pathOf, restRequests } from '../harness/hostile-requests.ts'
import { ownRequests } from '../harness/own-requests.ts'

const schema = makeExecutableSchema({ typeDefs: readContract() })
const rows = bindTable(restTable, schema)

let work: BoundedWork
beforeAll(async () => {
  work = await startBoundedWork()
})
afterAll(() => work[Symbol.asyncDispose]())
// What is forwarded of these requests is refused on purpose.
afterEach(() => void ownRequests.found.splice(0))

vi.setConfig({ testTimeout: 180_000 })

describe('no request of REST holds the event loop', () => {
  test('with any body on any REST path, with and without a token', async () => {
    const request = fc.record({
      row: fc.constantFrom(...rows.filter(({ method }) => method !== 'GET')),
      text: hostileText,
      place: fc.nat({ max: 3 }),
      isSignedIn: fc.boolean(),
    })
    await fc.assert(
      fc.asyncProperty(request, async ({ row, text, place, isSignedIn }) => {
        const found = restRequests(row, text.text)
        const one = found[place % found.length]
        if (!one) throw new Error(`There is no request for ${row.path}`)
        const authorization: Record<string, string> = isSignedIn ? { authorization: `Bearer ${work.token}` } : {}
        expect(await work.faultOf({ ...one, label: `${one.label} ${text.name}`, headers: { ...one.headers, ...authorization } })).toBeNull()
      }),
      { numRuns: 400, seed: 17 },
    )
  })

  test('on each REST path with many unknown fields', async () => {
    const requests = [...rows].flatMap((row) => restRequests(row, textOf('many keys', 45_000)))
    expect(await work.faultsOf(requests)).toEqual([])
  })

  test('with long and strange parameters on any REST path', async () => {
    const parameters = ['x'.repeat(7_000), '%00', '__proto__', '[[', '+'.repeat(7_000), 'a,'.repeat(2_000)]
    const paths = rows.flatMap((row) => parameters.map((parameter) => ({ row, path: pathOf(row, parameter) })))
    const queries = [
      'a=1&'.repeat(3_000),
      `first=${'9'.repeat(10_000)}`,
      Array.from({ length: 2_000 }, (_, index) => `k${index}`).join('&'),
    ]
    const requests = [
      ...paths.filter(({ row, path }) => row.method === 'GET' && path !== row.path),
      ...rows
        .filter(({ method }) => method === 'GET')
        .flatMap((row) => queries.map((query) => ({ row, path: `${pathOf(row, 'a')}?${query}` }))),
    ].map(({ row, path }) => ({ label: path.slice(0, 60), method: row.method, path, headers: {}, body: null }))
    expect(requests.length).toBeGreaterThan(50)
    expect(await work.faultsOf(requests)).toEqual([])
  })

  test('with as many names in the query of a file as a request has room for, and these are looked at once', async () => {
    const member = (await work.app.signIn('agent1@demo.example')).token
    const signs = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ'.split('')
    const names = signs.flatMap((a) => signs.flatMap((b) => [a + b, `${a}${b}a`]))
    const query = names.slice(0, 4_200).join('&')
    for (const path of ['/api/history/calls.csv', '/api/scorecards.csv']) {
      const request = { label: path, method: 'GET', path: `${path}?${query}`, headers: { authorization: `Bearer ${member}` }, body: null }
      const held: number[] = []
      for (let tries = 0; tries < 3; tries += 1) {
        const { status, text, heldMs } = await work.send(request, work.app.url)
        expect([status, text.length < largestErrorBytes]).toEqual([400, true])
        held.push(heldMs)
      }
      // 150 ms of processor time when each name was compared with all others.
      expect(Math.min(...held), path).toBeLessThan(50)
    }
  })
})
