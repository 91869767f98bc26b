import { findKafka } from '../harness/kafka/find.ts'
import { findOnPath } from '../harness/system.ts'
import { proveBrokerAway } from './events/broker-away.ts'
import { proveKilledConsumers } from './events/killed-consumers.ts'
import { proveInsightRate } from './events/insight-rate.ts'
import { proveFailingEvents } from './events/failing-events.ts'
import { type Figure, proveParts } from './stage/report.ts'

const kafka = await findKafka()
const redis = await findOnPath(['redis-server', 'valkey-server'])
if (kafka === null || redis === null) throw new Error('prove:events needs java (17 or later), mvn and redis-server on PATH')
const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  insights: () => proveInsightRate(),
  failing: () => proveFailingEvents(kafka),
  broker: () => proveBrokerAway(kafka),
  consumers: () => proveKilledConsumers(kafka, redis),
}
await proveParts('Events, against a real Apache Kafka 4.0.0', parts)
