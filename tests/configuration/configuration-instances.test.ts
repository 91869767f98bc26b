import { randomBytes } from 'node:crypto'
import { describe, expect, onTestFinished, test } from 'vitest'
import { z } from 'zod'
import { type App } from '../../src/app.ts'
import { type Sandbox, startSandbox } from '../../src/sandbox/start.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { startRedisServer } from '../harness/redis-server.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'
import { startApp } from '../harness/start-app.ts'

const redis = await realServer('redis')
const documentSchema = z.looseObject({ _meta: z.looseObject({ version: z.int() }) })
const themeSchema = z.object({ data: z.object({ theme: z.object({ brand: z.object({ hospitalName: z.string().nullable() }) }) }) })

describe.skipIf(redis === null)('several instances on one Redis', () => {
  test('a change on one instance counts on the others before they read again anyway, also after an outage of Redis', async () => {
    const { instances, redisServer } = await start(3)
    const [first, second, third] = instances
    if (!first || !second || !third) throw new Error('three instances were asked for')
    const token = await signIn(first)
    for (const instance of instances) expect(await hospitalName(instance, token)).toBeNull()
    for (const [index, instance] of instances.entries()) {
      const name = `Hospital ${index}`
      await save(instance, token, { brand: { hospitalName: name } })
      for (const other of instances) {
        await waitFor(async () => (await hospitalName(other, token)) === name, { what: `${name} everywhere` })
      }
    }
    const port = redisServer.port
    await redisServer.kill()
    expect(await hospitalName(second, token)).toBe('Hospital 2')
    await using again = await startRedisServer(redis?.binary ?? '', { port })
    expect(again.url).toContain(String(port))
    await waitFor(async () => expect(await attemptSave(third, token, { brand: { hospitalName: 'After' } })).toBe(200))
    for (const other of instances) await waitFor(async () => expect(await hospitalName(other, token)).toBe('After'))
  })

  test('concurrent writers on all instances lose no change, and each version exists once', async () => {
    const { instances } = await start(3)
    const [first] = instances
    if (!first) throw new Error('three instances were asked for')
    const token = await signIn(first)
    const fields = ['primary', 'accent', 'background', 'text']
    const colors = fields.map((field, index) => ({ field, color: `#00000${index + 1}` }))
    await Promise.all(
      colors.flatMap(({ field, color }) => instances.map((instance) => save(instance, token, { colors: { [field]: color } }))),
    )
    expect(await get(first, token, 'theme')).toMatchObject({ colors: Object.fromEntries(colors.map(({ field, color }) => [field, color])) })
    const history = z.array(z.object({ version: z.int() })).parse(await get(first, token, 'theme/history'))
    expect(history.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1])
  })

  test('refuses the second of two changes of the same version', async () => {
    const { instances } = await start(2)
    const [first, second] = instances
    if (!first || !second) throw new Error('two instances were asked for')
    const token = await signIn(first)
    const { _meta: meta } = documentSchema.parse(await get(second, token, 'theme'))
    const ifMatch = { 'if-match': `"${meta.version}"` }
    expect(await attemptSave(first, token, { brand: { hospitalName: 'First' } }, ifMatch)).toBe(200)
    expect(await attemptSave(second, token, { brand: { hospitalName: 'Second' } }, ifMatch)).toBe(409)
  })

  test('an instance with another secrets key does not start', async () => {
    const { startOne } = await start(1)
    await expect(startOne(randomBytes(32))).rejects.toThrow('SECRETS_KEY is not the key')
  })
})

async function start(count: number) {
  await using stack = new AsyncDisposableStack()
  const sandbox: Sandbox = stack.use(await startSandbox({ dataDir: null }))
  const redisServer = stack.use(await startRedisServer(redis?.binary ?? ''))
  const key = randomBytes(32)
  const clock = createTestClock(new Date().toISOString())
  const startOne = async (secretsKey: Uint8Array): Promise<App> => {
    const directory = await createTempDir()
    onTestFinished(() => directory[Symbol.asyncDispose]())
    const { path } = directory
    const environment = { REDIS_URL: redisServer.url, SECRETS_KEY: Buffer.from(secretsKey).toString('base64'), DATA_DIR: path, PORT: '0' }
    // By this clock nothing is read again anyway.
    return startApp({ ...sandbox.environmentOf('demo'), ...environment }, { clock })
  }
  const instances: App[] = []
  for (let index = 0; index < count; index += 1) instances.push(stack.use(await startOne(key)))
  const running = stack.move()
  onTestFinished(() => running.disposeAsync())
  return { instances, redisServer, startOne }
}

async function signIn({ url }: App): Promise<string> {
  const credentials = { email: 'manager@demo.example', password: 'sandbox-password', workspace: 'demo' }
  const response = await send(`${url}/auth/login`, { method: 'POST', body: credentials })
  const signedIn = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) }).parse(await response.json())
  return signedIn.tokens.accessToken.token
}

async function hospitalName({ url }: App, token: string): Promise<string | null> {
  const response = await send(`${url}/graphql`, { method: 'POST', token, body: { query: '{ theme { brand { hospitalName } } }' } })
  return themeSchema.parse(await response.json()).data.theme.brand.hospitalName
}

async function save(app: App, token: string, document: object): Promise<void> {
  expect(await attemptSave(app, token, document)).toBe(200)
}

async function attemptSave(...[{ url }, token, body, headers = {}]: [App, string, object, Record<string, string>?]): Promise<number> {
  return (await send(`${url}/api/config/theme`, { method: 'PUT', token, body, headers })).status
}

async function get({ url }: App, token: string, path: string): Promise<unknown> {
  return (await send(`${url}/api/config/${path}`, { method: 'GET', token })).json()
}

type Sent = { readonly method: string; readonly token?: string; readonly body?: object; readonly headers?: Record<string, string> }

function send(url: string, { method, token, body, headers = {} }: Sent): Promise<Response> {
  const sent = body === undefined ? {} : { body: JSON.stringify(body) }
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` }
  return fetch(url, { method, headers: { 'content-type': 'application/json', ...authorization, ...headers }, ...sent })
}
