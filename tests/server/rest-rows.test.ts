import { getDirective } from '@graphql-tools/utils'
import { getNullableType, isInputObjectType, isListType } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { wholeBody } from '../../src/server/rest/bound-argument.ts'
import type { BoundRow } from '../../src/server/rest/bound-row.ts'
import { type Asked, askByGraphql, askByRest, createWorld, sendRest, type World } from '../harness/graphql-and-rest.ts'
import { description, nameOf, proved, rows, schema } from '../rest-scenarios/proved-rows.ts'

describe('on one service', () => {
  let world: World
  beforeAll(async () => {
    world = await createWorld()
  })
  afterAll(() => world[Symbol.asyncDispose]())

  test('everybody can read the description and its page', async () => {
    const { status, body } = await world.app.rest('GET', '/openapi.json')
    expect(status).toBe(200)
    expect(JSON.stringify(body)).toBe(JSON.stringify(description))
    expect(await world.app.rest('GET', '/docs')).toMatchObject({ status: 200 })
  })

  /** A sign-out ends its token, which the others need. */
  const tokenFor = ({ path }: BoundRow): string => (path === '/auth/logout' ? world.user.token : world.manager.token)
  const send = (row: BoundRow, asked: Asked, as: string | null = tokenFor(row)) => sendRest(world.app, row, { ...asked, as })

  test.each(proved.filter(([, row]) => roleOf(row) !== null))(
    '%s requires a valid token, by REST and GraphQL',
    async (_name, row, { sample }) => {
      const asks = [askByRest(world.app, row, () => undefined), askByGraphql(world.app, row)]
      for (const ask of asks) {
        expect(await ask(sample, null)).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' })
        expect(await ask(sample, 'eyJhbGciOiJub25lIn0.e30.')).toMatchObject({ code: 'UNAUTHENTICATED', reason: 'TOKEN_REFUSED' })
      }
    },
  )

  test.each(proved.filter(([, row]) => roleOf(row) === 'MANAGER'))(
    '%s is for managers, by REST and GraphQL',
    async (_name, row, { sample }) => {
      for (const ask of [askByRest(world.app, row, () => undefined), askByGraphql(world.app, row)]) {
        expect(await ask(sample, world.agent.token)).toMatchObject({ code: 'FORBIDDEN', reason: 'ROLE_MISSING' })
      }
    },
  )

  test.each(proved)('%s refuses an unknown query parameter and names it', async (_name, row, { sample }) => {
    expect(await send(row, { ...sample, query: { ...sample.query, frist: '1' } })).toMatchObject(faultAt('frist'))
  })

  test.each(proved)('%s: other methods get the list of allowed ones, and nothing is below it', async (_name, row, { sample }) => {
    const methods = rows.filter(({ path }) => path === row.path).map(({ method }) => method)
    const wrong = await sendRest(
      world.app,
      { method: methods.includes('PATCH') ? 'PUT' : 'PATCH', path: row.path },
      { ...sample, as: null },
    )
    expect(wrong).toMatchObject({ status: 405, body: { status: 405, code: 'BAD_USER_INPUT' } })
    for (const method of methods) expect(wrong.headers.get('allow')?.split(', ')).toContain(method)
    const below = await sendRest(world.app, { method: row.method, path: `${row.path}/no/thing/there` }, { ...sample, as: null })
    expect(below).toMatchObject({ status: 404, body: { status: 404, code: 'NOT_FOUND' } })
  })

  const withBody = proved.filter(([, { bound }]) => bound.some(({ from }) => from.in === 'body'))

  test.each(withBody)('%s refuses malformed bodies, other content types and large bodies', async (_name, row, { sample }) => {
    expect(await send(row, { ...sample, body: '{"half": ' })).toMatchObject(faultAt('body'))
    expect(await send(row, { ...sample, body: '' })).not.toMatchObject({ status: 500 })
    expect(await send(row, { ...sample, body: [sample.body] })).toMatchObject(faultAt('body'))
    expect(await send(row, { ...sample, body: 'null' })).toMatchObject(faultAt('body'))
    expect(await send(row, { ...sample, headers: { 'content-type': 'text/plain' } })).toMatchObject({ status: 415, body: { status: 415 } })
    expect(await send(row, { ...sample, body: { more: 'x'.repeat(1_048_576) } })).toMatchObject({ status: 413, body: { status: 413 } })
  })

  test.each(withBody)('%s names unknown, missing and invalid fields', async (_name, row, { sample }) => {
    const wrong = wrongBodies(row, sample).filter(({ path }) => !row.ignoresUnknownFields || path !== 'more')
    for (const { body, path } of wrong) expect(await send(row, { ...sample, body })).toMatchObject(faultAt(path))
  })

  test('only the paths that older clients use ignore unknown fields', () => {
    expect(rows.filter(({ ignoresUnknownFields }) => ignoresUnknownFields).map(nameOf)).toEqual([
      'POST /auth/login',
      'POST /auth/tokens',
      'POST /auth/refresh',
      'POST /auth/heartbeat',
      'POST /auth/logout',
      'POST /api/calls/lookup',
      'POST /api/calls/{ucid}/disposition',
      'POST /api/recordings/analyze',
    ])
  })

  const lenient = withBody.filter(([, { ignoresUnknownFields }]) => ignoresUnknownFields)

  test.each(lenient)('%s ignores unknown fields and logs only how many they are', async (_name, row, { sample }) => {
    const before = world.app.logged.length
    const answer = await send(row, { ...sample, body: { ...bodyOf(sample), appVersion: 'value-7f3a' } })
    expect(JSON.stringify(answer.body)).not.toContain('appVersion')
    const logged = world.app.logged.slice(before).join('')
    expect(logged).toContain('"fields":1,')
    expect(logged).not.toContain('appVersion')
    expect(logged).toContain('rest.unknown-fields-ignored')
    expect(logged).not.toContain('value-7f3a')
  })

  test.each(withBody)('%s has a sample with every field of its body', (_name, row, { sample }) => {
    const names = fieldsOf(row)?.map(({ name }) => name) ?? Object.keys(bodyOf(sample))
    expect(Object.keys(bodyOf(sample)).toSorted()).toEqual(names.toSorted())
  })
})

