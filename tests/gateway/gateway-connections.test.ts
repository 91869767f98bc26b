import { once } from 'node:events'
import { request as httpRequest, type ServerResponse } from 'node:http'
import { connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { startGateway, testPrincipal } from '../harness/gateway.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Asks on a connection of its own. */
/** `npm run prove:gate -- load` has more. */
const loadTimes = Number(process.env['LOAD_TIMES'] ?? 1)

async function askOnNewConnection(url: string, body: string): Promise<string> {
  const request = httpRequest(`${url}/graphql`, { method: 'POST', agent: false, headers: { 'content-type': 'application/json' } })
  return new Promise((resolve, reject) => {
    request.on('error', reject).on('response', (response) => void text(response).then(resolve, reject))
    request.end(body)
  })
}

function drip(response: ServerResponse): void {
  const timer = setInterval(() => response.write(' '), 50)
  response.once('close', () => clearInterval(timer))
}

const post = (query: string) => JSON.stringify({ query })

describe('closed connections', () => {
  test('a client that leaves aborts the request to the platform, and hundreds of them do not block the next', async () => {
    await using upstream = await startUpstream(({ body }, response) => {
      if (body.includes('quick')) return sendJson(response, { data: { quick: 1 } })
      response.writeHead(200, { 'content-type': 'application/json' })
      response.write(`{"data":{"a":"${'x'.repeat(100_000)}`)
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { connections: 50 } })
    // At every moment between the first byte of the request and the middle of the answer, half of them with a body of many pieces.
    const leave = async (index: number): Promise<void> => {
      const controller = new AbortController()
      const leaving = setTimeout(() => controller.abort(), (index * 7) % 60)
      const body = post(index % 2 ? '{ slow }' : `{ slow } # ${'y'.repeat(300_000)}`)
      const response = await gateway.post(body, { signal: controller.signal }).catch(() => null)
      await response?.arrayBuffer().catch(() => null)
      clearTimeout(leaving)
    }
    for (let round = 0; round < 4 * loadTimes; round += 1) {
      await Promise.all(Array.from({ length: 100 }, (_, index) => leave(index)))
      // On a busy machine the service accepts connections when their clients have long left: in their order, so after these comes this one.
      expect(await askOnNewConnection(gateway.url, post('{ quick }'))).toBe('{"data":{"quick":1}}')
      const left = (): boolean => gateway.inFlight() === 0 && upstream.open() === 0
      await waitFor(left, { what: 'the platform to be left alone' })
    }
  })

  test('a large answer of unknown length reaches the client piece by piece', async () => {
    const { promise: held, resolve: letGo } = Promise.withResolvers<void>()
    const first = `{"data":{"a":"${'x'.repeat(20_000)}`
    await using upstream = await startUpstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(first)
      await held
      response.end('"}}')
    })
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const { body } = await gateway.post({ query: '{ a }' })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    let came = ''
    while (came.length < first.length) came += (await reader?.read())?.value ?? ''
    expect(came).toBe(first)
    letGo()
    expect((await reader?.read())?.value).toBe('"}}')
    expect((await reader?.read())?.done).toBe(true)
  })

  test.for([
    ['plain', (text: string) => Buffer.from(text), {}],
    ['compressed', (text: string) => gzipSync(text), { 'content-encoding': 'gzip' }],
  ] as const)('a small answer in pieces is sent when it is complete (%s)', async ([, encode, encoding]) => {
    const answer = `{"data":{"a":"${'x'.repeat(5_000)}"}}`
    await using upstream = await startUpstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', ...encoding })
      for (const byte of encode(answer)) {
        response.write(Buffer.of(byte))
        if (byte % 16 === 0) await new Promise(setImmediate)
      }
      response.end()
    })
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const response = await gateway.post({ query: '{ a }' }, { headers: { 'accept-encoding': 'gzip' } })
    expect(response.headers.get('content-length')).toBe(String(encode(answer).length))
    expect(await response.text()).toBe(answer)
  })

  test.for([{}, { 'content-encoding': 'gzip' }])(
    'a small answer that comes a byte at a time is a clear error at the deadline (%o)',
    async (encoding) => {
      await using upstream = await startUpstream((_, response) =>
        drip(response.writeHead(200, { 'content-type': 'application/json', ...encoding })),
      )
      await using gateway = await startGateway({ platformUrl: upstream.url, deadlineMs: 500 })
      const response = await gateway.post({ query: '{ a }' })
      expect(response.status).toBe(504)
      expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'TIMEOUT' } }] })
      await waitFor(() => upstream.open() === 0)
    },
  )

  test('a large answer that goes on a byte at a time ends at the deadline between two pieces', async () => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).write(`{"data":{"a":"${'x'.repeat(20_000)}`)
      drip(response)
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { stallMs: 1_200 } })
    const response = await gateway.post({ query: '{ a }' })
    await expect(response.text()).rejects.toThrow('terminated')
    await waitFor(() => upstream.open() === 0)
  })

  test('a subscription of the metadata endpoint is forwarded to it', async () => {
    await using upstream = await startUpstream(({ path }, response) => {
      response
        .writeHead(200, { 'content-type': 'text/event-stream' })
        .write(`event: next\ndata: {"data":{"onEventSubscription":"${path}"}}\n\n`)
    })
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const leaving = new AbortController()
    const query = 'subscription { onEventSubscription(eventStreamId: "1") { eventStreamId } }'
    const { body } = await gateway.post({ query }, { headers: { accept: 'text/event-stream' }, signal: leaving.signal })
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toContain('"onEventSubscription":"/metadata"')
    leaving.abort()
    await reader?.read().catch(() => null)
    await waitFor(() => upstream.open() === 0)
  })

  test('if the platform closes the connection within an answer, our answer ends as an error', async () => {
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': 1_000_000 })
      response.write('x'.repeat(200_000))
      setImmediate(() => setImmediate(() => response.destroy()))
    })
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const response = await gateway.post(post('{ big }'))
    expect(response.status).toBe(200)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  test.for(['application/json', 'application/graphql-response+json', 'text/event-stream'])(
    'a hash without a text gets the answer of Apollo Server, which makes clients send the text (%s)',
    async (accept) => {
      await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
      await using gateway = await startGateway({ platformUrl: upstream.url })
      const extensions = { persistedQuery: { version: 1, sha256Hash: '00' } }
      const refused = { message: 'PersistedQueryNotSupported', extensions: { code: 'PERSISTED_QUERY_NOT_SUPPORTED', retryable: false } }
      for (const body of [{ extensions }, { query: null, extensions }, { query: '', operationName: 'A', variables: {}, extensions }]) {
        for (const path of ['/graphql', '/metadata']) {
          const response = await gateway.post(body, { path, headers: { accept } })
          expect(response.status).toBe(200)
          expect(await response.json()).toMatchObject({ errors: [refused] })
        }
      }
      const address = `${gateway.url}/graphql?operationName=A&variables={}&extensions=${encodeURIComponent(JSON.stringify(extensions))}`
      const overGet = await fetch(address, { headers: { accept } })
      expect(overGet.status).toBe(200)
      expect(await overGet.json()).toMatchObject({ errors: [refused] })
      expect(upstream.seen).toEqual([])
    },
  )

  test.for([{ data: { leads: [] } }, { errors: [{ message: 'no', extensions: { code: 'X' } }], data: { leads: null } }])(
    'of records in events for a client that accepts nothing else: %j',
    async (whole) => {
      await using upstream = await startUpstream((seen, response) => {
        response
          .writeHead(200, { 'content-type': 'application/json' })
          .end(JSON.stringify(whole, null, seen.body.includes('spaced') ? 1 : 0))
      })
      await using gateway = await startGateway({ platformUrl: upstream.url })
      for (const query of ['{ leads { id } }', '{ leads { id } } # spaced']) {
        for (const accept of ['text/event-stream', 'Text/Event-Stream; charset=utf-8']) {
          const response = await gateway.post(post(query), { headers: { accept } })
          expect(response.headers.get('content-type')).toBe('text/event-stream')
          const [event = '', data = '', ...rest] = (await response.text()).split('\n')
          expect([event, JSON.parse(data.replace('data: ', '')), ...rest]).toEqual([
            'event: next',
            whole,
            '',
            'event: complete',
            'data:',
            '',
            '',
          ])
        }
      }
      const overGet = await fetch(`${gateway.url}/graphql?query={leads{id}}`, { headers: { accept: 'text/event-stream' } })
      expect(await overGet.text()).toContain('event: complete')
    },
  )

  test('is 406 with what is allowed if the platform has none that the client accepts', async () => {
    await using upstream = await startUpstream((_, response) => void response.writeHead(406).end())
    await using gateway = await startGateway({ platformUrl: upstream.url })
    for (const path of ['/graphql', '/metadata']) {
      const response = await gateway.post(post('{ leads { id } }'), { path, headers: { accept: 'text/csv' } })
      expect(response.status).toBe(406)
      const message: unknown = expect.stringContaining('must allow application/json')
      expect(await response.json()).toMatchObject({ errors: [{ message, extensions: { code: 'BAD_USER_INPUT', retryable: false } }] })
    }
  })

  test('of an operation on several sides is 401 over GET without a good token', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, { data: {} }))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => null })
    for (const query of ['{ __schema { queryType { name } } }', '{ leads { edges { node { insight { summary } } } } }']) {
      for (const token of [null, 'bad']) {
        for (const accept of ['application/json', 'application/graphql-response+json']) {
          const headers = { accept, ...(token !== null && { authorization: `Bearer ${token}` }) }
          const response = await fetch(`${gateway.url}/graphql?query=${encodeURIComponent(query)}`, { headers })
          expect(response.status).toBe(401)
          expect(await response.json()).toMatchObject({ errors: [{ extensions: { code: 'UNAUTHENTICATED' } }] })
        }
      }
    }
  })

  // The second is urql's, which names streams for every operation.
  test.for(['application/json', 'application/graphql-response+json, application/json, text/event-stream, multipart/mixed'])(
    'a platform that stalls in the middle meets the deadline between two pieces (%s)',
    async (accept) => {
      await using upstream = await startUpstream((_, response) => {
        response.writeHead(200, { 'content-type': 'application/json' })
        response.write(`{"data":"${'x'.repeat(100_000)}`)
        response.write('x'.repeat(100_000))
      })
      await using gateway = await startGateway({ platformUrl: upstream.url, upstream: { stallMs: 1_200 } })
      const response = gateway.post(post('{ big }'), { headers: { accept } }).then((answer) => answer.text())
      await expect(response).rejects.toThrow('terminated')
    },
  )

  test('an answer of 100 MB for a slow reader needs little memory', async () => {
    const piece = Buffer.alloc(1_000_000, 'x')
    let written = 0
    await using upstream = await startUpstream(async (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' })
      for (let index = 0; index < 100 && !response.destroyed; index += 1) {
        written += piece.length
        if (!response.write(piece)) await once(response, 'drain').catch(() => null)
      }
      response.end('}')
    })
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const { port } = new URL(gateway.url)
    const socket = connect(Number(port), '127.0.0.1')
    const body = post('{ big }')
    socket.write(`POST /graphql HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${body.length}\r\n\r\n${body}`)
    socket.pause()
    // The platform can write only as much as the buffers on the way hold; then it waits for the reader.
    let before = -1
    await waitFor(
      async () => {
        const still = written === before
        before = written
        await new Promise((resolve) => setTimeout(resolve, 200))
        return still && written > 0
      },
      { what: 'the platform to be held up' },
    )
    expect(written).toBeLessThan(30_000_000)
    let received = 0
    socket.on('data', (chunk: Buffer) => (received += chunk.length))
    socket.resume()
    await waitFor(() => received > 100_000_000, { what: 'the rest of the answer' })
    socket.destroy()
    expect(written).toBe(100_000_000)
  })

  test.for(['/graphql', '/metadata'])('server-sent events of the platform pass through %s piece by piece', async (path) => {
    let send = (_text: string): void => {}
    await using upstream = await startUpstream((_, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' })
      response.flushHeaders()
      send = (text) => void response.write(text)
    })
    await using gateway = await startGateway({ platformUrl: upstream.url, deadlineMs: 1_000 })
    const response = await gateway.post(post('subscription { onEvent { id } }'), { path, headers: { accept: 'text/event-stream' } })
    expect(response.headers.get('content-type')).toBe('text/event-stream')
    const reader = response.body?.getReader()
    const next = async (): Promise<string> => new TextDecoder().decode((await reader?.read())?.value)
    send('event: next\ndata: {"data":1}\n\n')
    expect(await next()).toBe('event: next\ndata: {"data":1}\n\n')
    // Longer than the deadline of other requests: what it cuts must have had the time to be cut.
    await new Promise((resolve) => setTimeout(resolve, 1_500))
    send('event: next\ndata: {"data":2}\n\n')
    expect(await next()).toBe('event: next\ndata: {"data":2}\n\n')
    await reader?.cancel()
    await waitFor(() => upstream.open() === 0, { what: 'the subscription to end at the platform' })
  })

  test('a subscription of ours streams over server-sent events', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, {}))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal() })
    const response = await gateway.post(post('subscription { ticks(count: 2) }'), {
      token: 'good',
      headers: { accept: 'text/event-stream' },
    })
    const text = await response.text()
    expect(text.match(/"ticks":\d/g)).toEqual(['"ticks":1', '"ticks":2'])
  })

  test.each([
    ['APP', { message: 'Nothing of that kind', code: 'NOT_FOUND', reason: 'NOT_FOUND' }],
    [
      'UNKNOWN',
      {
        message: 'Something went wrong here. Try again; if it happens again, give an administrator the requestId',
        code: 'INTERNAL_SERVER_ERROR',
        reason: 'UNKNOWN',
      },
    ],
  ])('a fault in the middle of a stream (%s) is its last answer, in the form of every error', async (fault, { message, ...extensions }) => {
    await using upstream = await startUpstream((_, response) => sendJson(response, {}))
    await using gateway = await startGateway({ platformUrl: upstream.url, principalOf: () => testPrincipal() })
    const response = await gateway.post(post(`subscription { ticks(count: 1, fault: ${fault}) }`), {
      token: 'good',
      headers: { accept: 'text/event-stream' },
    })
    const events = (await response.text()).split('\n\n').filter((event) => event !== ':')
    const [, last = ''] = /^event: next\ndata: (.+)$/.exec(events[1] ?? '') ?? []
    const requestId = response.headers.get('x-request-id')
    expect(requestId).toBeTruthy()
    expect(JSON.parse(last)).toMatchObject({ errors: [{ message, extensions: { ...extensions, retryable: false, requestId } }] })
    expect(events[2]).toMatch(/^event: complete/)
  })
})

