import { describe, expect, test } from 'vitest'
import { asyncApiFaults, openApiFaults } from '../check/api-rules.ts'
import { asyncApiChanges } from '../check/contracts/asyncapi-changes.ts'
import { hasUnreleased, unnamedChanges } from '../check/contracts/changelog.ts'
import type { BreakingChange } from '../check/contracts/change.ts'
import { errorChanges } from '../check/contracts/error-changes.ts'
import { openApiChanges } from '../check/contracts/openapi-changes.ts'
import { schemaChanges } from '../check/contracts/schema-changes.ts'

/** The step of `npm run check` that compares the contracts with those of the last release. */

const namesOf = (changes: readonly BreakingChange[]) => changes.map(({ name }) => name)

describe('GraphQL', () => {
  const sdl = /* GraphQL */ `
    directive @auth(role: Role! = USER) on FIELD_DEFINITION
    directive @public on FIELD_DEFINITION
    directive @limit(maxLength: Int, minimum: Int) on ARGUMENT_DEFINITION | INPUT_FIELD_DEFINITION
    enum Role {
      USER
      AGENT
      MANAGER
    }
    scalar Instant
    enum Phase {
      RINGING
      ENDED
    }
    type Call {
      id: ID!
      phase: Phase!
      endedAt: Instant
    }
    input Dial {
      number: String! @limit(maxLength: 40)
      via: String
    }
    type Query {
      calls(first: Int = 50, after: String): [Call!]! @auth(role: AGENT)
    }
    type Mutation {
      dial(input: Dial!): Call! @auth(role: AGENT)
    }
  `

  test.each([
    ['a field is removed', 'phase: Phase!', '', ['Call.phase']],
    ['a value of an enum is removed', 'ENDED\n', '', ['Phase.ENDED']],
    ['an argument becomes required', 'after: String)', 'after: String!)', ['Query.calls.after']],
    ['an argument is removed', ', after: String', '', ['Query.calls.after']],
    ['an input field is added that is required', 'via: String', 'via: String agent: ID!', ['Dial.agent']],
    ['a field may be null', 'id: ID!', 'id: ID', ['Call.id']],
    ['a list becomes a connection', '[Call!]!', 'Call!', ['Query.calls']],
    ['a limit becomes narrower', 'maxLength: 40', 'maxLength: 30', ['Dial.number']],
    ['a number gets a limit', 'first: Int = 50', 'first: Int = 50 @limit(minimum: 1)', ['Query.calls.first']],
    [
      'a role is raised',
      'dial(input: Dial!): Call! @auth(role: AGENT)',
      'dial(input: Dial!): Call! @auth(role: MANAGER)',
      ['Mutation.dial'],
    ],
  ])('%s', async (...[, from, to, names]) => {
    expect(sdl).toContain(from)
    expect(namesOf(await schemaChanges(sdl, sdl.replace(from, to)))).toEqual(names)
  })

  test.each([
    ['a field is added', 'id: ID!', 'id: ID! notes: String'],
    ['an optional argument is added', 'after: String)', 'after: String, last: Int)'],
    ['a limit becomes wider', 'maxLength: 40', 'maxLength: 50'],
    ['a role is lowered', 'Call! @auth(role: AGENT)', 'Call! @public'],
  ])('breaks nothing: %s', async (_, from, to) => {
    expect(sdl).toContain(from)
    expect(await schemaChanges(sdl, sdl.replace(from, to))).toEqual([])
  })

  test('a scalar that was renamed is named once for all its fields', async () => {
    const changes = await schemaChanges(sdl, sdl.replaceAll('Instant', 'DateTime'))
    expect(namesOf(changes).toSorted()).toEqual(['Call.endedAt', 'Instant'])
    expect(unnamedChanges(changes, changelogWith('- **Breaking:** `Instant` is called `DateTime`.'))).toEqual([])
  })
})

type Parts = {
  readonly operation?: object
  readonly call?: object
  readonly body?: object
}

