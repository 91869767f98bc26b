import { once } from 'node:events'
import { createServer, IncomingMessage, request as httpRequest } from 'node:http'
import { Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { addressReader, trustedSender } from '../../src/server/http/client-address.ts'
import { HttpContext } from '../../src/server/http/http-context.ts'
import { TimedResponse } from '../../src/server/http/timed-response.ts'
import { OperatorCheck } from '../../src/server/operations/operator-check.ts'

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

test('a header as long as a request has room for costs no more than a short one, whoever sends it', async () => {
  const long = [
    '1.1.1.1,'.repeat(1_900),
    '2001:db8::1,'.repeat(1_200),
    '::1,'.repeat(3_700),
    ','.repeat(15_000),
    '127.0.0.1,'.repeat(1_500),
    '1'.repeat(15_000),
  ]
  for (const trustProxy of [['loopback'], ['10.0.0.0/8'], ['1'], ['5000']]) {
    const read = addressReader(trustProxy, { warn: () => {} })
    const isTrusted = trustedSender(trustProxy)
    for (const header of long) {
      const request = new IncomingMessage(new Socket())
      Object.defineProperty(request.socket, 'remoteAddress', { value: '127.0.0.1' })
      request.headers['x-forwarded-for'] = header
      const before = process.threadCpuUsage()
      for (let count = 0; count < 100; count += 1) expect([isTrusted(request), read(request)]).toHaveLength(2)
      const { user, system } = process.threadCpuUsage(before)
      // Two readings, on a busy machine. They were 30 ms.
      expect((user + system) / 1_000 / 100, `${header.slice(0, 12)} ${trustProxy.join()}`).toBeLessThan(5)
    }
  }
})

test('more trusted proxies than there can be hide no client', async () => {
  expect(await addressWith('127.0.0.2,'.repeat(15), ['loopback'])).toBe('127.0.0.2')
  expect(await addressWith('127.0.0.2,'.repeat(60), ['loopback'])).toBe(unknown)
  expect(await addressWith(`203.0.113.9,${'127.0.0.2,'.repeat(60)}`, ['loopback'])).toBe(unknown)
})

/** Whether a request of this peer, with these headers, comes from an address that METRICS_FROM names. */
function isOperator(
  peer: string,
  headers: Readonly<Record<string, string>> = {},
  { trustProxy = ['1'], metricsFrom = ['loopback', '192.0.2.0/24'] }: { trustProxy?: string[]; metricsFrom?: string[] } = {},
): boolean {
  const operators = new OperatorCheck({ metricsFrom, trustProxy })
  const request = new IncomingMessage(new Socket())
  Object.defineProperty(request.socket, 'remoteAddress', { value: peer })
  Object.assign(request.headers, headers)
  const host = { log: createLog('silent'), addressOf: addressReader(trustProxy, { warn: () => {} }) }
  return operators.hasNamedAddress(new HttpContext(request, new TimedResponse(request), { host, deadlineMs: 1 }))
}

const sentFor = (address: string) => ({ 'x-forwarded-for': address })

test('an address of this machine opens nothing to a peer that is elsewhere', () => {
  expect([isOperator('10.0.0.3', sentFor('127.0.0.1')), isOperator('10.0.0.3', sentFor('::1')), isOperator('10.0.0.3')]).toEqual([
    false,
    false,
    false,
  ])
  expect([isOperator('127.0.0.1'), isOperator('::1', sentFor('127.0.0.1')), isOperator('10.0.0.3', sentFor('192.0.2.7'))]).toEqual([
    true,
    true,
    true,
  ])
})

test.for([
  ['x-forwarded-for', '203.0.113.9'],
  ['x-forwarded-for', 'unknown'],
  ['x-forwarded-for', ''],
  ['forwarded', 'for=203.0.113.9'],
  ['x-real-ip', '203.0.113.9'],
  ['via', '1.1 proxy'],
] as const)('an unknown proxy, which TRUST_PROXY does not name, makes nobody an operator: %s: %s', ([name, value]) => {
  const given = { trustProxy: ['10.0.0.0/8'], metricsFrom: ['192.168.0.0/16'] }
  expect(isOperator('192.168.0.9', {}, given)).toBe(true)
  expect(isOperator('192.168.0.9', { [name]: value }, given)).toBe(false)
  // One between the client and a proxy that is known.
  expect(isOperator('10.0.0.3', sentFor('192.168.0.9'), given)).toBe(true)
  expect(isOperator('10.0.0.3', sentFor('203.0.113.9, 192.168.0.9'), given)).toBe(false)
  // A known one that does not say for whom it asks.
  const own = { ...given, metricsFrom: ['10.0.0.0/8'] }
  expect(isOperator('10.0.0.3', {}, own)).toBe(true)
  expect(isOperator('10.0.0.3', { ...(name === 'x-forwarded-for' ? sentFor('') : { [name]: value }) }, own)).toBe(false)
})
