import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { chmod, mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { describe, expect, onTestFinished, test } from 'vitest'
import { claimDataDir } from '../../src/kernel/data-dir.ts'
import type { DocumentStore } from '../../src/ports/documents.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createFileDocuments } from '../../src/providers/store/file-documents.ts'
import { createRedisDocuments } from '../../src/providers/store/redis-documents.ts'
import { openSecretsKey, rotateSecretsKey } from '../../src/providers/store/secrets-key.ts'
import { startSandbox } from '../../src/sandbox/start.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { startApp } from '../harness/start-app.ts'

const run = promisify(execFile)
const log = createLog('silent')
const redis = await realServer('redis')
const newKey = (): string => randomBytes(32).toString('base64')

async function desk() {
  const directory = await createTempDir()
  const documents = await createFileDocuments({ dataDir: directory.path, log })
  onTestFinished(async () => {
    await documents.close()
    await directory[Symbol.asyncDispose]()
  })
  const open = (secretsKey: string | null = null, store: DocumentStore = documents) =>
    openSecretsKey({ documents: store, secretsKey, dataDir: directory.path, log })
  const rotate = (secretsKey: string | null, newSecretsKey: string | null, store: DocumentStore = documents) =>
    rotateSecretsKey({ documents: store, secretsKey, newSecretsKey, dataDir: directory.path, log })
  return { documents, dataDir: directory.path, keyFile: join(directory.path, 'secrets.key'), open, rotate }
}

describe('with a key file', () => {
  test('the first start creates it, readable only by its owner, with a warning; later starts use it', async () => {
    const { documents, dataDir, keyFile, open } = await desk()
    const lines: string[] = []
    const capturing = pino({}, { write: (line: string) => void lines.push(line) })
    const key = await openSecretsKey({ documents, secretsKey: null, dataDir, log: capturing })
    expect(key).toHaveLength(32)
    expect((await stat(keyFile)).mode & 0o777).toBe(0o600)
    expect(lines.join('')).toContain('Store a copy elsewhere')
    expect(lines.join('')).not.toContain((await readFile(keyFile, 'utf8')).trim())
    expect(await open()).toEqual(key)
  })

  test('a start with a missing, another or half a key says what to do and creates no new one', async () => {
    const { keyFile, open } = await desk()
    await open()
    const right = await readFile(keyFile, 'utf8')
    await rm(keyFile)
    await expect(open()).rejects.toThrow(/secrets key is missing: bring .*secrets\.key back/)
    await writeFile(keyFile, newKey())
    await expect(open()).rejects.toThrow(/secrets\.key is not the key with which the stored secrets are sealed/)
    await writeFile(keyFile, right.slice(0, 10))
    await expect(open()).rejects.toThrow('must hold 32 bytes in base64')
    await writeFile(keyFile, right)
    expect(await open()).toHaveLength(32)
  })

  test('warns if others may read it', async () => {
    const { documents, dataDir, keyFile, open } = await desk()
    await open()
    await chmod(keyFile, 0o644)
    const lines: string[] = []
    await openSecretsKey({ documents, secretsKey: null, dataDir, log: pino({}, { write: (line: string) => void lines.push(line) }) })
    expect(lines.join('')).toContain('secrets-key.readable-by-others')
  })

  test('rotation creates another key, and no sealed value is lost', async () => {
    const { keyFile, open, rotate } = await desk()
    const key = await open()
    const before = await readFile(keyFile, 'utf8')
    expect(await rotate(null, null)).toBe(keyFile)
    expect(await readFile(keyFile, 'utf8')).not.toBe(before)
    expect(await open()).toEqual(key)
    await writeFile(keyFile, before)
    await expect(open()).rejects.toThrow('is not the key')
  })

  test('rotation can be killed at any step and repeated', async () => {
    for (const failAt of [1, 2]) {
      const { documents, open, rotate } = await desk()
      const key = await open()
      let writes = 0
      const failing: DocumentStore = {
        ...documents,
        replace: async (name, change) => {
          writes += 1
          if (writes === failAt) throw new Error('killed')
          return documents.replace(name, change)
        },
      }
      await expect(rotate(null, null, failing)).rejects.toThrow('killed')
      expect(await open()).toEqual(key)
      await rotate(null, null)
      expect(await open()).toEqual(key)
    }
  })
})

test('a store that does not answer is named instead of a stack', async () => {
  const { documents, dataDir } = await desk()
  const away: DocumentStore = { ...documents, read: () => Promise.reject(new Error('away')) }
  await expect(openSecretsKey({ documents: away, secretsKey: newKey(), dataDir, log })).rejects.toThrow(
    /^The start needs .*keyring.*Redis does not answer/,
  )
})

test.each(['secrets.key', 'configuration/keyring.json'])(
  'a file that the system does not let it read is named, with the code: %s',
  async (name) => {
    const { dataDir, open } = await desk()
    await open()
    const file = join(dataDir, name)
    await rm(file)
    await mkdir(file)
    await expect(open()).rejects.toThrow(`${file} cannot be read (EISDIR)`)
  },
)

test('without a keyring there is nothing to rotate, and nothing is created', async () => {
  const { dataDir, keyFile, rotate } = await desk()
  await expect(rotate(null, null)).rejects.toThrow('There is nothing to rotate here: check DATA_DIR or REDIS_URL')
  await expect(rotate(null, newKey())).rejects.toThrow('There is nothing to rotate here')
  await expect(stat(keyFile)).rejects.toThrow('ENOENT')
  expect(await readdir(join(dataDir, 'configuration'))).toEqual([])
})

describe('with SECRETS_KEY', () => {
  test('creates no file; refuses another key with a clear message', async () => {
    const { keyFile, open } = await desk()
    const secretsKey = newKey()
    const key = await open(secretsKey)
    expect(await open(secretsKey)).toEqual(key)
    await expect(stat(keyFile)).rejects.toThrow('ENOENT')
    await expect(open(newKey())).rejects.toThrow('SECRETS_KEY is not the key with which the stored secrets are sealed')
    await expect(open()).rejects.toThrow('set SECRETS_KEY where that was used')
  })

  test('rotation changes from one key to another, and from a key file to a key', async () => {
    const { keyFile, open, rotate } = await desk()
    const key = await open()
    const [first, second] = [newKey(), newKey()]
    expect(await rotate(null, first)).toBe('SECRETS_KEY')
    await expect(stat(keyFile)).rejects.toThrow('ENOENT')
    expect(await open(first)).toEqual(key)
    await rotate(first, second)
    await expect(open(first)).rejects.toThrow('is not the key')
    expect(await open(second)).toEqual(key)
    await expect(rotate(first, newKey())).rejects.toThrow('is not the key')
  })

  test('rotation that was killed after any step is repeated with the same keys', async () => {
    const { documents, keyFile, open, rotate } = await desk()
    const key = await open()
    const [first, second] = [newKey(), newKey()]
    const dying: DocumentStore = {
      ...documents,
      replace: async (name, change) => {
        await documents.replace(name, change)
        throw new Error('killed')
      },
    }
    for (const [from, to] of [
      [null, first],
      [first, second],
    ] as const) {
      await expect(rotate(from, to, dying)).rejects.toThrow('killed')
      expect(await open(to)).toEqual(key)
      expect(await rotate(from, to)).toBe('SECRETS_KEY')
      expect(await rotate(from, to)).toBe('SECRETS_KEY')
      expect(await open(to)).toEqual(key)
      await expect(stat(keyFile)).rejects.toThrow('ENOENT')
    }
    await expect(rotate(first, newKey())).rejects.toThrow('is not the key')
  })

  test.skipIf(redis === null)('instances that start at the same time on an empty Redis all have the same key', async () => {
    const connection = await connectTestRedis({ prefix: `test:${crypto.randomUUID()}:` })
    onTestFinished(() => connection[Symbol.asyncDispose]())
    const { open } = await desk()
    const secretsKey = newKey()
    const keys = await Promise.all(Array.from({ length: 8 }, () => open(secretsKey, createRedisDocuments({ connection }))))
    expect(new Set(keys.map((key) => Buffer.from(key).toString('hex'))).size).toBe(1)
  })
})

test('the service does not start with a wrong key; after the command it starts with the new one', async () => {
  await using sandbox = await startSandbox({ dataDir: null })
  await using directory = await createTempDir()
  const environment = { ...sandbox.environmentOf('demo'), DATA_DIR: directory.path, PORT: '0' }
  const startOnce = async (more: Readonly<Record<string, string>> = {}): Promise<void> => {
    await using app = await startApp({ ...environment, ...more })
    expect((await fetch(`${app.url}/health`)).status).toBe(200)
  }
  const key = newKey()
  const command = (more: Readonly<Record<string, string>> = {}) =>
    run(process.execPath, ['src/commands/rotate-secrets-key.ts'], { env: { ...process.env, ...environment, ...more } })

  const missing = join(directory.path, 'missing')
  await expect(command({ DATA_DIR: missing })).rejects.toThrow(`There is no data directory ${missing}`)
  await expect(stat(missing)).rejects.toThrow('ENOENT')
  await startOnce()
  await expect(startOnce({ SECRETS_KEY: key })).rejects.toThrow('SECRETS_KEY is not the key')
  const claim = claimDataDir(directory.path)
  await expect(command({ NEW_SECRETS_KEY: key })).rejects.toThrow('Another process is using the data directory')
  claim[Symbol.dispose]()
  await expect(command({ NEW_SECRETS_KEY: 'short' })).rejects.toThrow('NEW_SECRETS_KEY must be 32 bytes in base64')
  expect((await command({ NEW_SECRETS_KEY: key })).stdout).toContain('Set SECRETS_KEY to the new key')
  await expect(startOnce()).rejects.toThrow('secrets key is missing')
  await expect(command({ SECRETS_KEY: key })).rejects.toThrow('the new key must be given: NEW_SECRETS_KEY')
  await startOnce({ SECRETS_KEY: key })
})
