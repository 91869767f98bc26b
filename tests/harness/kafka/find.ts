import { findOnPath } from '../system.ts'
import { kafkaJars } from './jars.ts'
import type { KafkaPrograms } from './server.ts'

/** The programs to start a Kafka; null if they cannot be found. */
export async function findKafka(): Promise<KafkaPrograms | null> {
  const java = await findOnPath(['java'])
  const jars = java === null ? null : await kafkaJars(await findOnPath(['mvn']))
  return java === null || jars === null ? null : { java, jars }
}
