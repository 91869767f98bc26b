import { createHash, type Hash } from 'node:crypto'
import { once } from 'node:events'
import { connect } from 'node:net'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { type Gateway, type GatewayOptions, startGateway, testPrincipal } from '../harness/gateway.ts'
import { map, operations as operationsText, uploadForms } from '../harness/upload-forms.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

setFlagsFromString('--expose-gc')
const collectGarbage = z.custom<() => void>((value) => typeof value === 'function').parse(runInNewContext('gc'))

const boundary = 'x-boundary'
const upload = 'mutation($file: Upload!) { uploadFile(file: $file) { id } }'
const answered = { data: { uploadFile: { id: '1' } } }

type Part = { readonly name: string; readonly value: string; readonly more?: string }

/** The form of an upload up to its file's first byte. */
function headOf(query: string, parts: readonly Part[] = partsOf(query)): string {
  const fields = parts.map(
    ({ name, value, more = '' }) => `--${boundary}\r\nContent-Disposition: form-data; name="${name}"${more}\r\n\r\n${value}\r\n`,
  )
  return `${fields.join('')}--${boundary}\r\nContent-Disposition: form-data; name="0"; filename="a.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`
}
const partsOf = (query: string): Part[] => [
  { name: 'operations', value: JSON.stringify({ query, variables: { file: null } }) },
  { name: 'map', value: '{"0":["variables.file"]}' },
]
const tail = `\r\n--${boundary}--\r\n`

