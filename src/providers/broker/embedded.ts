import type { EventBus } from '../../events/bus.ts'
import { createOutboxBus } from '../../events/outbox-bus.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createSqliteOutbox } from './sqlite-outbox.ts'

export type EmbeddedBusOptions = {
  /** Owned by this process (main claims it). */
  readonly dataDir: string
  readonly clock: Clock
  readonly log: Log
  /** Events waiting at most; default 100,000. */
  readonly maxEvents?: number
}

/** The bus of an installation without a broker: kept in `outbox.sqlite`, delivered in this process. */
export function createEmbeddedBus({ log, ...outbox }: EmbeddedBusOptions): EventBus {
  return createOutboxBus({ outbox: createSqliteOutbox(outbox), log })
}
