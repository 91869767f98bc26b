import { type Server, createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type AddressGuard, createAddressGuard } from '../../src/kernel/address-guard.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { httpRequest } from '../../src/kernel/http-client.ts'

/** A server that must not be reached; counts its connections. */
let canary: Server
let canaryPort: number
let connections = 0

beforeAll(async () => {
  canary = createServer((_request, response) => response.end('reached'))
  canary.on('connection', () => (connections += 1))
  await new Promise<void>((resolve) => canary.listen({ host: '::', port: 0 }, resolve))
  canaryPort = portOf(canary)
})
afterAll(() => new Promise((resolve) => canary.close(resolve)))

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.255.255.254',
  '2130706433',
  '0x7f000001',
  '0177.0.0.1',
  '0.0.0.0',
  '0',
  '10.0.0.1',
  '172.16.0.1',
  '192.168.1.1',
  '169.254.169.254',
  '100.64.0.1',
  '100.100.100.200',
  '192.0.0.192',
  '198.18.0.1',
  '224.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:169.254.169.254]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::7f00:1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::]',
  '[fe80::1]',
  '[fc00::1]',
  '[fd00:ec2::254]',
  '[ff02::1]',
  'localhost',
  'LOCALHOST.',
]

test.each(hosts)('nothing is sent to %s', async (host) => {
  const guard = createAddressGuard({ trusted: [] })
  const url = `http://${host}:${canaryPort}/`
  expect(await guard.faultOf(url)).not.toBeNull()
  const before = connections
  await expect(ask(url, guard)).rejects.toBeInstanceOf(AppError)
  expect(connections).toBe(before)
})

test('a name with a private address, also among others, is refused by the check and by the connection', async () => {
  const addresses = [
    [{ address: '127.0.0.1', family: 4 }],
    [
      { address: '93.184.215.14', family: 4 },
      { address: '::1', family: 6 },
    ],
    [],
  ]
  for (const answer of addresses) {
    const guard = createAddressGuard({ trusted: [], resolve: async () => answer })
    const url = `http://recordings.example:${canaryPort}/`
    expect(await guard.faultOf(url)).toBe('is not a public address')
    await expect(ask(url, guard)).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  }
  expect(connections).toBe(0)
})

test('a name that changes its address between the check and the connection (rebinding) is refused', async () => {
  let asked = 0
  const resolve = async () => [{ address: (asked += 1) === 1 ? '93.184.215.14' : '127.0.0.1', family: 4 }]
  const guard = createAddressGuard({ trusted: [], resolve })
  const url = `http://rebinding.example:${canaryPort}/`
  expect(await guard.faultOf(url)).toBeNull()
  await expect(ask(url, guard)).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  expect(connections).toBe(0)
})

test.each(['ftp://example.com/', 'file:///etc/passwd', 'gopher://127.0.0.1/', 'http://user:password@example.com/', 'example.com', ''])(
  '%s is no address to send anything to',
  async (url) => {
    expect(await createAddressGuard({ trusted: [] }).faultOf(url)).not.toBeNull()
  },
)

test('a trusted origin is reached, only with its exact scheme, host and port', async () => {
  const guard = createAddressGuard({ trusted: [`http://127.0.0.1:${canaryPort}/some/path`] })
  const url = `http://127.0.0.1:${canaryPort}/`
  expect(await guard.faultOf(url)).toBeNull()
  expect((await ask(url, guard)).text).toBe('reached')
  for (const other of [`http://localhost:${canaryPort}/`, `https://127.0.0.1:${canaryPort}/`, 'http://127.0.0.1:1/']) {
    expect(await guard.faultOf(other)).toBe('is not a public address')
  }
})

test('public addresses are not refused', async () => {
  const guard = createAddressGuard({ trusted: [], resolve: async () => [{ address: '93.184.215.14', family: 4 }] })
  for (const url of ['https://example.com/', 'http://93.184.215.14:8080/', 'http://[2606:4700::1111]/']) {
    expect(await guard.faultOf(url)).toBeNull()
  }
})

test('the canary can be reached without the guard', async () => {
  const before = connections
  await new Promise<void>((resolve) => {
    const socket = connect(canaryPort, '127.0.0.1', () => resolve(void socket.destroy()))
  })
  expect(connections).toBe(before + 1)
})

function ask(url: string, guard: AddressGuard) {
  return httpRequest({ who: 'The host', url, method: 'GET', signal: AbortSignal.timeout(20_000), dispatcher: guard.dispatcher })
}

function portOf(server: Server): number {
  const address: AddressInfo | string | null = server.address()
  if (address === null || typeof address === 'string') throw new Error('the canary does not listen')
  return address.port
}
