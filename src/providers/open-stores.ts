import type { Breakers } from '../kernel/breakers.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Ports } from '../ports/ports.ts'
import { createInProcessNotifications } from './notifications/in-process.ts'
import type { RedisConnection } from './redis/connection.ts'
import { createFileDocuments } from './store/file-documents.ts'
import type { RetentionOf } from './store/lifetime.ts'
import { createSqliteStore } from './store/sqlite.ts'
import { createSqliteTranscriptIndex } from './transcripts/sqlite.ts'

/** What all instances share, and the connection to Redis if they share it there. */
type Stores = Pick<Ports, 'store' | 'notifications' | 'documents' | 'transcriptIndex'> & { readonly redis: RedisConnection | null }

type StoreSettings = { readonly dataDir: string; readonly redisUrl: string | null }
type StoreOptions = { readonly log: Log; readonly clock: Clock; readonly retentionOf: RetentionOf; readonly stack: AsyncDisposableStack }

/** Opens the store, the notifications and the documents: in the data directory, or on Redis if its URL is set. The stack closes them. */
export async function openStores({ dataDir, redisUrl }: StoreSettings, options: StoreOptions, breakers: Breakers): Promise<Stores> {
  const stores = redisUrl === null ? await openEmbedded(dataDir, options) : await openRedis(redisUrl, options, breakers)
  options.stack.defer(() => stores.store.close())
  options.stack.defer(() => stores.transcriptIndex.close())
  options.stack.defer(() => stores.notifications.close())
  options.stack.defer(() => stores.documents.close())
  return stores
}

async function openEmbedded(dataDir: string, { log, clock, retentionOf }: StoreOptions): Promise<Stores> {
  const store = createSqliteStore({ dataDir, clock, retentionOf })
  const notifications = createInProcessNotifications({ log })
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir, clock, log })
  return { redis: null, store, notifications, transcriptIndex, documents: await createFileDocuments({ dataDir, log }) }
}

/** Imports on demand: a service without Redis does not hold these modules in memory. */
async function openRedis(url: string, { log, clock, retentionOf, stack }: StoreOptions, breakers: Breakers): Promise<Stores> {
  const [connection, { createRedisStore }, { createRedisTranscriptIndex }, { connectRedisNotifications }, { createRedisDocuments }] =
    await Promise.all([
      import('./redis/connection.ts'),
      import('./store/redis.ts'),
      import('./transcripts/redis.ts'),
      import('./notifications/redis.ts'),
      import('./store/redis-documents.ts'),
    ])
  const { connectRedis, redisParty, redisRules } = connection
  const redis = stack.use(await connectRedis({ url, log }, breakers.add(redisParty, redisRules)))
  const store = createRedisStore({ connection: redis, clock, retentionOf })
  const notifications = await connectRedisNotifications({ connection: redis, log })
  const transcriptIndex = createRedisTranscriptIndex({ connection: redis, clock })
  return { redis, store, notifications, transcriptIndex, documents: createRedisDocuments({ connection: redis }) }
}