describe('answers are never mixed up', () => {
  test('1,500 mixed requests of 50 users on shared connections', async () => {
    // The platform answers with the token that it was given; every tenth request is held up so that answers overtake each other.
    let count = 0
    await using upstream = await startUpstream(({ headers, body }, response) => {
      count += 1
      const marker = /"marker":"(\d+)"/.exec(body)?.[1] ?? ''
      const answer = { data: { whoAmI: `${headers.authorization} ${marker}` } }
      if (count % 10 === 0) setTimeout(() => sendJson(response, answer), count % 7)
      else sendJson(response, answer)
    })
    await using gateway = await startGateway({
      platformUrl: upstream.url,
      upstream: { connections: 16 },
      principalOf: (token) => testPrincipal({ email: `${token}@x.example`, memberId: token }),
    })
    const wrong: unknown[] = []
    const ask = async (number: number): Promise<void> => {
      const token = `user-${number % 50}`
      const marker = String(number)
      const kind = number % 3
      const query =
        kind === 0
          ? 'query($marker: String) { whoAmI(marker: $marker) }'
          : kind === 1
            ? '{ viewer { token memberId } }'
            : 'query($marker: String) { viewer { token memberId } whoAmI(marker: $marker) }'
      const answer = await gateway.ask(query, { token, variables: { marker } })
      const expected = {
        ...(kind === 0 ? {} : { viewer: { token, memberId: token } }),
        ...(kind === 1 ? {} : { whoAmI: `Bearer ${token} ${marker}` }),
      }
      if (JSON.stringify(answer) !== JSON.stringify({ data: expected })) wrong.push(answer)
    }
    for (let start = 0; start < 1_500 * loadTimes; start += 200)
      await Promise.all(Array.from({ length: 200 }, (_, index) => ask(start + index)))
    expect(wrong).toEqual([])
    expect(upstream.seen.length).toBeGreaterThan(900 * loadTimes)
  })
})

