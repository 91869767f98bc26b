import { Registry } from 'prom-client'
import type { Resolve } from '../kernel/address-guard.ts'
import { type Breakers, createBreakers } from '../kernel/breakers.ts'
import { type Clock, systemClock } from '../kernel/clock.ts'
import { createLog, type Log } from '../kernel/log.ts'
import { createSecretBox, deriveKey, type SecretBox } from '../kernel/secrets.ts'
import { createWithFallback } from '../kernel/with-fallback.ts'
import { createFigures } from '../ports/figures.ts'
import type { Ports } from '../ports/ports.ts'
import { openBroker } from '../providers/open-broker.ts'
import { openStores } from '../providers/open-stores.ts'
import { type RegisteredProvider, telephonyProviders } from '../providers/telephony/registry.ts'
import { createStoreAudit } from '../providers/store/audit.ts'
import { openSecretsKey } from '../providers/store/secrets-key.ts'
import type { ConsoleDemo } from '../server/console/handler.ts'
import type { StartSchemaThread } from '../server/graphql/stitching/schema-worker.ts'
import type { GatewayPlugin } from '../server/graphql/yoga.ts'
import type { Settings } from '../settings/settings.ts'
import { retentionOf } from './stored-values.ts'

/** What a test, or the sandbox, may replace. */
export type Overrides = {
  /** The workspace whose widget `/widget/demo` shows, who signs in to GraphiQL by one click, and test calls; without it there are none. */
  readonly demo?: { readonly workspace: string } & ConsoleDemo
  readonly clock?: Clock
  readonly log?: Log
  /** How the hosts of addresses that people enter are resolved. */
  readonly resolveHost?: Resolve
  /** Further plugins of the Yoga server: they see every operation on the local schema. */
  readonly yogaPlugins?: readonly GatewayPlugin[]
  /** Default: a thread of its own; all providers that are registered. */
  readonly startSchemaThread?: StartSchemaThread
  readonly telephonyProviders?: readonly RegisteredProvider[]
}

type StoredPorts = 'store' | 'notifications' | 'documents' | 'audit' | 'transcriptIndex'
type SharedPorts = StoredPorts | 'figures' | 'log' | 'clock' | 'bus' | 'outbox' | 'withFallback'

/** The ports that need no configuration, and the keys that all of them share. */
export type Infrastructure = Pick<Ports, SharedPorts> & {
  readonly resolveHost: Resolve | undefined
  readonly metrics: Registry
  readonly breakers: Breakers
  readonly telephonyProviders: readonly RegisteredProvider[]
  /** A separate key for each purpose, 32 bytes. */
  readonly keyFor: (purpose: string) => Uint8Array
  /** A separate box for each purpose. */
  readonly boxFor: (purpose: string) => SecretBox
}

/** Opens what instances share: in the data directory, or on Redis if several instances work together. The stack closes it. */
export async function openInfrastructure(settings: Settings, overrides: Overrides, stack: AsyncDisposableStack): Promise<Infrastructure> {
  const { log = createLog(settings.logLevel), clock = systemClock, resolveHost } = overrides
  if (settings.tracing) {
    const { openTracing } = await import('../providers/tracing/open-tracing.ts')
    stack.use(openTracing(settings.tracing, { platformUrl: settings.platform.url, log }))
  }
  const breakers = createBreakers(log)
  const { redis, ...stores } = await openStores(settings, { log, clock, retentionOf, stack }, breakers)
  const { outbox, bus } = await openBroker(settings, { clock, log, redis })
  stack.defer(() => bus.close())
  const key = await openSecretsKey({ ...settings, documents: stores.documents, log })
  const keyFor = (purpose: string): Uint8Array => deriveKey(key, purpose)
  return {
    ...stores,
    log,
    clock,
    figures: createFigures(),
    resolveHost,
    bus,
    outbox,
    // One for all: a store that hangs delays one request, not each of them.
    withFallback: createWithFallback({ patienceMs: 100, pauseMs: 1_000 }),
    audit: createStoreAudit({ store: stores.store, clock }),
    metrics: new Registry(),
    breakers,
    telephonyProviders: overrides.telephonyProviders ?? telephonyProviders,
    keyFor,
    boxFor: (purpose) => createSecretBox(keyFor(purpose)),
  }
}
