import type { EventBus } from '../../../src/ports/event-bus.ts'
import { systemClock } from '../../../src/kernel/clock.ts'
import { newId } from '../../../src/kernel/ids.ts'
import { createLog } from '../../../src/kernel/log.ts'
import type { KafkaAccess } from '../../../src/providers/broker/kafka/client.ts'
import { createKafkaBus, type KafkaBusOptions } from '../../../src/providers/broker/kafka/kafka-bus.ts'
import { createSqliteOutbox } from '../../../src/providers/broker/sqlite-outbox.ts'

/** A bus on a real Kafka, with a new consumer group by default. */
export function openKafkaBus(
  {
    dataDir,
    broker,
    group = `test-${newId()}`,
    access,
  }: { dataDir: string; broker: string; group?: string; access?: Partial<KafkaAccess> },
  options: Partial<KafkaBusOptions> = {},
): { readonly bus: EventBus; readonly group: string } & AsyncDisposable {
  const outbox = options.outbox ?? createSqliteOutbox({ dataDir, clock: systemClock })
  const bus = createKafkaBus({
    access: { brokers: [broker], group, sasl: null, tls: null, ...access },
    partitions: 6,
    outbox,
    clock: systemClock,
    log: createLog(process.env['TEST_LOG'] ?? 'silent'),
    ...options,
  })
  return { bus, group, [Symbol.asyncDispose]: () => bus.close() }
}
