import { Registry } from 'prom-client'
import type { EventBus } from '../ports/event-bus.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Resolve } from '../kernel/address-guard.ts'
import type { Audit } from '../ports/audit.ts'
import { type WithFallback, createWithFallback } from '../kernel/with-fallback.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import type { DocumentStore } from '../ports/documents.ts'
import { createLog, type Log } from '../kernel/log.ts'
import type { Notifications } from '../ports/notifications.ts'
import { createSecretBox, deriveKey, type SecretBox } from '../kernel/secrets.ts'
import type { Store } from '../ports/store.ts'
import { createInProcessNotifications } from '../providers/notifications/in-process.ts'
import type { RedisConnection } from '../providers/redis/connection.ts'
import { createStoreAudit } from '../providers/store/audit.ts'
import { createFileDocuments } from '../providers/store/file-documents.ts'
import { openSecretsKey } from '../providers/store/secrets-key.ts'
import { createSqliteStore } from '../providers/store/sqlite.ts'
import type { GatewayPlugin } from '../server/graphql/yoga.ts'
import type { Settings } from '../settings/settings.ts'
import { openEvents } from './events.ts'

/** What a test, or the sandbox, may put in the place of the real thing. */
export type Overrides = {
  /** The workspace whose widget `/widget/demo` shows; without it there is no such page. */
  readonly demoWorkspace?: string
  readonly clock?: Clock
  readonly log?: Log
  /** How the hosts of recordings are resolved. */
  readonly resolveHost?: Resolve
  /** Further plugins of the Yoga server: they see every operation on the local schema. */
  readonly yogaPlugins?: readonly GatewayPlugin[]
}

/** What everything else stands on. */
export type Infrastructure = {
  readonly log: Log
  readonly clock: Clock
  /** The system's where undefined. */
  readonly resolveHost: Resolve | undefined
  readonly store: Store
  readonly notifications: Notifications
  readonly documents: DocumentStore
  readonly audit: Audit
  readonly bus: EventBus
  /** The durable queue that the bus stands on; the bus closes it. */
  readonly outbox: Outbox
  /** For what can do without the store for a while; one for all, so that a store that hangs is waited for once. */
  readonly withFallback: WithFallback
  /** What `/metrics` shows. */
  readonly metrics: Registry
  /** A key of its own for each purpose, 32 bytes. */
  readonly keyFor: (purpose: string) => Uint8Array
  /** A box of its own for each purpose. */
  readonly boxFor: (purpose: string) => SecretBox
}

/** Opens what is shared: embedded in the data directory, or on Redis where several instances work together. */
export async function openInfrastructure(settings: Settings, overrides: Overrides, stack: AsyncDisposableStack): Promise<Infrastructure> {
  const { dataDir, secretsKey } = settings
  const log = overrides.log ?? createLog(settings.logLevel)
  const clock = overrides.clock ?? systemClock
  const { redis, ...shared } =
    settings.redisUrl === null ? await openEmbedded(dataDir, { log, clock }) : await openRedis(settings.redisUrl, { log, clock, stack })
  stack.defer(() => shared.store.close())
  stack.defer(() => shared.notifications.close())
  stack.defer(() => shared.documents.close())
  const { outbox, bus } = await openEvents(settings, { clock, log }, redis)
  stack.defer(() => bus.close())
  const key = await openSecretsKey({ documents: shared.documents, secretsKey, dataDir, log })
  const audit = createStoreAudit({ store: shared.store, clock })
  const keyFor = (purpose: string): Uint8Array => deriveKey(key, purpose)
  const withFallback = createWithFallback({ patienceMs: 100, pauseMs: 1_000 })
  return {
    ...shared,
    log,
    clock,
    resolveHost: overrides.resolveHost,
    bus,
    outbox,
    withFallback,
    audit,
    metrics: new Registry(),
    keyFor,
    boxFor: (purpose) => createSecretBox(keyFor(purpose)),
  }
}

type Shared = Pick<Infrastructure, 'store' | 'notifications' | 'documents'> & { readonly redis: RedisConnection | null }

async function openEmbedded(dataDir: string, { log, clock }: { log: Log; clock: Clock }): Promise<Shared> {
  const store = createSqliteStore({ dataDir, clock })
  return {
    redis: null,
    store,
    notifications: createInProcessNotifications({ log }),
    documents: await createFileDocuments({ dataDir, log }),
  }
}

/** Its modules are read here alone: a service without Redis does not hold them in memory. */
async function openRedis(url: string, { log, clock, stack }: { log: Log; clock: Clock; stack: AsyncDisposableStack }): Promise<Shared> {
  const [{ connectRedis }, { createRedisStore }, { connectRedisNotifications }, { createRedisDocuments }] = await Promise.all([
    import('../providers/redis/connection.ts'),
    import('../providers/store/redis.ts'),
    import('../providers/notifications/redis.ts'),
    import('../providers/store/redis-documents.ts'),
  ])
  const connection = stack.use(await connectRedis({ url, log }))
  return {
    redis: connection,
    store: createRedisStore({ connection, clock }),
    notifications: await connectRedisNotifications({ connection, log }),
    documents: createRedisDocuments({ connection }),
  }
}
