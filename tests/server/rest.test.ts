import { once } from 'node:events'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { AppError, invalidInput } from '../../src/kernel/errors.ts'
import { startSmallRest, rowFor, type SmallRest } from '../harness/small-rest.ts'

/** A small schema that uses every way in which a row can read a request and answer it. */
const typeDefs = /* GraphQL */ `
  directive @auth(role: String) on FIELD_DEFINITION
  directive @public on FIELD_DEFINITION
  scalar DateTime
  enum Drawer {
    TOP
    BOTTOM_LEFT
  }
  type Box {
    id: ID!
    label: String
    drawer: Drawer
    count: Int
    version: Int
    tags: [String!]
    fragile: Boolean
  }
  input BoxInput {
    id: ID!
    label: String!
    count: Int
    at: DateTime
    drawer: Drawer
    tags: [String!]
    lid: LidInput
  }
  input LidInput {
    colour: String!
    locked: Boolean
  }
  type Query {
    boxes(first: Int = 10, fragile: Boolean, drawer: Drawer, tags: [String!]): Box! @public
    secret: Box! @auth
    nothing: Box @public
  }
  type Mutation {
    relabel(id: ID!, label: String!): Box @public
    putBox(input: BoxInput!): Box! @public
    changeBox(id: ID!, drawer: Drawer!, version: Int, label: String!): Box! @public
    fail(how: String!): Box! @public
  }
`

const failures: Record<string, () => unknown> = {
  locked: () => new AppError('SESSION_LOCKED', { data: { ip: '10.0.0.1', lockedAt: '2025-01-15T09:00:00.000Z' } }),
  tries: () => new AppError('TOO_MANY_TRIES', { data: { retryAfterSeconds: 41.2 } }),
  unknown: () => new Error('the vendor said: key 12345 is wrong'),
  signIn: () => new AppError('SIGN_IN_REFUSED'),
}

const resolvers = {
  Query: {
    boxes: (_: unknown, args: { first: number; drawer?: string; fragile?: boolean; tags?: string[] }) => ({
      id: 'b',
      count: args.first,
      ...args,
    }),
    secret: () => ({ id: 's' }),
    nothing: () => null,
  },
  Mutation: {
    putBox: (_: unknown, { input }: { input: { id: string; label: string } }) => {
      if (input.label === 'fail') throw invalidInput('input.lid.colour', 'must be a colour')
      if (input.label === 'path') throw invalidInput('input.id', 'is not a box')
      return input
    },
    changeBox: (_: unknown, args: { id: string }) => args,
    relabel: (_: unknown, args: { id: string }) => args,
    fail: (_: unknown, { how }: { how: string }) => {
      throw failures[how]?.()
    },
  },
}

const rows = [
  rowFor('query boxes', {
    method: 'GET',
    path: '/api/boxes',
    arguments: { first: 'query.first', fragile: 'query.fragile', drawer: 'query.drawer', tags: 'query.tags' },
  }),
  rowFor('mutation putBox', {
    method: 'PUT',
    path: '/api/boxes/{id}',
    arguments: { input: 'body', 'input.id': 'path.id' },
    status: 201,
    otherwise: { status: 202, summary: 'Later', when: (answer) => JSON.stringify(answer).includes('"label":"later"') },
    headers: () => ({ etag: '"7"' }),
  }),
  rowFor('mutation changeBox', {
    method: 'POST',
    path: '/api/boxes/{id}/drawers/{drawer}',
    arguments: { id: 'path.id', drawer: 'path.drawer', version: 'header.if-match', label: 'body.label' },
  }),
  rowFor('query secret', { method: 'GET', path: '/api/boxes/secret' }),
  rowFor('query nothing', { method: 'GET', path: '/api/nothing' }),
  rowFor('mutation fail', { method: 'POST', path: '/api/fail', arguments: { how: 'body.how' } }),
  rowFor('mutation relabel', {
    method: 'POST',
    path: '/api/boxes/{id}/label',
    arguments: { id: 'path.id', label: 'body.label' },
    ignoresUnknownFields: true,
  }),
]

let service: SmallRest
const lines: string[] = []
beforeAll(async () => {
  service = await startSmallRest({ typeDefs, resolvers, rows, onLine: (line) => void lines.push(line) })
})
afterAll(() => service[Symbol.asyncDispose]())

type Asked = { body?: unknown; raw?: string | Uint8Array<ArrayBuffer>; headers?: Record<string, string> }

