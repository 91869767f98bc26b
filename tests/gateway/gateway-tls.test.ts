import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { z } from 'zod'
import { checkAddress } from '../../src/commands/diagnose/address-checks.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { realServer } from '../harness/real-server.ts'
import { startServiceProcess } from '../harness/service-process.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const openssl = (await realServer('openssl'))?.binary
const run = promisify(execFile)

/** An authority of our own, and a certificate of it for 127.0.0.1. */
async function makeCertificates(directory: string) {
  const path = (name: string): string => join(directory, name)
  const common = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2']
  await run(openssl ?? '', [...common, '-subj', '/CN=Own authority', '-keyout', path('ca.key'), '-out', path('ca.pem')])
  const signed = ['-CA', path('ca.pem'), '-CAkey', path('ca.key'), '-addext', 'subjectAltName=IP:127.0.0.1']
  const leaf = [
    '-addext',
    'basicConstraints=critical,CA:FALSE',
    '-subj',
    '/CN=platform',
    '-keyout',
    path('key.pem'),
    '-out',
    path('cert.pem'),
  ]
  await run(openssl ?? '', [...common, ...signed, ...leaf])
  return { authority: path('ca.pem'), key: await readFile(path('key.pem')), cert: await readFile(path('cert.pem')) }
}

/** TLS before a server that speaks none. */
async function startTls(target: string, { key, cert }: { key: Buffer; cert: Buffer }) {
  const port = Number(new URL(target).port)
  const server = createServer({ key, cert }, (socket) => {
    const inner = connect(port, '127.0.0.1')
    socket.pipe(inner).pipe(socket)
    socket.on('error', () => inner.destroy())
    inner.on('error', () => socket.destroy())
  })
  server.on('tlsClientError', () => undefined)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  return {
    url: `https://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    [Symbol.dispose]: () => void server.close(),
  }
}

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })
const platformQuery = '{ leads(first: 1) { edges { node { id } } } }'

test.skipIf(openssl === undefined)(
  'a platform behind TLS: with its authority in NODE_EXTRA_CA_CERTS all ways to it are open, without it none',
  async () => {
    await using directory = await createTempDir()
    await using sandbox = await startSandbox({ dataDir: null })
    const certificates = await makeCertificates(directory.path)
    using platform = await startTls(sandbox.standIns.platform.url, certificates)
    const environment = { ...sandbox.environmentOf('demo'), PLATFORM_URL: platform.url, PORT: '0' }
    const post = async (url: string, body: unknown, token = ''): Promise<unknown> => {
      const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
      return (await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })).json()
    }
    const trusting = { ...environment, DATA_DIR: join(directory.path, 'trusting'), NODE_EXTRA_CA_CERTS: certificates.authority }
    await using service = await startServiceProcess(trusting)
    const credentials = { email: 'manager@demo.example', password: sandboxPassword, workspace: 'demo' }
    const { token } = signInSchema.parse(await post(`${service.url}/auth/login`, credentials)).tokens.accessToken
    const ask = (query: string) => post(`${service.url}/graphql`, { query }, token)
    const leads = { edges: [{ node: {} }] }
    expect(await ask(platformQuery)).toMatchObject({ data: { leads } })
    expect(await ask(`{ me { role } ${platformQuery.slice(1)}`)).toMatchObject({ data: { me: { role: 'MANAGER' }, leads } })
    expect(await ask('{ leads(first: 1) { edges { node { id insight { summary } } } } }')).toMatchObject({ data: { leads } })

    // What `npm run diagnose` says of it without the authority.
    const findings = await checkAddress('platform', platform.url, AbortSignal.timeout(10_000))
    expect(findings.map(({ part, state }) => [part, state])).toEqual([
      ['platform', 'error'],
      ['platform.certificate', 'error'],
    ])
    expect(findings[1]?.found).toMatch(/^The certificate is not trusted: [A-Z_]+$/)

    await using stranger = await startServiceProcess({ ...environment, DATA_DIR: join(directory.path, 'stranger') })
    expect(await post(`${stranger.url}/graphql`, { query: platformQuery }, token)).toMatchObject({
      errors: [{ extensions: { code: 'UPSTREAM_UNAVAILABLE' } }],
    })
    expect(await post(`${stranger.url}/auth/login`, credentials)).toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
  },
)
