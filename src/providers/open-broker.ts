import type { EventBus } from '../ports/event-bus.ts'
import { createOutboxBus } from './broker/outbox-bus.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { withTraceparents } from './broker/traced-outbox.ts'
import { createSqliteOutbox } from './broker/sqlite-outbox.ts'
import type { KafkaAccess } from './broker/kafka/client.ts'
import type { RedisConnection } from './redis/connection.ts'

/** The durable queue and the bus on it. Closing the bus closes the queue. */
type Broker = { readonly outbox: Outbox; readonly bus: EventBus }

type BrokerSettings = {
  /** `service` sends events and leaves them to others, `consumer` only consumes. */
  readonly role: 'all' | 'service' | 'consumer'
  readonly dataDir: string
  readonly kafka: (KafkaAccess & { readonly partitions: number }) | null
}

/**
 * Kafka if brokers are configured, else consumers in this process, or in the processes that share the queue on Redis. Throws StartError if the role needs a shared queue and there is none.
 */
export async function openBroker(
  { role, dataDir, kafka }: BrokerSettings,
  { clock, log, redis }: { readonly clock: Clock; readonly log: Log; readonly redis: RedisConnection | null },
): Promise<Broker> {
  const shared = redis !== null && (await isDurable(redis, log)) ? redis : null
  if (role !== 'all' && kafka === null && shared === null) {
    const needed = 'Set KAFKA_BROKERS, or REDIS_URL with a Redis that runs with "appendonly yes" and "appendfsync always".'
    throw new StartError(`--role=${role} needs a queue that several processes share. ${needed}`)
  }
  const outbox = withTraceparents(shared === null ? createSqliteOutbox({ dataDir, clock }) : await openRedisOutbox(shared, clock))
  const consumes = role !== 'service'
  if (kafka === null) return { outbox, bus: createOutboxBus({ outbox, log, clock, consumes }) }
  const storesDeadLetters = role !== 'consumer'
  const { createKafkaBus } = await import('./broker/kafka/kafka-bus.ts')
  return { outbox, bus: createKafkaBus({ access: kafka, partitions: kafka.partitions, outbox, clock, log, consumes, storesDeadLetters }) }
}

async function openRedisOutbox(connection: RedisConnection, clock: Clock): Promise<Outbox> {
  const { createRedisOutbox } = await import('./broker/redis-outbox.ts')
  return createRedisOutbox({ connection, clock })
}

/** A Redis that may lose acknowledged writes would lose events; then each instance stores its own events on its own disk. */
async function isDurable(redis: RedisConnection, log: Log): Promise<boolean> {
  const { durabilityOf } = await import('./redis/durability.ts')
  const durability = await durabilityOf(redis)
  if (durability === 'ALWAYS') return true
  log.warn({ durability, required: 'appendonly yes, appendfsync always' }, 'redis.not-durable')
  return false
}