async function ask(request: string, { body, raw, headers }: Asked = {}) {
  const [method = '', path = ''] = request.split(' ')
  const sent = raw ?? (body === undefined ? undefined : JSON.stringify(body))
  const response = await fetch(`${service.url}${path}`, {
    method,
    headers: { ...(sent === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(sent === undefined ? {} : { body: sent }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, body: text === '' ? undefined : (JSON.parse(text) as unknown) }
}

const faults = (...fields: [path: string, message: string][]) => ({
  status: 400,
  body: {
    type: 'about:blank',
    title: 'The input is not valid',
    status: 400,
    code: 'BAD_USER_INPUT',
    reason: 'INVALID_INPUT',
    retryable: false,
    data: { fields: fields.map(([path, message]) => ({ path, message })) },
  },
})

describe('a request becomes variables', () => {
  test('query parameters are read as their types say', async () => {
    const answer = await ask('GET /api/boxes?first=3&fragile=true&drawer=bottom-left&tags=a&tags=b')
    expect(answer).toMatchObject({ status: 200, body: { count: 3, fragile: true, drawer: 'BOTTOM_LEFT', tags: ['a', 'b'] } })
  })

  test('a query parameter that is left out gets its default', async () => {
    expect(await ask('GET /api/boxes')).toMatchObject({ status: 200, body: { count: 10, fragile: null, drawer: null } })
  })

  test('the body and the path fill one input object', async () => {
    const answer = await ask('PUT /api/boxes/a%2Fb%20c', { body: { label: 'new', tags: ['x'], lid: { colour: 'red' } } })
    expect(answer).toMatchObject({ status: 201, body: { id: 'a/b c', label: 'new', tags: ['x'] } })
    expect(answer.headers.get('etag')).toBe('"7"')
  })

  test('path, header and body fill separate arguments', async () => {
    const answer = await ask('POST /api/boxes/5512300000000000123/drawers/top', {
      body: { label: 'l' },
      headers: { 'if-match': 'W/"12"' },
    })
    expect(answer).toMatchObject({ status: 200, body: { id: '5512300000000000123', drawer: 'TOP', version: 12, label: 'l' } })
  })

  test('a literal path wins over a parameter', async () => {
    expect(await ask('GET /api/boxes/secret')).toMatchObject({ status: 401, body: { reason: 'TOKEN_MISSING' } })
  })

  test('an identifier above 2^53 that is sent as a number stays exact', async () => {
    const raw = '{"label":"l","tags":["x"],"lid":{"colour":"red"},"count":12}'
    expect(await ask('PUT /api/boxes/1', { raw })).toMatchObject({ body: { count: 12 } })
    expect(await ask('PUT /api/boxes/1', { raw: '{"label":"l","count":5512300000000000123}' })).toMatchObject(
      faults(['count', 'must be a whole number of at most 32 bits']),
    )
  })
})

describe('an answer', () => {
  test('is the value of the root field, and caches do not store it', async () => {
    const answer = await ask('GET /api/boxes?first=1')
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(answer.headers.get('cache-control')).toBe('no-store')
    expect(answer.body).not.toHaveProperty('data')
  })

  test('may have a status of its own', async () => {
    expect(await ask('PUT /api/boxes/1', { body: { label: 'later' } })).toMatchObject({ status: 202 })
  })

  test('may be null', async () => {
    expect(await ask('GET /api/nothing')).toMatchObject({ status: 200, body: null })
  })

  test('has no body for HEAD', async () => {
    const response = await fetch(`${service.url}/api/boxes`, { method: 'HEAD' })
    expect(response.status).toBe(200)
    expect(Number(response.headers.get('content-length'))).toBeGreaterThan(20)
    expect(await response.text()).toBe('')
  })
})

describe('an error', () => {
  test('is problem+json with the members of GraphQL errors', async () => {
    const answer = await ask('POST /api/fail', { body: { how: 'locked' } })
    expect(answer.status).toBe(409)
    expect(answer.headers.get('content-type')).toBe('application/problem+json; charset=utf-8')
    expect(answer.body).toEqual({
      type: 'about:blank',
      title: 'The agent is already signed in',
      status: 409,
      detail: 'The agent is already signed in',
      code: 'CONFLICT',
      reason: 'SESSION_LOCKED',
      retryable: false,
      requestId: answer.headers.get('x-request-id'),
      data: { ip: '10.0.0.1', lockedAt: '2025-01-15T09:00:00.000Z' },
    })
  })

  test('says when to try again', async () => {
    const answer = await ask('POST /api/fail', { body: { how: 'tries' } })
    expect(answer).toMatchObject({ status: 429, body: { retryable: true } })
    expect(answer.headers.get('retry-after')).toBe('42')
  })

  test('is masked if it is not one of the known errors', async () => {
    const answer = await ask('POST /api/fail', { body: { how: 'unknown' } })
    expect(answer).toMatchObject({ status: 500, body: { code: 'INTERNAL_SERVER_ERROR', reason: 'UNKNOWN' } })
    expect(JSON.stringify(answer.body)).not.toContain('vendor')
  })

  test('requires a token if none was valid', async () => {
    const answer = await ask('POST /api/fail', { body: { how: 'signIn' } })
    expect(answer.status).toBe(401)
    expect(answer.headers.get('www-authenticate')).toBe('Bearer')
  })

  test('from a use case names the field by its place in the request', async () => {
    expect(await ask('PUT /api/boxes/1', { body: { label: 'fail' } })).toMatchObject({
      ...faults(['lid.colour', 'must be a colour']),
      body: { detail: 'lid.colour: must be a colour' },
    })
    expect(await ask('PUT /api/boxes/1', { body: { label: 'path' } })).toMatchObject(faults(['id', 'is not a box']))
  })
})

describe('bad input', () => {
  test.each<[what: string, request: string, asked: Asked, fields: [string, string][]]>([
    ['a missing body', 'POST /api/fail', {}, [['how', 'is required']]],
    ['a missing field', 'POST /api/fail', { body: {} }, [['how', 'is required']]],
    ['null for a required field', 'POST /api/fail', { body: { how: null } }, [['how', 'is required']]],
    ['a wrong type', 'POST /api/fail', { body: { how: 3 } }, [['how', 'must be a string']]],
    ['an unknown field', 'POST /api/fail', { body: { how: 'locked', why: 1 } }, [['why', 'is not a known field']]],
    [
      'a field called __proto__',
      'POST /api/fail',
      { raw: '{"how":"locked","__proto__":{"a":1}}' },
      [['body', 'must not have the key __proto__']],
    ],
    ['a list for a body', 'POST /api/fail', { body: [] }, [['body', 'must be a JSON object']]],
    ['a string for a body', 'POST /api/fail', { body: 'how' }, [['body', 'must be a JSON object']]],
    ['null for a body', 'POST /api/fail', { raw: 'null' }, [['body', 'must be a JSON object']]],
    ['incomplete JSON', 'POST /api/fail', { raw: '{"how":"loc' }, [['body', 'is not valid JSON']]],
    ['invalid UTF-8', 'POST /api/fail', { raw: new Uint8Array([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x7d]) }, [['body', 'is not valid JSON']]],
    [
      'lists 200,000 deep',
      'POST /api/fail',
      { raw: `{"how":${'['.repeat(200_000)}${']'.repeat(200_000)}}` },
      [['body', 'must nest at most 200 levels']],
    ],
    ['a field that is in the path', 'PUT /api/boxes/1', { body: { id: '2', label: 'l' } }, [['id', 'is not a known field']]],
    [
      'many invalid fields at once, in the order of the input',
      'PUT /api/boxes/1',
      { body: { count: 1.5, at: 'tomorrow', drawer: 'MIDDLE', tags: ['a', 1], lid: { locked: 'yes', key: 1 }, more: true } },
      [
        ['label', 'is required'],
        ['count', 'must be a whole number of at most 32 bits'],
        ['at', 'must be a moment in ISO 8601 with its zone, for example 2026-03-01T09:30:00.000Z'],
        ['drawer', 'must be one of TOP, BOTTOM_LEFT'],
        ['tags.1', 'must be a string'],
        ['lid.colour', 'is required'],
        ['lid.locked', 'must be true or false'],
        ['lid.key', 'is not a known field'],
        ['more', 'is not a known field'],
      ],
    ],
    ['an object instead of a string', 'PUT /api/boxes/1', { body: { label: {} } }, [['label', 'must be a string']]],
    ['a string instead of an object', 'PUT /api/boxes/1', { body: { label: 'l', lid: 'red' } }, [['lid', 'must be an object']]],
    ['a query parameter that is not a number', 'GET /api/boxes?first=many', {}, [['first', 'must be a whole number of at most 32 bits']]],
    [
      'a query parameter with more than 32 bits',
      'GET /api/boxes?first=4294967296',
      {},
      [['first', 'must be a whole number of at most 32 bits']],
    ],
    ['a query parameter that is neither true nor false', 'GET /api/boxes?fragile=1', {}, [['fragile', 'must be true or false']]],
    ['a query parameter that is given twice', 'GET /api/boxes?first=1&first=2', {}, [['first', 'is given more than once']]],
    ['an unknown query parameter', 'GET /api/boxes?frist=1', {}, [['frist', 'is not a known query parameter']]],
    ['a path with broken encoding', 'PUT /api/boxes/%zz', { body: { label: 'l' } }, [['id', 'is not valid percent-encoding']]],
    [
      'a path with an unknown value',
      'POST /api/boxes/1/drawers/middle',
      { body: { label: 'l' } },
      [['drawer', 'must be one of TOP, BOTTOM_LEFT']],
    ],
    [
      'a version that is not a number',
      'POST /api/boxes/1/drawers/top',
      { body: { label: 'l' }, headers: { 'if-match': '"abc"' } },
      [['if-match', 'must be a whole number of at most 32 bits']],
    ],
  ])('%s names the field', async (...[, request, asked, fields]) => {
    expect(await ask(request, asked)).toMatchObject(faults(...fields))
  })

  test('says which values are allowed', async () => {
    expect(await ask('PUT /api/boxes/1', { body: { label: 'l', drawer: 'MIDDLE' } })).toMatchObject({
      body: { data: { fields: [{ path: 'drawer', allowed: ['TOP', 'BOTTOM_LEFT'] }] } },
    })
  })

  test('never contains the value', async () => {
    const answer = await ask('PUT /api/boxes/1', { body: { label: { password: 'hunter2' }, drawer: 'hunter2' } })
    expect(JSON.stringify(answer.body)).not.toContain('hunter2')
  })

  test.each(['/api', '/api/', '/api/box', '/api/boxes/', '/api/boxes//drawers/top', '/API/boxes', '/api/boxes/1/drawers/top/more'])(
    'answers 404 at %s',
    async (path) => {
      expect(await ask(`GET ${path}`)).toMatchObject({ status: 404, body: { code: 'NOT_FOUND', status: 404 } })
    },
  )

  test.each([
    ['DELETE', '/api/boxes', 'GET, HEAD'],
    ['GET', '/api/boxes/1', 'PUT'],
    ['OPTIONS', '/api/fail', 'POST'],
    ['PATCH', '/api/boxes/secret', 'GET, HEAD'],
  ])('%s %s is refused with the list of allowed methods', async (method, path, allow) => {
    const answer = await ask(`${method} ${path}`)
    expect(answer).toMatchObject({ status: 405, body: { status: 405, code: 'BAD_USER_INPUT' } })
    expect(answer.headers.get('allow')).toBe(allow)
  })

  test.each<[string, Record<string, string>]>([
    ['another type', { 'content-type': 'text/plain' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['another character set', { 'content-type': 'application/json; charset=utf-16' }],
    ['a compressed body', { 'content-encoding': 'gzip' }],
  ])('%s is refused with 415', async (_what, headers) => {
    expect(await ask('POST /api/fail', { body: { how: 'locked' }, headers })).toMatchObject({
      status: 415,
      body: { status: 415, code: 'BAD_USER_INPUT' },
    })
  })

  test.each(['application/json;', 'Application/JSON ; foo="bar;"; charset="UTF-8"'])('%s is JSON', async (type) => {
    const answer = await ask('POST /api/fail', { body: { how: 'locked' }, headers: { 'content-type': type } })
    expect(answer).toMatchObject({ body: { reason: 'SESSION_LOCKED' } })
  })

  test('a body over 1 MB is refused with 413', async () => {
    const answer = await ask('POST /api/fail', { body: { how: 'x'.repeat(1_048_576) } })
    expect(answer).toMatchObject({
      status: 413,
      body: { status: 413, code: 'BAD_USER_INPUT', detail: 'The request body must be at most 1 MB' },
    })
  })

  test('a body over 1 MB without a length is refused with 413', async () => {
    const socket = connect(Number(new URL(service.url).port), '127.0.0.1')
    socket.on('error', () => undefined)
    socket.write('POST /api/fail HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n')
    for (let sent = 0; sent < 20; sent += 1) socket.write(`10000\r\n${'x'.repeat(0x10000)}\r\n`)
    const answer: unknown[] = await once(socket, 'data')
    expect(String(answer[0])).toMatch(/^HTTP\/1\.1 413 /)
    socket.destroy()
  })
})

test('a row that ignores unknown fields logs how many there were, if any', async () => {
  const ignored = () => lines.filter((line) => line.includes('rest.unknown-fields-ignored'))
  expect((await ask('POST /api/boxes/1/label', { body: { label: 'a' } })).status).toBe(200)
  expect(ignored()).toEqual([])
  expect((await ask('POST /api/boxes/1/label', { body: { label: 'a', one: 1, two: 2 } })).status).toBe(200)
  expect(ignored()).toHaveLength(1)
  expect(ignored()[0]).toContain('"fields":2')
})
