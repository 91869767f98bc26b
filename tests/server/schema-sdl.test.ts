import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { buildSchema, printSchema } from 'graphql'
import { expect, test } from 'vitest'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createTestApp } from '../harness/app.ts'
import { compileRelay, connectionPaths, paginationOf, wholeOf } from '../harness/relay-compiler.ts'

const run = promisify(execFile)

const contract = buildSchema(readContract())
const ownFields = Object.keys(contract.getQueryType()?.getFields() ?? {})
const ownLists = connectionPaths(contract, ownFields)

test('the Relay compiler takes the contract: every paged list as a connection, and every field', async () => {
  const lists = ['missedCalls', 'worklist', 'deadLetters', 'auditLog', 'teamMembers', 'doctorDirectory.slots']
  expect(ownLists.map((path) => path.join('.'))).toEqual(expect.arrayContaining(lists))
  const documents = [...ownLists.map(paginationOf), ...ownFields.map((field) => wholeOf(contract, field))]
  // For each list a fragment and a query for further pages.
  const count = ownLists.length + documents.length
  expect(await compileRelay(printSchema(contract), documents)).toContain(`compiled documents: ${count} reader`)
})

test('GET /schema.graphql is the combined schema of the workspace, and npm run schema prints it', async () => {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  const { status, headers, body } = await app.rest('GET', '/schema.graphql', { token })
  expect([status, headers.get('content-type')]).toEqual([200, 'text/plain; charset=utf-8'])
  const schema = buildSchema(String(body))
  expect(Object.keys(schema.getQueryType()?.getFields() ?? {})).toEqual(expect.arrayContaining(['leads', 'callLookup', 'currentUser']))
  expect(Object.keys(schema.getMutationType()?.getFields() ?? {})).toEqual(expect.arrayContaining(['createLead', 'agentLogin']))
  // The sidecar adds it to the platform's type.
  expect(String(body)).toMatch(/^type Lead [^}]*\binsight\b/m)
  // Types of ours link to the platform's records.
  expect(String(body)).toMatch(/^type LiveCall [^}]*\bagent: Agent\n/m)
  expect(String(body)).toMatch(/^type TeamMember [^}]*\brecord: WorkspaceMember\n/m)
  // Moments of the platform and ours have one scalar.
  expect(String(body).match(/^scalar \w*DateTime\w*/gm)).toEqual(['scalar DateTime'])
  expect(String(body)).toMatch(/^type Call [^}]*\bstartedAt: DateTime\b/m)
  expect(String(body)).toMatch(/^type MissedCall [^}]*\bat: DateTime!/m)
  // The Relay compiler takes our lists in it, and `PageInfo` is one type.
  expect(await compileRelay(String(body), ownLists.map(paginationOf))).toContain(`compiled documents: ${ownLists.length * 2} reader`)
  expect(schema.getType('SidecarPageInfo')).toBeUndefined()
  const { token: manager } = await app.signIn('manager@demo.example')
  const place = 'fragment Place on PageInfo { __typename hasNextPage hasPreviousPage startCursor endCursor }'
  for (const further of ['', 'edges { node { insight { summary } } }']) {
    const both = `{ leads(first: 1) { pageInfo { ...Place } ${further} } auditLog(first: 1) { pageInfo { ...Place } } } ${place}`
    expect(await app.graphql(both, { token: manager })).toMatchObject({
      data: { leads: { pageInfo: { hasNextPage: true } }, auditLog: { pageInfo: { __typename: 'PageInfo', hasNextPage: false } } },
    })
  }
  const printed = await run(process.execPath, ['src/commands/schema.ts', '--workspace', 'demo', '--address', app.url], {
    maxBuffer: 2 ** 26,
  })
  expect(printed.stdout).toBe(body)
})

test('GET /schema.graphql needs a token that the platform accepts', async () => {
  await using app = await createTestApp()
  expect(await app.rest('GET', '/schema.graphql')).toMatchObject({
    status: 401,
    body: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' },
  })
  expect(await app.rest('GET', '/schema.graphql', { token: 'x.y.z' })).toMatchObject({ status: 401, body: { reason: 'TOKEN_REFUSED' } })
  expect(await app.rest('POST', '/schema.graphql', { body: {} })).toMatchObject({ status: 405 })
  const wrong = run(process.execPath, ['src/commands/schema.ts', '--adress', app.url])
  const stderr: unknown = expect.stringContaining("Unknown option '--adress'")
  await expect(wrong).rejects.toMatchObject({ code: 2, stderr })
})
