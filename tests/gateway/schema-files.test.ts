import { mkdir, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { join } from 'node:path'
import { createSchema, createYoga } from 'graphql-yoga'
import { describe, expect, test } from 'vitest'
import { createSchemaFiles, hashOfTexts } from '../../src/server/graphql/stitching/schema-files.ts'
import { type Gateway, type GatewayOptions, startGateway, testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const leadSdl = 'type Query { lead: Lead } type Lead { id: ID! aiSummary: String aiSuggestedAction: String aiInsightAt: String }'

/** A platform whose workspaces, named by the token, have schemas of their own. */
async function startPlatform() {
  const schemas = new Map<string, string>()
  const readings: string[] = []
  const yogaOf = (more: string) =>
    createYoga({
      schema: createSchema({
        typeDefs: leadSdl + more,
        resolvers: { Query: { lead: () => ({ id: '1', aiSummary: 'Summary', grown: 'grown' }) } },
      }),
      graphqlEndpoint: '*',
      logging: false,
    })
  const metadata = createYoga({
    schema: createSchema({ typeDefs: 'type Query { roles: [String] }' }),
    graphqlEndpoint: '*',
    logging: false,
  })
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const body = Buffer.concat(chunks).toString()
      const workspace = (request.headers.authorization ?? '').slice('Bearer '.length)
      const isRecords = request.url === '/graphql'
      if (isRecords && body.includes('__schema')) readings.push(workspace)
      const yoga = isRecords ? yogaOf(schemas.get(workspace) ?? '') : metadata
      const answer = async (): Promise<void> => {
        const headers = { 'content-type': 'application/json', accept: 'application/json' }
        const result = await yoga.fetch('http://platform/graphql', { method: 'POST', headers, body })
        response.writeHead(result.status, { 'content-type': 'application/json' }).end(await result.text())
      }
      answer().catch(() => response.destroy())
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`,
    schemas,
    readings,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}

async function open(stitching: NonNullable<GatewayOptions['stitching']> = {}) {
  const stack = new AsyncDisposableStack()
  const platform = stack.use(await startPlatform())
  const { path } = stack.use(await createTempDir())
  const directory = join(path, 'schemas')
  const start = (): Promise<Gateway> =>
    startGateway({
      platformUrl: platform.url,
      principalOf: (token) => testPrincipal({ workspaceId: token }),
      stitching: { ...stitching, directory },
    })
  return { platform, directory, start, [Symbol.asyncDispose]: () => stack.disposeAsync() }
}

const query = '{ lead { id insight { summary } } }'
const answered = { data: { lead: { id: '1', insight: { summary: 'Summary' } } } }
const files = async (directory: string): Promise<string[]> =>
  (await readdir(directory).catch(() => [])).filter((name) => !name.endsWith('.new'))

/** Asks until the workspace's schema is on disk; the path of its file. */
async function storedBy(gateway: Gateway, directory: string, token: string): Promise<string> {
  const before = new Set(await files(directory))
  expect(await gateway.ask(query, { token })).toEqual(answered)
  const name = await waitFor(async () => (await files(directory)).find((one) => !before.has(one)))
  return join(directory, name)
}

describe('the schemas of workspaces on disk', () => {
  test('a schema that is not in memory any more comes from its file, without an introspection', async () => {
    await using house = await open({ maxSchemas: 1 })
    await using gateway = await house.start()
    house.platform.schemas.set('b', 'type OnlyB { id: ID }')
    await storedBy(gateway, house.directory, 'a')
    await storedBy(gateway, house.directory, 'b')
    expect(await gateway.ask(query, { token: 'a' })).toEqual(answered)
    expect(await gateway.ask(query, { token: 'b' })).toEqual(answered)
    expect(house.platform.readings).toEqual(['a', 'b'])
  })

  test('a workspace gets nothing of the file of another one', async () => {
    await using house = await open()
    await using gateway = await house.start()
    house.platform.schemas.set('a', 'extend type Lead { grown: String } type SecretOfA { id: ID }')
    await storedBy(gateway, house.directory, 'a')
    const types = '{ __schema { types { name } } }'
    expect(JSON.stringify(await gateway.ask(types, { token: 'b' }))).not.toContain('SecretOfA')
    const refused = await gateway.ask('{ lead { grown insight { summary } } }', { token: 'b' })
    expect(refused.errors).toMatchObject([{ extensions: { code: 'BAD_USER_INPUT' } }])
    expect(house.platform.readings).toEqual(['a', 'b'])
  })

  test('workspaces with the same schema share one in memory, and each has a file', async () => {
    await using house = await open()
    await using gateway = await house.start()
    for (const token of ['a', 'b', 'c']) await storedBy(gateway, house.directory, token)
    expect(await files(house.directory)).toHaveLength(3)
    expect([...gateway.graphql.schemas.figures().values()].map(({ schemas }) => schemas)).toEqual([1])
  })

  test('only the owner can read the files', async () => {
    await using house = await open()
    await using gateway = await house.start()
    const file = await storedBy(gateway, house.directory, 'a')
    const modes = [(await stat(house.directory)).mode & 0o777, (await stat(file)).mode & 0o777]
    expect(modes).toEqual([0o700, 0o600])
  })

  test('after a restart the first query needs no introspection, and the schema is read again in the background', async () => {
    await using house = await open({ refreshMs: 1, rereadMs: 1 })
    await using first = await house.start()
    await storedBy(first, house.directory, 'a')
    await first[Symbol.asyncDispose]()
    house.platform.schemas.set('a', 'extend type Lead { grown: String }')
    await using second = await house.start()
    expect(await second.ask(query, { token: 'a' })).toEqual(answered)
    await waitFor(() => house.platform.readings.length > 1)
    await waitFor(async () => {
      const { data } = await second.ask('{ lead { grown insight { summary } } }', { token: 'a' })
      return data?.['lead'] !== undefined
    })
  })

  test.each([
    ['damaged', (content: Buffer) => Buffer.concat([content.subarray(0, content.length - 9), Buffer.from('123456789')])],
    ['cut off', (content: Buffer) => content.subarray(0, content.length / 2)],
    ['empty', () => Buffer.alloc(0)],
    ['of another version', (content: Buffer) => Buffer.from(content.toString('latin1').replace('schema-1', 'schema-0'), 'latin1')],
    ['of another schema', (content: Buffer) => Buffer.from(content.toString('latin1').replace(/ [\w-]+\n/, ' AAAA\n'), 'latin1')],
  ])('a file that is %s is ignored and written again', async (_, spoil) => {
    await using house = await open()
    await using first = await house.start()
    const file = await storedBy(first, house.directory, 'a')
    await first[Symbol.asyncDispose]()
    const whole = await readFile(file)
    await writeFile(file, spoil(whole))
    await using second = await house.start()
    expect(await second.ask(query, { token: 'a' })).toEqual(answered)
    expect(house.platform.readings).toEqual(['a', 'a'])
    await waitFor(async () => (await readFile(file)).equals(whole))
  })

  test('a file that is older than a day is not used', async () => {
    await using house = await open()
    await using first = await house.start()
    const file = await storedBy(first, house.directory, 'a')
    await first[Symbol.asyncDispose]()
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(file, twoDaysAgo, twoDaysAgo)
    await using second = await house.start()
    expect(await second.ask(query, { token: 'a' })).toEqual(answered)
    expect(house.platform.readings).toEqual(['a', 'a'])
  })

  test('a changed data model removes the file', async () => {
    await using house = await open({ maxSchemas: 1 })
    await using gateway = await house.start()
    await storedBy(gateway, house.directory, 'a')
    house.platform.schemas.set('a', 'extend type Lead { grown: String }')
    gateway.graphql.schemas.modelChanged({ workspaceId: 'a', accessToken: 'a', requestId: 'test' })
    await waitFor(() => house.platform.readings.length === 2)
    expect(await gateway.ask('{ lead { grown insight { summary } } }', { token: 'a' })).toMatchObject({
      data: { lead: { grown: 'grown' } },
    })
  })

  test('at most 1,000 files are stored: the oldest is removed', async () => {
    await using house = await open()
    await using gateway = await house.start()
    await mkdir(house.directory, { mode: 0o700 })
    await Promise.all(
      Array.from({ length: 1_000 }, async (_, index) => {
        const file = join(house.directory, `file${index}`)
        await writeFile(file, '')
        const at = (Date.now() - 3_600_000) / 1_000 + index
        await utimes(file, at, at)
      }),
    )
    await storedBy(gateway, house.directory, 'a')
    await waitFor(async () => (await files(house.directory)).length === 1_000)
    expect(await files(house.directory)).not.toContain('file0')
  })

  test('the file of a workspace that left is removed when it is too old to be used', async () => {
    await using house = await open()
    await using gateway = await house.start()
    await mkdir(house.directory, { mode: 0o700 })
    await writeFile(join(house.directory, 'left'), '')
    const twoDaysAgo = new Date(Date.now() - 2 * 86_400_000)
    await utimes(join(house.directory, 'left'), twoDaysAgo, twoDaysAgo)
    await storedBy(gateway, house.directory, 'a')
    await waitFor(async () => (await files(house.directory)).length === 1)
    expect(await files(house.directory)).not.toContain('left')
  })

  test('a reading has the time of its own content, also if it is replaced meanwhile', async () => {
    await using directory = await createTempDir()
    const schemas = createSchemaFiles(directory.path)
    const times = new Map<string, number>()
    const found: { readonly hash: string; readonly readAt: number }[] = []
    const isDone = { now: false }
    const reader = async (): Promise<void> => {
      while (!isDone.now) {
        const { hash, readAt } = (await schemas.read('a')) ?? {}
        if (hash !== undefined && readAt !== undefined) found.push({ hash, readAt })
      }
    }
    const readers = Array.from({ length: 8 }, reader)
    for (let round = 0; round < 200; round += 1) {
      const texts = { records: `{"round":${round}}`, metadata: '{}' }
      const hash = hashOfTexts(texts)
      schemas.write('a', { hash, texts })
      await waitFor(async () => {
        const [name] = await files(directory.path)
        const content = name === undefined ? '' : (await readFile(join(directory.path, name))).toString('latin1')
        return content.includes(hash)
      })
      const [name = ''] = await files(directory.path)
      times.set(hash, (await stat(join(directory.path, name))).mtimeMs)
    }
    isDone.now = true
    await Promise.all(readers)
    expect(found.filter(({ hash, readAt }) => times.get(hash) !== readAt)).toEqual([])
  })

  test('schemas that wait to be written are bounded, and the last one of a workspace counts', async () => {
    await using directory = await createTempDir()
    const schemas = createSchemaFiles(directory.path)
    const write = (workspaceId: string, round: number): string => {
      const texts = { records: `{"round":${round}}`, metadata: '{}' }
      schemas.write(workspaceId, { hash: hashOfTexts(texts), texts })
      return hashOfTexts(texts)
    }
    for (let index = 0; index < 30; index += 1) write(`workspace${index}`, index)
    write('workspace3', 100)
    const last = write('workspace3', 101)
    await waitFor(async () => (await schemas.read('workspace3'))?.hash === last)
    write('a', 1)
    await waitFor(async () => (await schemas.read('a')) !== null)
    expect(await files(directory.path)).toHaveLength(22)
  })

  test('a folder that cannot be written is no failure', async () => {
    await using house = await open()
    await writeFile(house.directory, 'not a folder')
    await using gateway = await house.start()
    expect(await gateway.ask(query, { token: 'a' })).toEqual(answered)
  })
})
