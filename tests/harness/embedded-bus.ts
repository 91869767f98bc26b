import type { EventBus } from '../../src/ports/event-bus.ts'
import { createOutboxBus } from '../../src/providers/broker/outbox-bus.ts'
import type { Log } from '../../src/kernel/log.ts'
import { createSqliteOutbox, type SqliteOutboxOptions } from '../../src/providers/broker/sqlite-outbox.ts'

/** The bus of an installation without a broker. */
export function createEmbeddedBus({ log, ...outbox }: SqliteOutboxOptions & { readonly log: Log }): EventBus {
  return createOutboxBus({ outbox: createSqliteOutbox(outbox), log, clock: outbox.clock })
}
