import type { EventBus } from '../ports/event-bus.ts'
import type { DeadLettersOf } from '../ports/dead-letters.ts'
import { createListDeadLetters } from '../features/events/list-dead-letters.ts'
import { createOutboxBus } from '../providers/broker/outbox-bus.ts'
import type { Outbox } from '../ports/outbox.ts'
import { createReplayDeadLetters } from '../features/events/replay-dead-letters.ts'
import { createEventResolvers } from '../features/events/resolvers.ts'
import type { ReadInsights } from '../features/insights/read-insights.ts'
import { createInsightResolvers } from '../features/insights/resolvers.ts'
import type { Audit } from '../ports/audit.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { createSqliteOutbox } from '../providers/broker/sqlite-outbox.ts'
import type { RedisConnection } from '../providers/redis/connection.ts'
import type { Resolvers } from '../generated.ts'
import type { Settings } from '../settings/settings.ts'

export type EventParts = { readonly outbox: Outbox; readonly bus: EventBus }

type EventOptions = { readonly clock: Clock; readonly log: Log; readonly redis: RedisConnection | null }

/** The durable queue and the bus on it: to Kafka where brokers are named, else in process, or in the processes that share the queue. */
export async function openEvents({ role, dataDir, kafka }: Settings, { clock, log, redis }: EventOptions): Promise<EventParts> {
  const sharing = redis !== null && (await mayKeepEvents(redis, log)) ? redis : null
  if (role !== 'all' && kafka === null && sharing === null) {
    const needed = 'it needs KAFKA_BROKERS, or a REDIS_URL whose Redis runs with "appendonly yes" and "appendfsync always".'
    throw new StartError(`--role=${role} takes events from elsewhere, or leaves them to others: ${needed}`)
  }
  const outbox = sharing === null ? createSqliteOutbox({ dataDir, clock }) : await openRedisOutbox(sharing, clock)
  const consumes = role !== 'service'
  if (kafka === null) return { outbox, bus: createOutboxBus({ outbox, log, clock, consumes }) }
  const storesDeadLetters = role !== 'consumer'
  const { createKafkaBus } = await import('../providers/broker/kafka/kafka-bus.ts')
  return { outbox, bus: createKafkaBus({ access: kafka, partitions: kafka.partitions, outbox, clock, log, consumes, storesDeadLetters }) }
}

async function openRedisOutbox(connection: RedisConnection, clock: Clock): Promise<Outbox> {
  const { createRedisOutbox } = await import('../providers/broker/redis-outbox.ts')
  return createRedisOutbox({ connection, clock })
}

/** A Redis that may forget what it answered to loses events: then each instance keeps its own, on its own disk. */
async function mayKeepEvents(redis: RedisConnection, log: Log): Promise<boolean> {
  const { durabilityOf } = await import('../providers/redis/durability.ts')
  const durability = await durabilityOf(redis)
  if (durability === 'ALWAYS') return true
  const wanted = 'appendonly yes, appendfsync always'
  log.warn({ durability, wanted }, 'Redis may forget what it has answered to: events are kept in DATA_DIR, by each instance for itself')
  return false
}

type EventDeps = { readonly bus: EventBus; readonly audit: Audit; readonly readInsights: ReadInsights }

/** What people see of events: those that were given up, and what was made of them. */
export function eventResolvers({ workspaces }: Settings, { bus, audit, readInsights }: EventDeps): readonly Resolvers[] {
  const deadLettersOf: DeadLettersOf = (workspaceId) => (workspaces.length === 1 ? [workspaceId, null] : [workspaceId])
  return [
    createInsightResolvers({ readInsights }),
    createEventResolvers({
      listDeadLetters: createListDeadLetters(bus.dead, deadLettersOf),
      replayDeadLetters: createReplayDeadLetters({ bus, audit, deadLettersOf }),
    }),
  ]
}
