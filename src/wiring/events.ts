import type { EventBus } from '../events/bus.ts'
import { createListDeadLetters } from '../events/list-dead-letters.ts'
import { createOutboxBus } from '../events/outbox-bus.ts'
import type { Outbox } from '../events/outbox.ts'
import { createReplayDeadLetters } from '../events/replay-dead-letters.ts'
import { createEventResolvers } from '../events/resolvers.ts'
import { createReadInsights } from '../insights/read-insights.ts'
import { createInsightResolvers } from '../insights/resolvers.ts'
import type { Audit } from '../kernel/audit.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import type { Store } from '../kernel/store.ts'
import { createKafkaBus } from '../providers/broker/kafka/kafka-bus.ts'
import { createSqliteOutbox } from '../providers/broker/sqlite-outbox.ts'
import type { Resolvers } from '../server/graphql/generated.ts'
import type { Settings } from '../settings.ts'

export type EventParts = { readonly outbox: Outbox; readonly bus: EventBus }

/** The durable queue and the bus on it: to Kafka where brokers are named, else in process. */
export function openEvents({ role, dataDir, kafka }: Settings, { clock, log }: { clock: Clock; log: Log }): EventParts {
  if (role !== 'all' && kafka === null) {
    throw new StartError(`--role=${role} takes events from elsewhere, or leaves them to others: it needs KAFKA_BROKERS.`)
  }
  const outbox = createSqliteOutbox({ dataDir, clock })
  const consumes = role !== 'service'
  if (kafka === null) return { outbox, bus: createOutboxBus({ outbox, log, clock, consumes }) }
  const keepsLetters = role !== 'consumer'
  return { outbox, bus: createKafkaBus({ access: kafka, partitions: kafka.partitions, outbox, clock, log, consumes, keepsLetters }) }
}

/** What people see of events: those that were given up, and what was made of them. */
export function eventResolvers({ bus, audit, store }: { bus: EventBus; audit: Audit; store: Store }): readonly Resolvers[] {
  return [
    createInsightResolvers({ readInsights: createReadInsights(store) }),
    createEventResolvers({ listDeadLetters: createListDeadLetters(bus.dead), replayDeadLetters: createReplayDeadLetters({ bus, audit }) }),
  ]
}
