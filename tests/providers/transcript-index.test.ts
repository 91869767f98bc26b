import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import type { TranscriptQuery } from '../../src/ports/transcript-index.ts'
import { createRedisTranscriptIndex } from '../../src/providers/transcripts/redis.ts'
import { createSqliteTranscriptIndex } from '../../src/providers/transcripts/sqlite.ts'
import { transcriptIndexContract } from '../contracts/transcript-index.ts'
import { createTestClock } from '../harness/clock.ts'
import { realServer } from '../harness/real-server.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { takeUncaughtErrors } from '../harness/uncaught-errors.ts'

const run = promisify(execFile)
const maxCalls = 20
const hello: TranscriptQuery = { phrases: [['hello']], facets: [], from: null, to: null, before: null, limit: 10 }
const earlierIndex = `
  CREATE TABLE calls (
    id INTEGER PRIMARY KEY, workspace TEXT NOT NULL, call TEXT NOT NULL, at INTEGER NOT NULL, expires_at INTEGER NOT NULL, UNIQUE (workspace, call)
  ) STRICT;
  CREATE VIRTUAL TABLE words USING fts5 (text, facets, tokenize = 'ascii');
  INSERT INTO calls VALUES (1, 'w', 'a', 1, 9000000000000);
  INSERT INTO words (rowid, text, facets) VALUES (1, 'hello', '');
  PRAGMA user_version = 1;
`

function recordedLog() {
  const lines: string[] = []
  return { lines, log: createLog('error', { write: (line) => void lines.push(line), onLost: () => {} }) }
}

describe('SQLite', () => {
  transcriptIndexContract(async () => {
    const directory = await createTempDir()
    const clock = createTestClock()
    const options = { dataDir: directory.path, clock, log: createLog('silent'), maxCalls }
    const index = await createSqliteTranscriptIndex(options)
    const hurried = await createSqliteTranscriptIndex({ ...options, deadlineMs: 0 })
    return {
      index,
      other: index,
      hurried,
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      stored: async () => {
        const files = ['transcripts.db', 'transcripts.db-wal'].map((name) => readFile(join(directory.path, name), 'latin1').catch(() => ''))
        return (await Promise.all(files)).join('')
      },
      [Symbol.asyncDispose]: async () => {
        await index.close()
        await hurried.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })

  test('a file that is no index says what to do', async () => {
    await using directory = await createTempDir()
    await writeFile(join(directory.path, 'transcripts.db'), 'not a database, but long enough to be taken for one'.repeat(100))
    const open = createSqliteTranscriptIndex({ dataDir: directory.path, clock: createTestClock(), log: createLog('silent') })
    await expect(open).rejects.toThrow('file is not a database. Delete')
    await expect(open).rejects.toThrow('it is made again from the stored analyses')
  })

  test('what waits for a thread that dies fails with an error that says to try again, and the next request has a new thread', async () => {
    await using directory = await createTempDir()
    const { lines, log } = recordedLog()
    const index = await createSqliteTranscriptIndex({ dataDir: directory.path, clock: createTestClock(), log, memoryMb: 24 })
    const call = { at: 1, expiresAt: Number.MAX_SAFE_INTEGER, facets: [] }
    await index.put('w', { ...call, callId: 'a', utterances: [['hello']] })
    const facets = Array.from({ length: 1_000_000 }, (_, number) => `more than its memory ${number}`)
    const [put, search] = [index.put('w', { ...call, callId: 'b', utterances: [], facets }), index.find('w', hello)]
    for (const lost of [put, search]) {
      await expect(lost).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE', retryable: true, data: { retryAfterSeconds: 5 } })
    }
    expect(await index.find('w', hello)).toEqual([{ callId: 'a', at: 1 }])
    expect(lines.join()).toContain('transcripts.thread-failed')
    await index.close()
    await expect(index.find('w', hello)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
    expect(takeUncaughtErrors()).toMatchObject([{ code: 'ERR_WORKER_OUT_OF_MEMORY' }])
  })

  test('an index of an earlier version is emptied and filled again', async () => {
    await using directory = await createTempDir()
    using earlier = new DatabaseSync(join(directory.path, 'transcripts.db'))
    earlier.exec(earlierIndex)
    const index = await createSqliteTranscriptIndex({ dataDir: directory.path, clock: createTestClock(), log: createLog('silent') })
    expect([await index.isFilled(), await index.find('w', hello)]).toEqual([false, []])
    await index.put('w', { callId: 'a', at: 1, expiresAt: Number.MAX_SAFE_INTEGER, facets: [], utterances: [['hello']] })
    expect(await index.find('w', hello)).toHaveLength(1)
    await index.close()
  })

  test('closes before the process ends, although an idle thread does not keep it alive', async () => {
    await using directory = await createTempDir()
    const sources = Object.entries({
      createSqliteTranscriptIndex: 'providers/transcripts/sqlite',
      systemClock: 'kernel/clock',
      createLog: 'kernel/log',
    })
    const imports = sources.map(([name, file]) => `import { ${name} } from ${JSON.stringify(resolve('src', `${file}.ts`))}`)
    const options = `{ dataDir: ${JSON.stringify(directory.path)}, clock: systemClock, log: createLog('silent') }`
    const steps = `const index = await createSqliteTranscriptIndex(${options})\nawait index.isFilled()\nawait index.close()\nconsole.log('closed')`
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', `${imports.join('\n')}\n${steps}`])
    expect(stdout).toBe('closed\n')
  })

  test('an index that an earlier version has written to meanwhile is emptied and filled again', async () => {
    await using directory = await createTempDir()
    const options = { dataDir: directory.path, clock: createTestClock(), log: createLog('silent') }
    const call = { callId: 'a', at: 1, expiresAt: Number.MAX_SAFE_INTEGER, facets: [], utterances: [['hello']] }
    const before = await createSqliteTranscriptIndex(options)
    await before.put('w', call)
    await before.markFilled()
    await before.close()
    using earlier = new DatabaseSync(join(directory.path, 'transcripts.db'))
    earlier.exec(`CREATE VIRTUAL TABLE words USING fts5 (text, facets, tokenize = 'ascii')`)
    const after = await createSqliteTranscriptIndex(options)
    expect([await after.isFilled(), await after.find('w', hello)]).toEqual([false, []])
    await after.put('w', call)
    expect(await after.find('w', hello)).toEqual([{ callId: 'a', at: 1 }])
    await after.close()
  })
})

describe.skipIf((await realServer('redis')) === null)('Redis', () => {
  transcriptIndexContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const clock = createTestClock()
    const [one, two] = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    return {
      index: createRedisTranscriptIndex({ connection: one, clock, maxCalls }),
      other: createRedisTranscriptIndex({ connection: two, clock, maxCalls, callsPerStep: 3 }),
      hurried: createRedisTranscriptIndex({ connection: two, clock, maxCalls, callsPerStep: 3, deadlineMs: 0 }),
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      stored: () => one.once(async (redis) => (await redis.keys(`${prefix}*`)).join('\n')),
      [Symbol.asyncDispose]: async () => {
        await one[Symbol.asyncDispose]()
        await two[Symbol.asyncDispose]()
      },
    }
  })
})