function openApiWith({ operation, call, body }: Parts = {}) {
  const schema = {
    title: 'DialInput',
    type: 'object',
    properties: { number: { type: 'string', maxLength: 40 }, via: { type: 'string', enum: ['AUTO', 'SECOND'] } },
    required: ['number'],
    additionalProperties: true,
    ...body,
  }
  const live = {
    type: 'object',
    properties: { id: { type: 'string' }, phase: { $ref: '#/components/schemas/Phase' }, at: { type: 'string', format: 'date-time' } },
    required: ['id', 'phase'],
    ...call,
  }
  const post = {
    operationId: 'dial',
    security: [],
    parameters: [{ name: 'enrich', in: 'query', required: false, schema: { type: 'boolean' } }],
    requestBody: { required: false, content: { 'application/json': { schema } } },
    responses: { 200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Call' } } } }, 404: { content: {} } },
    ...operation,
  }
  return {
    paths: { '/api/calls/dial': { post } },
    components: { schemas: { Call: live, Phase: { type: 'string', enum: ['RINGING', 'ENDED'] } } },
  }
}

describe('REST', () => {
  const dial = 'POST /api/calls/dial'
  const before = openApiWith()
  const answer = (schema: object) => ({ 200: { content: { 'application/json': { schema } } } })

  test('a path and a method are removed', () => {
    expect(namesOf(openApiChanges(before, { ...before, paths: {} }))).toEqual([dial])
    expect(namesOf(openApiChanges(before, { ...before, paths: { '/api/calls/dial': {} } }))).toEqual([dial])
  })

  test.each([
    ['a field of the answer is removed', { call: { properties: { id: { type: 'string' } } } }, ['Call.phase', 'Call.at']],
    ['a field of the answer may be missing', { call: { required: ['id'] } }, ['Call.phase']],
    ['a field of the answer can be null', { call: { properties: { ...callProperties(), id: { type: ['string', 'null'] } } } }, ['Call.id']],
    ['a moment is any text', { call: { properties: { ...callProperties(), at: { type: 'string' } } } }, ['Call.at']],
    ['a field of the body is required', { body: { required: ['number', 'via'] } }, ['DialInput.via']],
    ['a field of the body is removed', { body: { properties: { number: { type: 'string', maxLength: 40 } } } }, ['DialInput.via']],
    [
      'a text of the body is shorter',
      { body: { properties: { ...bodyProperties(), number: { type: 'string', maxLength: 20 } } } },
      ['DialInput.number'],
    ],
    [
      'a value of the body is refused',
      { body: { properties: { ...bodyProperties(), via: { type: 'string', enum: ['AUTO'] } } } },
      ['DialInput.via'],
    ],
    ['a number replaces a text', { body: { properties: { ...bodyProperties(), number: { type: 'integer' } } } }, ['DialInput.number']],
    ['other fields of the body are refused', { body: { additionalProperties: false } }, ['DialInput']],
    [
      'the body is required',
      { operation: { requestBody: { required: true, content: openApiWith().paths['/api/calls/dial'].post.requestBody.content } } },
      [`${dial}.body`],
    ],
    ['a parameter is removed', { operation: { parameters: [] } }, [`${dial}.enrich`]],
    [
      'a parameter is required',
      { operation: { parameters: [{ name: 'enrich', in: 'query', required: true, schema: { type: 'boolean' } }] } },
      [`${dial}.enrich`],
    ],
    ['it needs a token', { operation: { security: undefined } }, [dial]],
    ['it is called otherwise', { operation: { operationId: 'call' } }, [dial]],
    [
      'the status of the answer is another',
      { operation: { responses: { 201: answer({ $ref: '#/components/schemas/Call' })[200] } } },
      [dial],
    ],
  ])('%s', (_, parts, names) => {
    expect(namesOf(openApiChanges(before, openApiWith(parts)))).toEqual(names)
  })

  test('breaks nothing: new fields, wider limits, and values of an answer', () => {
    const body = { properties: { ...bodyProperties(), number: { type: 'string', maxLength: 60 }, note: { type: 'string' } } }
    const after = openApiWith({ call: { properties: { ...callProperties(), note: { type: 'string' } } }, body })
    after.components.schemas.Phase.enum.push('HELD')
    expect(openApiChanges(before, after)).toEqual([])
  })

  test('a header of the answer is removed', () => {
    const call = answer({ $ref: '#/components/schemas/Call' })[200]
    const paged = openApiWith({ operation: { responses: { 200: { ...call, headers: { Link: { schema: { type: 'string' } } } } } } })
    expect(namesOf(openApiChanges(paged, openApiWith({ operation: { responses: { 200: call } } })))).toEqual([`${dial}.Link`])
    expect(openApiChanges(before, paged)).toEqual([])
  })

  const problem = {
    type: 'object',
    properties: { code: { type: 'string', enum: ['CONFLICT', 'TIMEOUT'] }, data: { title: 'ProblemData', type: 'object', properties: {} } },
    required: ['code'],
  }
  const withProblem = (properties: object) => ({
    ...before,
    components: { schemas: { ...before.components.schemas, Problem: { ...problem, properties } } },
  })

  test.each([
    ['the facts of an error are removed', { code: problem.properties.code }, ['Problem.data']],
    ['a code of an error is removed', { ...problem.properties, code: { type: 'string', enum: ['CONFLICT'] } }, ['Problem.code']],
  ])('%s', (_, properties, names) => {
    expect(namesOf(openApiChanges(withProblem(problem.properties), withProblem(properties)))).toEqual(names)
  })

  test('items of a list may be anything', () => {
    const listOf = (list: object) => openApiWith({ call: { properties: { ...callProperties(), notes: { type: 'array', ...list } } } })
    const [texts, anything] = [listOf({ items: { type: 'string' } }), listOf({})]
    expect(namesOf(openApiChanges(texts, anything))).toEqual(['Call.notes'])
    expect(openApiChanges(anything, texts)).toEqual([])
  })

  test.each([
    ['oneOf', { oneOf: [{ type: 'string' }] }],
    ['allOf', { allOf: [{ type: 'string' }] }],
    ['additionalProperties', { type: 'object', additionalProperties: { type: 'string' } }],
  ])('a keyword that the comparison does not know is refused: %s', (keyword, note) => {
    const unknown = openApiWith({ call: { properties: { ...callProperties(), note } } })
    expect(() => openApiChanges(unknown, unknown)).toThrow(new RegExp(`Call\\.note[\\s\\S]*${keyword}`))
  })
})

function callProperties() {
  return openApiWith().components.schemas.Call.properties
}
function bodyProperties() {
  return openApiWith().paths['/api/calls/dial'].post.requestBody.content['application/json'].schema.properties
}

describe('events', () => {
  const documentWith = (payload: object, address = 'call.missed') => ({
    channels: { CallMissed: { address } },
    components: {
      messages: { CallMissed: { headers: {}, bindings: { kafka: {} }, payload: { type: 'object', required: ['ucid'], ...payload } } },
    },
  })
  const fields = { ucid: { type: 'string' }, leadId: { type: 'string' }, state: { type: 'string', enum: ['READY'] } }
  const before = documentWith({ properties: fields })

  test.each([
    ['a field is removed', documentWith({ properties: { ucid: fields.ucid, state: fields.state } }), ['call.missed.leadId']],
    ['a field may be missing', documentWith({ properties: fields, required: [] }), ['call.missed.ucid']],
    ['a field can be null', documentWith({ properties: { ...fields, leadId: { type: ['string', 'null'] } } }), ['call.missed.leadId']],
    [
      'a closed list gets a value',
      documentWith({ properties: { ...fields, state: { type: 'string', enum: ['READY', 'AWAY'] } } }),
      ['call.missed.state'],
    ],
    ['the topic is renamed', documentWith({ properties: fields }, 'call.lost'), ['call.missed']],
  ])('%s', (_, after, names) => {
    expect(namesOf(asyncApiChanges(before, after))).toEqual(names)
  })

  test('breaks nothing: a new field', () => {
    expect(asyncApiChanges(before, documentWith({ properties: { ...fields, queue: { type: 'string' } } }))).toEqual([])
  })
})

describe('reasons of errors', () => {
  const before = { SLOT_TAKEN: 'CONFLICT', STOPPING: 'UPSTREAM_UNAVAILABLE' }

  test('one is removed, one has another code, one is new', () => {
    expect(namesOf(errorChanges(before, { STOPPING: 'TIMEOUT', OVERLOADED: 'TIMEOUT' }))).toEqual(['SLOT_TAKEN', 'STOPPING'])
    expect(errorChanges(before, { ...before, OVERLOADED: 'TIMEOUT' })).toEqual([])
  })
})

describe('the changelog', () => {
  const change: BreakingChange = { contract: 'GraphQL', name: 'Call.phase', within: ['Call'], message: '' }

  test.each([
    ['names the change', '- **Breaking:** `Call.phase`: gone.'],
    ['names the type', '- Fixed.\n- **Breaking:** the type\n  `Call` is another one.'],
  ])('%s', (_, entries) => expect(unnamedChanges([change], changelogWith(entries))).toEqual([]))

  test.each([
    ['says nothing', ''],
    ['names another field', '- **Breaking:** `Call.phases`.'],
    ['does not mark the entry', '- `Call.phase` is gone.'],
    ['names it in a release', '\n## [0.1.0] - 2026-01-01\n\n- **Breaking:** `Call.phase`.'],
  ])('%s: the check fails', (_, entries) => expect(unnamedChanges([change], changelogWith(entries))).toEqual([change]))

  test('at a release, the entries of that release count', () => {
    const named = changelogWith('- **Breaking:** `Call.phase`.')
    expect(hasUnreleased(named)).toBe(true)
    const given = named.replace('## [Unreleased]', '## [Unreleased]\n\n## [0.1.0] - 2026-01-01')
    expect(hasUnreleased(given)).toBe(false)
    expect(unnamedChanges([change], given, 'newest release')).toEqual([])
    expect(unnamedChanges([change], changelogWith(''), 'newest release')).toEqual([change])
  })
})

function changelogWith(entries: string): string {
  return `# Changelog\n\n## [Unreleased]\n\n### Changed\n\n${entries}\n\n## [0.0.1] - 2025-01-01\n\n- Begun.\n`
}

describe('rules of OpenAPI and AsyncAPI', () => {
  test('a fault is found', async () => {
    const info = { title: 'x', version: '1', description: 'x', contact: { name: 'x' }, license: { name: 'x' } }
    const get = { operationId: 'a', tags: ['a'], description: 'x', responses: { 200: { description: 'x' } } }
    const openApi = { openapi: '3.1.0', info, servers: [{ url: 'https://a.example' }], tags: [{ name: 'a', description: 'x' }] }
    expect(await openApiFaults({ ...openApi, paths: { '/a': { get } } })).toEqual([])
    expect(await openApiFaults({ ...openApi, paths: { '/a/{id}': { get } } })).toEqual([expect.stringContaining('path-params')])
    expect(await asyncApiFaults({ asyncapi: '3.1.0', info: { title: 'x' } })).toContainEqual(expect.stringContaining('version'))
  })
})
