import { findOnPath } from '../system.ts'
import { kafkaJars } from './jars.ts'
import type { KafkaPrograms } from './server.ts'

/** What it takes to start a Kafka here; null where it is not to be had. */
export async function findKafka(): Promise<KafkaPrograms | null> {
  const java = await findOnPath(['java'])
  const jars = java === null ? null : await kafkaJars(await findOnPath(['mvn']))
  return java === null || jars === null ? null : { java, jars }
}
