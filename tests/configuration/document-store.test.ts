import { execFile } from 'node:child_process'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import type { DocumentStore } from '../../src/ports/documents.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createFileDocuments } from '../../src/providers/store/file-documents.ts'
import { createRedisDocuments } from '../../src/providers/store/redis-documents.ts'
import { documentStoreContract } from '../contracts/documents.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { waitFor } from '../harness/wait-for.ts'

const log = createLog('silent')

async function openFiles(): Promise<{ documents: DocumentStore; folder: string; dataDir: string }> {
  const directory = await createTempDir()
  const documents = await createFileDocuments({ dataDir: directory.path, log })
  onTestFinished(async () => {
    await documents.close()
    await directory[Symbol.asyncDispose]()
  })
  return { documents, folder: join(directory.path, 'configuration'), dataDir: directory.path }
}

describe('documents in files', () => {
  documentStoreContract(async () => {
    const directory = await createTempDir()
    const documents = await createFileDocuments({ dataDir: directory.path, log })
    return {
      documents,
      other: documents,
      async [Symbol.asyncDispose]() {
        await documents.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })

  test('are readable only by their owner', async () => {
    const { documents, folder } = await openFiles()
    await documents.replace('w1/theme', { expected: null, text: '{}' })
    expect((await stat(join(folder, 'w1', 'theme.json'))).mode & 0o777).toBe(0o600)
    expect((await stat(join(folder, 'w1'))).mode & 0o777).toBe(0o700)
  })

  test('are never outside their folder, whatever the name', async () => {
    const { documents } = await openFiles()
    for (const name of ['../outside', 'w1/../../outside', '/etc/passwd', 'w1/theme.json', 'a/b/c', '']) {
      await expect(documents.read(name)).rejects.toThrow('is not a document name')
      await expect(documents.replace(name, { expected: null, text: 'x' })).rejects.toThrow('is not a document name')
    }
  })

  test('partial files of a killed process are removed, documents are not', async () => {
    const { documents, folder, dataDir } = await openFiles()
    await documents.replace('w1/theme', { expected: null, text: 'whole' })
    await writeFile(join(folder, 'w1', `theme.json.${crypto.randomUUID()}.partial`), 'half')
    const reopened = await createFileDocuments({ dataDir, log })
    onTestFinished(() => reopened.close())
    expect(await readdir(join(folder, 'w1'))).toEqual(['theme.json'])
    expect(await reopened.read('w1/theme')).toBe('whole')
  })

  test('a folder that cannot be read or written is STORE_UNAVAILABLE', async () => {
    const { documents, folder } = await openFiles()
    await writeFile(join(folder, 'w1'), 'a file where a folder should be')
    await expect(documents.read('w1/theme')).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    await expect(documents.replace('w1/theme', { expected: null, text: 'new' })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  })

  test.skipIf(process.platform === 'win32')('a write that fails in the middle leaves the previous text', async () => {
    const { documents, folder, dataDir } = await openFiles()
    await documents.replace('w1/theme', { expected: null, text: 'old' })
    const program = `
      import { createFileDocuments } from './src/providers/store/file-documents.ts'
      import { createLog } from './src/kernel/log.ts'
      const documents = await createFileDocuments({ dataDir: process.argv[1], log: createLog('silent') })
      const change = { expected: 'old', text: 'x'.repeat(100_000) }
      console.log(await documents.replace('w1/theme', change).catch((error) => error.reason))`
    // 16 blocks of 512 or 1,024 bytes: the first part of the text still fits, as on a disk that is nearly full.
    const limited = `ulimit -f 16 && exec "$0" --input-type=module -e "$1" "$2"`
    const { stdout } = await promisify(execFile)('sh', ['-c', limited, process.execPath, program, dataDir])
    expect(stdout.trim()).toBe('STORE_UNAVAILABLE')
    expect(await documents.read('w1/theme')).toBe('old')
    expect(await readdir(join(folder, 'w1'))).toEqual(['theme.json'])
  })

  test('edits by hand are reported: in place, by replacing the file several times, in a new folder, by removing', async () => {
    const { documents, folder } = await openFiles()
    await documents.replace('w1/theme', { expected: null, text: 'first' })
    const reported: (string | null)[] = []
    documents.watch((name) => reported.push(name))
    const noticed = async (name: string, change: () => Promise<unknown>): Promise<void> => {
      reported.length = 0
      await change()
      await waitFor(() => reported.includes(name), { what: `the change of ${name}` })
    }
    const replaceByHand = async (text: string): Promise<void> => {
      await writeFile(join(folder, 'w1', 'theme.json~'), text)
      await rename(join(folder, 'w1', 'theme.json~'), join(folder, 'w1', 'theme.json'))
    }
    await noticed('w1/theme', () => writeFile(join(folder, 'w1', 'theme.json'), 'in place'))
    for (const text of ['replaced', 'replaced again', 'and again']) await noticed('w1/theme', () => replaceByHand(text))
    await noticed('w1/theme', () => writeFile(join(folder, 'w1', 'theme.json'), 'in place again'))
    await noticed('w2/theme', async () => {
      await mkdir(join(folder, 'w2'))
      await writeFile(join(folder, 'w2', 'theme.json'), 'new')
    })
    await noticed('w2/theme', () => rm(join(folder, 'w2', 'theme.json')))
    expect(await readFile(join(folder, 'w1', 'theme.json'), 'utf8')).toBe('in place again')
    await noticed('w2/widget', async () => {
      await rm(join(folder, 'w2'), { recursive: true })
      await mkdir(join(folder, 'w2'))
      await writeFile(join(folder, 'w2', 'widget.json'), 'in a recreated folder')
    })
  })
})

describe.skipIf((await realServer('redis')) === null)('documents in Redis', () => {
  documentStoreContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const [one, two] = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    return {
      documents: createRedisDocuments({ connection: one }),
      other: createRedisDocuments({ connection: two }),
      async [Symbol.asyncDispose]() {
        await one[Symbol.asyncDispose]()
        await two[Symbol.asyncDispose]()
      },
    }
  })
})
