import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, inject, test } from 'vitest'
import { createRedisTranscriptIndex } from '../../src/providers/transcripts/redis.ts'
import { createSqliteTranscriptIndex } from '../../src/providers/transcripts/sqlite.ts'
import { transcriptIndexContract } from '../contracts/transcript-index.ts'
import { createTestClock } from '../harness/clock.ts'
import { connectTestRedis } from '../harness/redis-connection.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const maxCalls = 20

describe('SQLite', () => {
  transcriptIndexContract(async () => {
    const directory = await createTempDir()
    const clock = createTestClock()
    const index = createSqliteTranscriptIndex({ dataDir: directory.path, clock, maxCalls })
    return {
      index,
      other: index,
      now: () => clock.now(),
      advance: (ms) => clock.advance(ms),
      stored: async () => {
        const files = ['transcripts.db', 'transcripts.db-wal'].map((name) => readFile(join(directory.path, name), 'latin1').catch(() => ''))
        return (await Promise.all(files)).join('')
      },
      [Symbol.asyncDispose]: async () => {
        await index.close()
        await directory[Symbol.asyncDispose]()
      },
    }
  })

  test('a file that is no index says what to do', async () => {
    await using directory = await createTempDir()
    await writeFile(join(directory.path, 'transcripts.db'), 'not a database, but long enough to be taken for one'.repeat(100))
    const open = () => createSqliteTranscriptIndex({ dataDir: directory.path, clock: createTestClock() })
    expect(open).toThrow('it is made again from the stored analyses')
  })
})

describe.skipIf(inject('redis') === null)('Redis', () => {
  transcriptIndexContract(async () => {
    const prefix = `test:${crypto.randomUUID()}:`
    const clock = createTestClock()
    const [one, two] = await Promise.all([connectTestRedis({ prefix }), connectTestRedis({ prefix })])
    return {
      index: createRedisTranscriptIndex({ connection: one, clock, maxCalls }),
      other: createRedisTranscriptIndex({ connection: two, clock, maxCalls }),
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
