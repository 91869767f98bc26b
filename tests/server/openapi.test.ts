import { type IncomingMessage, request } from 'node:http'
import { makeExecutableSchema } from '@graphql-tools/schema'
import { Validator } from '@seriousme/openapi-schema-validator'
import { buildSchema, type GraphQLSchema } from 'graphql'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod'
import { createLog } from '../../src/kernel/log.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createHttpServer, type HttpServer } from '../../src/server/http/http-server.ts'
import { bindTable } from '../../src/server/rest/bound-row.ts'
import { createDescriptionHandlers } from '../../src/server/rest/description-handlers.ts'
import { openApiDocument } from '../../src/server/rest/openapi/document.ts'
import type { Row } from '../../src/server/rest/row.ts'
import { restTable } from '../../src/server/rest/table.ts'
import { rowFor } from '../harness/small-rest.ts'

const describeTable = (rows: readonly Row[], schema: GraphQLSchema) => openApiDocument(bindTable(rows, schema), schema)
const contract = makeExecutableSchema({ typeDefs: readContract() })
const document = describeTable(restTable, contract)

describe('the description of the table', () => {
  test('is valid OpenAPI 3.1', async () => {
    const validator = new Validator()
    const { valid, errors } = await validator.validate(structuredClone(document))
    expect(errors ?? []).toEqual([])
    expect(valid).toBe(true)
    expect(validator.version).toBe('3.1')
  })

  test('has every row, with a unique ID', () => {
    const described = Object.entries(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method.toUpperCase()} ${path}`),
    )
    const ofTheTable = described.filter((operation) => !operation.includes(' /api/widget/') && !/\/audio$|\.csv$/.test(operation))
    expect(ofTheTable.toSorted()).toEqual(restTable.map(({ method, path }) => `${method} ${path}`).toSorted())
    const ids = Object.values(document.paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId))
    expect(new Set(ids).size).toBe(ids.length)
  })

  test('has every schema that it refers to, and no other', () => {
    const references = [...JSON.stringify(document).matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name = '']) => name)
    expect([...new Set(references)].toSorted()).toEqual(Object.keys(document.components.schemas).toSorted())
  })

  // openapi-generator makes no valid Python of a webhook.
  test('generators of clients leave the webhook out, and its body is a named schema', () => {
    const { requestBody, ...webhook } = document.webhooks.alert.post
    expect(webhook['x-internal']).toBe(true)
    expect(requestBody.content['application/json'].schema).toEqual({ $ref: '#/components/schemas/AlertMessage' })
  })

  test('names the required role and the errors', () => {
    const login = document.paths['/auth/login']?.['post']
    expect(login?.security).toEqual([])
    expect(login?.responses['409']?.description).toContain('SESSION_LOCKED')
    const state = document.paths['/api/config/setup-state']?.['get']
    expect(state?.security).toBeUndefined()
    expect(state?.description).toContain('MANAGER')
    expect(state?.responses).toHaveProperty('403')
  })

  test('has no body field for a parameter of the path', () => {
    const disposition = document.paths['/api/calls/{ucid}/disposition']?.['post']
    expect(disposition?.parameters).toMatchObject([{ name: 'ucid', in: 'path', required: true, schema: { type: 'string' } }])
    const body = document.components.schemas['SubmitDispositionBody']
    expect(body).toMatchObject({ additionalProperties: true, required: ['disposition'] })
    expect(body?.properties).not.toHaveProperty('ucid')
  })
})

describe('what generated clients and people need', () => {
  test('every text has an example that its own schema allows', () => {
    const { without, wrong } = examplesIn(document)
    expect(without).toEqual([])
    expect(wrong).toEqual([])
  })

  test('examples look like real values', () => {
    const { LeadSummary, LiveCall } = document.components.schemas
    const exampleOf = (schema: unknown) => z.looseObject({ examples: z.array(z.unknown()) }).parse(schema).examples[0]
    expect(exampleOf(LeadSummary?.properties?.['name'])).toBe('Meera Krishnan')
    expect(exampleOf(LeadSummary?.properties?.['phoneNumber'])).toMatch(/^\+91\d{10}$/)
    expect(exampleOf(LiveCall?.properties?.['startedAt'])).toMatch(/^2026-\d\d-\d\dT.*Z$/)
  })

  // openapi-typescript makes a property with a default required, unless its schema is part of the operation.
  test('no named schema has a default', () => {
    const schemas = Object.entries(document.components.schemas)
    expect(schemas.filter(([, schema]) => JSON.stringify(schema).includes('"default":')).map(([name]) => name)).toEqual([])
    const dial = document.paths['/api/calls/dial']?.['post']?.requestBody?.content['application/json'].schema
    expect(dial).toMatchObject({ title: 'DialInput', required: ['phoneNumber'], properties: { via: { default: 'AUTO' } } })
    const missed = document.paths['/api/calls/missed']?.['get']
    expect(missed?.parameters?.find(({ name }) => name === 'first')).toMatchObject({ required: false, schema: { default: 50 } })
  })

  test('each error is shown as it is answered', () => {
    const login = document.paths['/auth/login']?.['post']?.responses
    expect(login?.['409']?.content['application/problem+json']?.examples).toEqual({
      SESSION_LOCKED: { $ref: '#/components/examples/SESSION_LOCKED' },
    })
    expect(document.components.examples['SESSION_LOCKED']).toMatchObject({
      summary: 'The agent is already signed in',
      value: { status: 409, code: 'CONFLICT', reason: 'SESSION_LOCKED', retryable: false, data: { ip: '203.0.113.24', own: false } },
    })
    const named = [...JSON.stringify(document.paths).matchAll(/#\/components\/examples\/(\w+)/g)].map(([, name = '']) => name)
    expect(Object.keys(document.components.examples)).toEqual([...new Set(named)].toSorted())
  })

  test('each status has its own type', () => {
    const answers = document.paths['/api/recordings/analyze']?.['post']?.responses
    const refOf = (status: string) => answers?.[status]?.content['application/json']?.schema
    expect(refOf('200')).toEqual({ $ref: '#/components/schemas/RecordingAnalysis' })
    expect(refOf('202')).toEqual({ $ref: '#/components/schemas/RecordingUnderWay' })
  })

  test('the audio of a recording is a binary answer', () => {
    const audio = document.paths['/api/recordings/{callId}/audio']?.['get']
    expect(audio?.security).toBeUndefined()
    expect(audio?.responses['206']?.content).toEqual({ 'audio/*': { schema: { type: 'string', format: 'binary' } } })
    expect(Object.keys(audio?.responses ?? {})).toEqual(expect.arrayContaining(['200', '401', '403', '404', '416']))
  })

  test('answers of the widget may get further fields', () => {
    const slots = document.paths['/api/widget/slots']?.['get']?.responses['200']
    expect(JSON.stringify(slots)).not.toContain('additionalProperties')
  })
})

/** The texts of the document that have no example, and the examples that their schemas do not allow, by their places. */
function examplesIn(whole: unknown): { readonly without: string[]; readonly wrong: string[] } {
  const found = { without: Array.of<string>(), wrong: Array.of<string>() }
  const isText = z.looseObject({ type: z.union([z.literal('string'), z.array(z.string()).refine((types) => types.includes('string'))]) })
  const search = (value: unknown, place: string): void => {
    if (typeof value !== 'object' || value === null) return
    const { data: schema } = isText.safeParse(value)
    if (schema && !schema['enum'] && schema['const'] === undefined && schema['format'] !== 'binary') {
      const examples = z.array(z.unknown()).safeParse(schema['examples']).data ?? []
      if (examples.length === 0) found.without.push(place)
      const rules = z.fromJSONSchema({ ...schema, type: 'string' })
      if (examples.some((example) => !rules.safeParse(example).success)) found.wrong.push(place)
    }
    for (const [name, part] of Object.entries(value)) if (name !== 'examples') search(part, `${place}/${name}`)
  }
  search(whole, '')
  return found
}

describe('every form of a row', () => {
  const small = buildSchema(/* GraphQL */ `
    directive @auth(role: String) on FIELD_DEFINITION
    directive @public on FIELD_DEFINITION
    scalar Anything
    enum Drawer {
      TOP
      BOTTOM_LEFT
    }
    input Node {
      name: String!
      next: Node
      level: Int! = 3
      old: String @deprecated(reason: "no more")
    }
    interface Thing {
      id: ID!
    }
    type Box implements Thing {
      id: ID!
      "In grams, for example \`250\`."
      weight: String
      inner: Thing
    }
    type Bag implements Thing {
      id: ID!
      colour: Drawer
    }
    type Query {
      things(drawer: Drawer!, first: Int = 5): [Thing!]! @public
      box: Box @public
    }
    type Mutation {
      put(drawer: Drawer!, node: Node, version: Int): Anything @auth
    }
  `)
  const made = describeTable(
    [
      rowFor('query things', {
        method: 'GET',
        path: '/api/drawers/{drawer}',
        name: 'things',
        arguments: { drawer: 'path.drawer', first: 'query.first' },
      }),
      rowFor('query box', { method: 'GET', path: '/api/box', name: 'box', onRequest: { inner: 'query.more' } }),
      rowFor('mutation put', {
        method: 'PUT',
        path: '/api/drawers/{drawer}',
        arguments: { drawer: 'path.drawer', node: 'body', version: 'header.if-match' },
        status: 201,
        otherwise: { status: 202, summary: 'Goes on', when: () => false },
      }),
    ],
    small,
  )
  const { get, put } = made.paths['/api/drawers/{drawer}'] ?? {}
  const { get: box } = made.paths['/api/box'] ?? {}

  test('makes a valid document', async () => {
    expect((await new Validator().validate(structuredClone(made))).errors ?? []).toEqual([])
  })

  test('parameters of path, query and header', () => {
    expect(get?.parameters).toEqual([
      { name: 'drawer', in: 'path', required: true, schema: { type: 'string', enum: ['top', 'bottom-left'] } },
      { name: 'first', in: 'query', required: false, schema: { type: 'integer', format: 'int32', default: 5 } },
    ])
    expect(box?.parameters).toEqual([
      {
        name: 'more',
        in: 'query',
        required: false,
        description: 'If true, the answer also has `inner`.',
        schema: { type: 'boolean', default: false },
      },
    ])
    expect(put?.parameters?.map(({ name, in: place }) => `${place} ${name}`)).toEqual(['path drawer', 'header If-Match'])
  })

  test('recursive inputs, defaults, deprecations', () => {
    const body = put?.requestBody?.content['application/json'].schema
    expect(body).toEqual({ title: 'Node', ...made.components.schemas['Node'] })
    expect(body).toEqual({
      title: 'Node',
      type: 'object',
      properties: {
        name: { type: 'string', examples: ['Meera Krishnan'] },
        next: { anyOf: [{ $ref: '#/components/schemas/Node' }, { type: 'null' }] },
        level: { type: 'integer', format: 'int32', default: 3 },
        old: { type: ['string', 'null'], deprecated: true },
      },
      required: ['name'],
      additionalProperties: false,
    })
  })

  test('answers of several types, with the selected fields of each', () => {
    expect(get?.responses['200']?.content['application/json']?.schema).toMatchObject({ type: 'array', items: { anyOf: [{}, {}] } })
    const { Box: nested, BoxOfThings, BoxOfBox, Bag } = made.components.schemas
    expect(Bag?.properties?.['colour']).toEqual({ anyOf: [{ $ref: '#/components/schemas/Drawer' }, { type: 'null' }] })
    // A type within itself is not selected again.
    expect([nested?.required, BoxOfThings?.required, BoxOfBox?.required]).toEqual([[], ['id', 'weight', 'inner'], ['id', 'weight']])
    expect(BoxOfThings?.properties?.['weight']).toEqual({
      type: ['string', 'null'],
      description: 'In grams, for example `250`.',
      examples: ['250'],
    })
  })

  test('a second status, and any JSON', () => {
    expect(Object.keys(put?.responses ?? {})).toEqual(['201', '202', '400', '401', '403', '413', '415', 'default'])
    expect(put?.responses['202']?.description).toBe('Goes on')
    expect(put?.responses['201']?.content['application/json']?.schema).toEqual({})
  })
})

describe('the page and the document are served', () => {
  let server: HttpServer
  beforeAll(async () => {
    const handlers = createDescriptionHandlers(bindTable(restTable, contract), contract)
    server = await createHttpServer({ host: '127.0.0.1', port: 0, trustProxy: [], handlers, health: {}, log: createLog('silent') })
  })
  afterAll(() => server[Symbol.asyncDispose]())

  test('as JSON', async () => {
    const response = await fetch(`${server.url}/openapi.json`)
    expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8')
    expect(await response.json()).toEqual(JSON.parse(JSON.stringify(document)))
  })

  test('compressed if the client accepts it, and not at all if the client has it', async () => {
    const { headers, statusCode } = await ask(`${server.url}/openapi.json`, { 'accept-encoding': 'deflate, gzip' })
    expect([statusCode, headers['content-encoding']]).toEqual([200, 'gzip'])
    const plain = await ask(`${server.url}/openapi.json`, { 'accept-encoding': 'gzip;q=0' })
    expect(plain.headers['content-encoding']).toBeUndefined()
    expect(Number(headers['content-length'])).toBeLessThan(Number(plain.headers['content-length']) / 4)
    const again = await ask(`${server.url}/openapi.json`, { 'if-none-match': headers.etag ?? '' })
    expect([again.statusCode, again.headers['content-length']]).toEqual([304, undefined])
    expect((await ask(`${server.url}/openapi.json`, { 'if-none-match': '"another"' })).statusCode).toBe(200)
  })

  test('only to GET and HEAD', async () => {
    expect((await fetch(`${server.url}/docs`, { method: 'POST' })).status).toBe(405)
    expect(await (await fetch(`${server.url}/docs`, { method: 'HEAD' })).text()).toBe('')
  })

  test('the page loads nothing but files of this service, and may run no other script', async () => {
    const response = await fetch(`${server.url}/docs`)
    const policy = response.headers.get('content-security-policy')
    expect(policy).toContain("default-src 'none'; script-src 'self'; style-src 'self'")
    expect(policy).not.toContain('unsafe')
    const page = await response.text()
    const loaded = [...page.matchAll(/<(?:script|link)[^>]* (?:src|href)="([^"]*)"/g)].map(([, address = '']) => address)
    const files = loaded.filter((address) => !address.startsWith('data:'))
    expect(files).toHaveLength(4)
    expect(page).not.toMatch(/<style|\bstyle=|\bon\w+=|<script>/)
    for (const file of files) {
      const asset = await fetch(`${server.url}${file}`)
      expect([file, asset.status]).toEqual([file, 200])
      expect(asset.headers.get('content-type')).toBe(file.endsWith('.js') ? 'text/javascript; charset=utf-8' : 'text/css; charset=utf-8')
    }
  })
})

type Answered = Pick<IncomingMessage, 'statusCode' | 'headers'>

/** Without decompression, which `fetch` does. */
function ask(url: string, headers: Record<string, string>): Promise<Answered> {
  return new Promise((resolve, reject) => {
    request(url, { headers }, (answer) => {
      answer.resume().on('end', () => resolve(answer))
    })
      .on('error', reject)
      .end()
  })
}