function bodyOf({ body }: Asked): Readonly<Record<string, unknown>> {
  return z.record(z.string(), z.unknown()).parse(body)
}

/** The sample with one thing wrong, and the field that the error must name. */
function wrongBodies(row: BoundRow, sample: Asked): { body: unknown; path: string }[] {
  const body = bodyOf(sample)
  const fields = fieldsOf(row) ?? []
  return [
    { body: { ...body, more: 1 }, path: 'more' },
    ...fields.map(({ name, isList }) => ({ body: { ...body, [name]: isList ? { wrong: true } : [{ wrong: true }] }, path: name })),
    ...fields
      .filter(({ required }) => required)
      .flatMap(({ name }) => [
        { body: { ...body, [name]: null }, path: name },
        { body: Object.fromEntries(Object.entries(body).filter(([key]) => key !== name)), path: name },
      ]),
  ]
}

function faultAt(path: string) {
  return { status: 400, body: { status: 400, code: 'BAD_USER_INPUT', reason: 'INVALID_INPUT', data: { fields: [{ path }] } } }
}

function roleOf({ field }: BoundRow): string | null {
  const auth = getDirective(schema, field, 'auth')?.[0]
  return auth ? String(auth['role'] ?? 'USER') : null
}

/** The fields of a row's body; null where the body is any JSON object. */
function fieldsOf({ bound }: BoundRow): { name: string; required: boolean; isList: boolean }[] | null {
  const fromBody = bound.filter(({ from }) => from.in === 'body')
  const whole = fromBody.find(({ from }) => from.name === wholeBody)
  if (!whole) return fromBody.map(({ from, required, type }) => ({ name: from.name, required, isList: isListType(getNullableType(type)) }))
  const input = getNullableType(whole.type)
  if (!isInputObjectType(input)) return null
  const elsewhere = new Set(bound.map(({ field }) => field))
  const fields = Object.values(input.getFields()).filter(({ name }) => !elsewhere.has(name))
  return fields.map(({ name, type, defaultValue }) => ({
    name,
    required: getNullableType(type) !== type && defaultValue === undefined,
    isList: isListType(getNullableType(type)),
  }))
}
