import { once } from 'node:events'
import { createServer, request as httpRequest } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { addressReader } from '../../src/server/http/client-address.ts'

/** What the reader says of a request from 127.0.0.1 with this header. */
async function addressWith(forwardedFor: string | readonly string[], trustProxy: readonly string[]): Promise<string> {
  const read = addressReader(trustProxy, { warn: () => {} })
  const server = createServer((request, response) => response.end(read(request))).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  try {
    const request = httpRequest({ port, host: '127.0.0.1', headers: { 'x-forwarded-for': [forwardedFor].flat() } }).end()
    return await new Promise<string>((resolve, reject) => {
      request.once('error', reject).once('response', (response) => void text(response).then(resolve, reject))
    })
  } finally {
    server.close()
  }
}

const unknown = '0.0.0.0'

test.for([
  ['203.0.113.9', '203.0.113.9'],
  ['203.0.113.9:4711', '203.0.113.9'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:DB8:0:0::1]', '2001:db8::1'],
  ['2001:0db8::0001', '2001:db8::1'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9', '203.0.113.9'],
  ['198.51.100.1, 203.0.113.9:80, ', '203.0.113.9'],
  ['unknown', unknown],
  ['198.51.100.1, unknown', unknown],
  ['_hidden', unknown],
  ['2130706433', unknown],
  ['0x7f.1', unknown],
  ['203.0.113.9:', unknown],
  ['[203.0.113.9', unknown],
  ['999.1.1.1:80', unknown],
  ['for=203.0.113.9', unknown],
] as const)('x-forwarded-for "%s" of a trusted proxy means the client %s', async ([header, client]) => {
  for (const trustProxy of [['loopback'], ['127.0.0.0/8'], ['1']]) expect(await addressWith(header, trustProxy)).toBe(client)
})

test('the header of a peer that is not trusted is ignored', async () => {
  for (const header of ['203.0.113.9', 'unknown', '127.0.0.1:80']) expect(await addressWith(header, ['10.0.0.0/8'])).toBe('127.0.0.1')
})

test('several headers and several trusted proxies are read from the last entry on', async () => {
  expect(await addressWith(['198.51.100.1', '203.0.113.9, 10.0.0.3:1234'], ['loopback', '10.0.0.0/8'])).toBe('203.0.113.9')
  expect(await addressWith('203.0.113.9, [::ffff:10.0.0.3]:1234', ['loopback', '10.0.0.0/8'])).toBe('203.0.113.9')
  expect(await addressWith('198.51.100.1, 203.0.113.9, 10.0.0.3', ['2'])).toBe('203.0.113.9')
  // Fewer entries than hops: the first one is the client's.
  expect(await addressWith('203.0.113.9', ['3'])).toBe('203.0.113.9')
})