type Seen = {
  readonly path: string
  readonly headers: IncomingHttpHeaders
  size: number
  readonly hash: Hash
  ended: boolean
  aborted: boolean
}
/** A platform that reads uploads as they come. `read`: whether it reads on. */
async function startReader(options: { readonly read?: () => Promise<void>; readonly early?: boolean } = {}) {
  const seen: Seen[] = []
  const server = createServer((request, response: ServerResponse) => {
    const one: Seen = {
      path: request.url ?? '',
      headers: request.headers,
      size: 0,
      hash: createHash('sha256'),
      ended: false,
      aborted: false,
    }
    seen.push(one)
    response.on('close', () => (one.aborted = !response.writableFinished))
    const answer = () => response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answered))
    if (options.early) return void answer()
    const read = async (): Promise<void> => {
      for await (const piece of request) {
        if (!Buffer.isBuffer(piece)) continue
        one.size += piece.length
        one.hash.update(piece)
        await options.read?.()
      }
      one.ended = true
      answer()
    }
    void read().catch(() => undefined)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** Bytes of buffers that somebody holds, without what is only not yet collected. */
function heldBytes(): number {
  collectGarbage()
  return process.memoryUsage().arrayBuffers
}

type Sending = { readonly path?: string; readonly contentType?: string; readonly token?: string | null; readonly signal?: AbortSignal }
function send(gateway: Gateway, body: BodyInit, sending: Sending = {}): Promise<Response> {
  const { path = '/graphql', token = 'good', signal, contentType = `multipart/form-data; boundary=${boundary}` } = sending
  const init: RequestInit & { duplex: 'half' } = {
    method: 'POST',
    headers: {
      'content-type': contentType,
      ...(token === null ? {} : { authorization: `Bearer ${token}` }),
    },
    body,
    duplex: 'half',
    ...(signal && { signal }),
  }
  return fetch(gateway.url + path, init)
}

/** The platform accepts one token. */
const ownerOf = (token: string) => (token === 'good' ? testPrincipal() : null)

async function open(options: Parameters<typeof startReader>[0] = {}, gatewayOptions: Partial<GatewayOptions> = {}) {
  const stack = new AsyncDisposableStack()
  const platform = stack.use(await startReader(options))
  const gateway = stack.use(await startGateway({ platformUrl: platform.url, principalOf: ownerOf, ...gatewayOptions }))
  return { platform, gateway, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

function jsonOf(field: FormDataEntryValue | null): unknown {
  return typeof field === 'string' ? JSON.parse(field) : null
}

/** A body that is made while it is sent. */
function streamed(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): ReadableStream {
  const next = each(pieces)
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await next.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  })
}

function piecesOf(form: string, size: number): Buffer[] {
  const bytes = Buffer.from(form)
  return Array.from({ length: Math.ceil(bytes.length / size) }, (_, index) => bytes.subarray(index * size, (index + 1) * size))
}

async function* each(pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): AsyncGenerator<Uint8Array, undefined> {
  yield* pieces
  return undefined
}

describe('an upload for the platform', () => {
  test.for(['/graphql', '/metadata'])('goes on through %s with the token, its files byte by byte', async (path) => {
    const forms: { operations: unknown; map: unknown; file: string; name: string }[] = []
    const server = createServer((request, response) => {
      const read = async (): Promise<void> => {
        const chunks: Buffer[] = []
        for await (const chunk of request) if (Buffer.isBuffer(chunk)) chunks.push(chunk)
        const headers = { 'content-type': request.headers['content-type'] ?? '' }
        const form = await new Response(Buffer.concat(chunks), { headers }).formData()
        const file = form.get('0')
        if (!(file instanceof File)) throw new Error('no file')
        forms.push({
          operations: jsonOf(form.get('operations')),
          map: jsonOf(form.get('map')),
          file: await file.text(),
          name: file.name,
        })
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify({ data: { seen: request.headers.authorization, cookie: request.headers.cookie ?? null } }))
      }
      void read()
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const address = server.address()
    await using gateway = await startGateway({
      platformUrl: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
      principalOf: ownerOf,
    })
    const form = new FormData()
    form.set('operations', JSON.stringify({ query: upload, variables: { file: null }, operationName: null }))
    form.set('map', JSON.stringify({ 0: ['variables.file'] }))
    form.set('0', new File(['line 1\r\n--other\r\nline 2 ₹'], 'bill №1.txt', { type: 'text/plain' }))
    const response = await fetch(gateway.url + path, {
      method: 'POST',
      headers: { authorization: 'Bearer good', cookie: 'a=b' },
      body: form,
    })
    expect(await response.json()).toEqual({ data: { seen: 'Bearer good', cookie: null } })
    expect(forms).toEqual([
      {
        operations: { query: upload, variables: { file: null } },
        map: { 0: ['variables.file'] },
        file: 'line 1\r\n--other\r\nline 2 ₹',
        name: 'bill №1.txt',
      },
    ])
    server.closeAllConnections()
    server.close()
  })

  test.for(uploadForms)('of $client arrives as it was meant, in however many pieces it comes', async (form) => {
    await using platform = await startUpstream((_, response) => sendJson(response, answered))
    await using gateway = await startGateway({ platformUrl: platform.url, principalOf: ownerOf })
    const head = (name: string, value: string) => `content-disposition: form-data; name="${name}"\r\n\r\n${value}`
    const parts = [head('operations', operationsText), head('map', map), `${form.file}\r\n\r\nHello`]
    const body = `${parts.map((part) => `--${form.boundary}\r\n${part}\r\n`).join('')}--${form.boundary}--\r\n`
    for (const size of [form.body.length, 9, 1]) {
      const response = await send(gateway, streamed(piecesOf(form.body, size)), { contentType: form.contentType })
      expect(await response.json(), `pieces of ${size}`).toEqual(answered)
    }
    expect(platform.seen.map((seen) => seen.body)).toEqual([body, body, body])
  })

  test.for([
    ['that is named among others', 'A', `${upload.replace('(', ' A(')} query B { greeting(name: "x") }`],
    ['whose field of ours is left out', '', `${upload.slice(0, -1)} note(text: "x") @skip(if: true) { id } }`],
  ] as const)('of an operation %s goes on as it is executed', async ([, operationName, query]) => {
    await using platform = await startUpstream((_, response) => sendJson(response, answered))
    await using gateway = await startGateway({ platformUrl: platform.url, principalOf: ownerOf })
    const operation = { name: 'operations', value: JSON.stringify({ query, operationName, variables: { file: null } }) }
    const response = await send(gateway, headOf('', [operation, ...partsOf('').slice(1)]) + tail)
    expect(await response.json()).toEqual(answered)
    expect(platform.seen.map(({ body }) => /greeting|note/v.test(body))).toEqual([false])
  })

  test('of 100 MB needs little memory and waits for a platform that reads slowly', async () => {
    let readOn = (): void => {}
    let isHeld = true
    const held = new Promise<void>((resolve) => (readOn = resolve))
    await using house = await open({ read: () => (isHeld ? held : Promise.resolve()) }, { limits: { uploadBytes: 101 * 1_048_576 } })
    const piece = Buffer.alloc(1_048_576, 'x')
    let made = 0
    const expected = createHash('sha256')
    let most = 0
    function* pieces(): Generator<Uint8Array> {
      yield Buffer.from(headOf(upload))
      for (; made < 100; made += 1) {
        if (made % 10 === 9) most = Math.max(most, heldBytes())
        yield piece
      }
      yield Buffer.from(tail)
    }
    const before = heldBytes()
    const response = send(house.gateway, streamed(pieces()))
    let last = -1
    await waitFor(
      async () => {
        const isStill = made === last && made > 0
        last = made
        await new Promise((resolve) => setTimeout(resolve, 200))
        return isStill
      },
      { what: 'the upload to be held up' },
    )
    expect(made).toBeLessThan(30)
    isHeld = false
    readOn()
    expect(await (await response).json()).toEqual(answered)
    const [seen] = house.platform.seen
    const body = Buffer.from(
      `--${boundary}\r\ncontent-disposition: form-data; name="operations"\r\n\r\n${JSON.stringify({ query: upload, variables: { file: null } })}\r\n--${boundary}\r\ncontent-disposition: form-data; name="map"\r\n\r\n{"0":["variables.file"]}\r\n`,
    )
    const fileHead = `content-disposition: form-data; name="0"; filename="a.bin"\r\ncontent-type: application/octet-stream`
    expected.update(body).update(`--${boundary}\r\n${fileHead}\r\n\r\n`)
    for (let index = 0; index < 100; index += 1) expected.update(piece)
    expect(seen?.hash.digest('hex')).toBe(expected.update(tail).digest('hex'))
    // What the client, the service and the platform hold together, in this one process.
    expect(most - before).toBeLessThan(50_000_000)
  })

  test('ends at the platform when the client leaves', async () => {
    await using house = await open()
    const leaving = new AbortController()
    async function* pieces(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(headOf(upload))
      yield Buffer.alloc(100_000)
      await new Promise(() => undefined)
    }
    const response = send(house.gateway, streamed(pieces()), { signal: leaving.signal })
    await waitFor(() => (house.platform.seen[0]?.size ?? 0) > 100_000)
    leaving.abort()
    await expect(response).rejects.toThrow('abort')
    await waitFor(() => house.platform.seen[0]?.aborted)
    expect(house.platform.seen[0]?.ended).toBe(false)
  })

  test('has a deadline for each piece: it is aborted only if it stalls', async () => {
    await using house = await open({}, { deadlineMs: 3_000 })
    async function* slow(count: number): AsyncGenerator<Uint8Array> {
      yield Buffer.from(headOf(upload))
      for (let index = 0; index < count; index += 1) {
        yield Buffer.alloc(1_000)
        await new Promise((resolve) => setTimeout(resolve, 300))
      }
      if (count < 10) await new Promise(() => undefined)
      yield Buffer.from(tail)
    }
    const going = await send(house.gateway, streamed(slow(12)))
    expect(await going.json()).toEqual(answered)
    const still = await send(house.gateway, streamed(slow(1)))
    expect(still.status).toBe(504)
    expect(await still.json()).toMatchObject({ errors: [{ extensions: { code: 'TIMEOUT' } }] })
    await waitFor(() => house.platform.seen[1]?.aborted)
  })

  test('has the same deadline for each piece, however late its head was complete', async () => {
    await using house = await open({}, { deadlineMs: 4_000 })
    async function* late(): AsyncGenerator<Uint8Array> {
      const head = headOf(upload)
      yield Buffer.from(head.slice(0, 20))
      await new Promise((resolve) => setTimeout(resolve, 2_600))
      yield Buffer.from(head.slice(20))
      await new Promise((resolve) => setTimeout(resolve, 100))
      yield Buffer.alloc(10)
      await new Promise((resolve) => setTimeout(resolve, 2_000))
      yield Buffer.from(tail)
    }
    expect(await (await send(house.gateway, streamed(late()))).json()).toEqual(answered)
  })

  test('is answered at once if the platform answers early', async () => {
    await using house = await open({ early: true })
    function* pieces(): Generator<Uint8Array> {
      yield Buffer.from(headOf(upload))
      for (let index = 0; index < 20; index += 1) yield Buffer.alloc(1_000_000)
      yield Buffer.from(tail)
    }
    const response = await send(house.gateway, streamed(pieces()))
    expect(await response.json()).toEqual(answered)
    expect(await house.gateway.ask('{ greeting(name: "you") }')).toEqual({ data: { greeting: 'Hello you' } })
  })
})

describe('an upload is refused', () => {
  test('over its limit with 413, announced or not, and is aborted at the platform', async () => {
    await using house = await open({}, { limits: { uploadBytes: 200_000 } })
    const announced = await send(house.gateway, headOf(upload) + 'x'.repeat(300_000) + tail)
    expect(announced.status).toBe(413)
    expect(await announced.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    expect(house.platform.seen).toEqual([])
    function* pieces(): Generator<Uint8Array> {
      yield Buffer.from(headOf(upload))
      for (let index = 0; index < 5; index += 1) yield Buffer.alloc(100_000)
      yield Buffer.from(tail)
    }
    const unannounced = await send(house.gateway, streamed(pieces()))
    expect(unannounced.status).toBe(413)
    await waitFor(() => house.platform.seen[0]?.aborted)
    expect(house.platform.seen[0]?.ended).toBe(false)
  })

  test('without a token, because a page of another origin could send it', async () => {
    await using house = await open()
    for (const path of ['/graphql', '/metadata']) {
      const response = await send(house.gateway, headOf(upload) + tail, { token: null, path })
      expect(response.status).toBe(401)
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING' } }] })
    }
    expect(house.platform.seen).toEqual([])
  })

  test.for(['/graphql', '/metadata'])(
    'with a token that the platform refuses, before a byte of it has a connection to the platform: %s',
    async (path) => {
      await using house = await open()
      const leaving = new AbortController()
      const endless = async function* (): AsyncGenerator<Uint8Array> {
        yield Buffer.from(headOf(upload))
        await new Promise((resolve) => leaving.signal.addEventListener('abort', resolve))
      }
      const response = await send(house.gateway, streamed(endless()), { path, token: 'stolen' })
      expect(await response.text()).toContain('UNAUTHENTICATED')
      expect(house.platform.seen).toEqual([])
      leaving.abort()
    },
  )

  test.for([
    ['without a token', '', '401', 'TOKEN_MISSING'],
    ['for a platform that is away', 'authorization: Bearer good\r\n', '503', 'PROVIDER_UNAVAILABLE'],
    ['in the middle', 'authorization: Bearer good\r\n', '400', 'INVALID_INPUT'],
  ] as const)('%s, with an answer on a connection that goes on', async ([what, header, status, reason]) => {
    const away = what === 'for a platform that is away'
    await using house = await open({}, away ? { platformUrl: 'http://127.0.0.1:9' } : {})
    const { hostname, port } = new URL(house.gateway.url)
    const socket = connect(Number(port), hostname)
    let received = ''
    socket.setEncoding('utf8').on('data', (text: string) => (received += text))
    // A client that sends all of it before it reads.
    const second = what === 'in the middle' ? `\r\n${headOf(upload)}` : ''
    const body = headOf(upload) + 'x'.repeat(1_500_000) + second + 'x'.repeat(1_500_000) + tail
    const head = `POST /graphql HTTP/1.1\r\nhost: x\r\n${header}content-type: multipart/form-data; boundary=${boundary}\r\ncontent-length: ${body.length}\r\n\r\n`
    for (const round of [1, 2]) {
      socket.write(head + body)
      await waitFor(() => received.split(`HTTP/1.1 ${status}`).length === round + 1 && received.endsWith('}'))
    }
    expect(received).toContain(reason)
    expect(socket.destroyed).toBe(false)
    socket.destroy()
    expect(house.platform.seen.some(({ ended }) => ended)).toBe(false)
  })

  test.for([
    ['uploadWorkspaceLogo', '/metadata'],
    ['uploadFile', '/graphql'],
  ] as const)('%s goes to the endpoint that has it: not refused', async ([field, path]) => {
    await using house = await open()
    const response = await send(house.gateway, headOf(`mutation($file: Upload!) { ${field}(file: $file) { id } }`) + tail)
    expect(await response.json()).toEqual(answered)
    expect(house.platform.seen.map((seen) => seen.path)).toEqual([path])
  })

  const misshapen: readonly (readonly [string, string])[] = [
    ['fields of ours', headOf('mutation($file: Upload!) { note(text: "x") { id } }')],
    ['fields of both sides', headOf('mutation($file: Upload!) { note(text: "x") { id } uploadFile(file: $file) { id } }')],
    [
      'credentials',
      headOf('mutation($file: Upload!) { a: signIn(email: "a@x.example", password: "p") { t } uploadFile(file: $file) { id } }'),
    ],
    ['a subscription', headOf('subscription { characters }')],
    ['a document that cannot be read', headOf('mutation {')],
    ['a document over the limits', headOf(`{ ${'a { '.repeat(40)} b ${'} '.repeat(40)} }`)],
    [
      'a list of operations',
      headOf('', [
        { name: 'operations', value: '[]' },
        { name: 'map', value: '{}' },
      ]),
    ],
    [
      'operations that are no JSON',
      headOf('', [
        { name: 'operations', value: '{' },
        { name: 'map', value: '{}' },
      ]),
    ],
    ['a map that names no variables', headOf('', [...partsOf(upload).slice(0, 1), { name: 'map', value: '{"0":"file"}' }])],
    ['a file with the name of a field', headOf('', [...partsOf(upload).slice(0, 1), { name: 'map', value: '{"map":["variables.file"]}' }])],
    ['a file in the place of the query', headOf('', [...partsOf(upload).slice(0, 1), { name: 'map', value: '{"0":["query"]}' }])],
    ['two operations', headOf('', [...partsOf(upload).slice(0, 1), ...partsOf('mutation { signIn(email: "a", password: "b") { t } }')])],
    [
      'operations as a file',
      headOf(
        '',
        partsOf(upload).map((part) => ({ ...part, more: '; filename="o.json"' })),
      ),
    ],
    ['the map first', headOf('', partsOf(upload).toReversed())],
    ['no file at all', `--${boundary}\r\nContent-Disposition: form-data; name="operations"\r\n\r\n{}\r\n--${boundary}--\r\n`],
  ]
  test.for(misshapen)('with %s', async ([, head]) => {
    await using house = await open()
    for (const path of ['/graphql', '/metadata']) {
      if (path === '/metadata' && head.includes('note(')) continue
      const response = await send(house.gateway, head + tail, { path })
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'BAD_USER_INPUT' } }] })
    }
    expect(house.platform.seen).toEqual([])
  })

  const operations = JSON.stringify({ query: 'mutation { signIn(email: "a", password: "b") { t } }' })
  const later = [
    ['a second operation', 'form-data; name="operations"', operations],
    ['a second operation as a file', 'form-data; name="operations"; filename="o"', operations],
    ['a second operation behind a file name', 'form-data; name="0"; filename="a\\"; name="operations"', operations],
    ['a second operation, its name not quoted', 'form-data; name=operations', operations],
    ['a second operation, its name on a line of its own', 'form-data;\r\n name="operations"; filename="o"', operations],
    ['a second map', 'form-data; name="map"', '{}'],
    ['a file that the map does not name', 'form-data; name="1"; filename="b.bin"', 'x'],
    ['a field in the place of a file', 'form-data; name="0"', 'text'],
    ['two names', 'form-data; name="0"; filename="a"\r\nContent-Disposition: form-data; name="operations"', operations],
  ] as const
  test.for(later)('with %s after the head, in however many pieces it comes', async ([, disposition, value]) => {
    const form = `${headOf(upload)}file\r\n--${boundary}\r\nContent-Disposition: ${disposition}\r\n\r\n${value}${tail}`
    for (const size of [form.length, 7, 1]) {
      await using house = await open()
      const response = await send(house.gateway, streamed(piecesOf(form, size)))
      expect(response.status).toBe(400)
      expect(await response.json()).toMatchObject({
        errors: [{ extensions: { code: 'BAD_USER_INPUT', data: { fields: [{ path: 'map' }] } } }],
      })
      expect(house.platform.seen.some(({ ended }) => ended)).toBe(false)
    }
  })

  test('if its head does not end', async () => {
    await using house = await open({}, { limits: { bodyBytes: 50_000 } })
    const response = await send(house.gateway, headOf(`{ leads { id } } # ${'x'.repeat(60_000)}`) + tail)
    expect(response.status).toBe(413)
    expect(house.platform.seen).toEqual([])
  })
})