describe('the port', () => {
  test('answers malformed HTTP and keeps running', async () => {
    await using upstream = await startUpstream((_, response) => sendJson(response, {}))
    await using gateway = await startGateway({ platformUrl: upstream.url })
    const unknown = await fetch(`${gateway.url}/nothing/here`)
    expect(unknown.status).toBe(404)
    expect(unknown.headers.get('content-type')).toContain('application/problem+json')
    expect(await unknown.json()).toMatchObject({ code: 'NOT_FOUND', status: 404, requestId: unknown.headers.get('x-request-id') })
    expect((await fetch(`${gateway.url}/health`, { method: 'POST' })).status).toBe(405)
    expect((await fetch(`${gateway.url}/graphql`, { method: 'PUT' })).status).toBe(405)
    expect((await fetch(`${gateway.url}/metrics`)).status).toBe(200)
    for (const address of ['8.8.8.8', '8.8.8.8:4711', '[2001:4860::8]:80', 'unknown', '8.8.8.8, _hidden']) {
      expect((await fetch(`${gateway.url}/metrics`, { headers: { 'x-forwarded-for': address } })).status).toBe(404)
    }
    const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    socket.write('NONSENSE\r\n\r\n')
    const bytes: readonly unknown[] = await once(socket, 'data')
    expect(String(bytes[0])).toContain('400 Bad Request')
    socket.destroy()
    const half = httpRequest(`${gateway.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'content-length': 100 },
    })
    half.on('error', () => {})
    half.write('{"query"')
    half.destroy()
    expect((await fetch(`${gateway.url}/health`)).status).toBe(200)
  })

  test('a silent connection does not delay the shutdown', async () => {
    const upstream = await startUpstream((_, response) => sendJson(response, {}))
    const gateway = await startGateway({ platformUrl: upstream.url })
    const silent = connect(Number(new URL(gateway.url).port), '127.0.0.1')
    await once(silent, 'connect')
    const startedAt = performance.now()
    const closed = once(silent.resume(), 'close')
    await gateway[Symbol.asyncDispose]()
    await closed
    expect(performance.now() - startedAt).toBeLessThan(5_000)
    await upstream[Symbol.asyncDispose]()
  })
})
