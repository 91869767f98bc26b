import { createOutboxBus } from '../providers/broker/outbox-bus.ts'
import type { Outbox } from '../ports/outbox.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Log } from '../kernel/log.ts'
import type { Ports } from '../ports/ports.ts'
import { StartError } from '../kernel/start-error.ts'
import { createSqliteOutbox } from '../providers/broker/sqlite-outbox.ts'
import type { RedisConnection } from '../providers/redis/connection.ts'
import type { Settings } from '../settings/settings.ts'

/**
 * The durable queue and the bus on it: Kafka if brokers are configured, else consumers in this process, or in the processes that share the
 * queue on Redis. Throws StartError if the role needs a shared queue and there is none.
 */
export async function openEvents(
  { role, dataDir, kafka }: Settings,
  { clock, log }: Pick<Ports, 'clock' | 'log'>,
  redis: RedisConnection | null,
): Promise<Pick<Ports, 'outbox' | 'bus'>> {
  const shared = redis !== null && (await isDurable(redis, log)) ? redis : null
  if (role !== 'all' && kafka === null && shared === null) {
    const needed = 'Set KAFKA_BROKERS, or REDIS_URL with a Redis that runs with "appendonly yes" and "appendfsync always".'
    throw new StartError(`--role=${role} needs a queue that several processes share. ${needed}`)
  }
  const outbox = shared === null ? createSqliteOutbox({ dataDir, clock }) : await openRedisOutbox(shared, clock)
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

/** A Redis that may lose acknowledged writes would lose events; then each instance stores its own events on its own disk. */
async function isDurable(redis: RedisConnection, log: Log): Promise<boolean> {
  const { durabilityOf } = await import('../providers/redis/durability.ts')
  const durability = await durabilityOf(redis)
  if (durability === 'ALWAYS') return true
  log.warn(
    { durability, required: 'appendonly yes, appendfsync always' },
    'Redis may lose acknowledged writes, so each instance stores its events in its own DATA_DIR',
  )
  return false
}
