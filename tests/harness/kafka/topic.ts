import { Kafka, logLevel, type KafkaMessage } from 'kafkajs'
import { newId } from '../../../src/kernel/ids.ts'
import { repairRequestQueue } from '../../../src/providers/broker/kafka/request-queue.ts'
import { waitFor } from '../wait-for.ts'

/** A topic as another program sees it, through a separate client. */
export type TopicView = AsyncDisposable & {
  /** All messages of the topic that fit, as soon as there are `atLeast`. */
  messages(fits: (message: KafkaMessage) => boolean, atLeast: number): Promise<readonly KafkaMessage[]>
  put(message: { key?: string | null; value: string | Buffer | null; headers?: Record<string, string> }): Promise<void>
}

export async function viewTopic(broker: string, topic: string): Promise<TopicView> {
  repairRequestQueue()
  const kafka = new Kafka({ brokers: [broker], clientId: 'test', logLevel: logLevel.NOTHING })
  const admin = kafka.admin()
  await admin.connect()
  await admin.createTopics({ topics: [{ topic, numPartitions: 6, replicationFactor: 1 }], waitForLeaders: true })
  const consumer = kafka.consumer({ groupId: `view-${newId()}`, maxWaitTimeInMs: 100 })
  const producer = kafka.producer()
  await Promise.all([consumer.connect(), producer.connect()])
  const seen: KafkaMessage[] = []
  await consumer.subscribe({ topics: [topic], fromBeginning: true })
  await consumer.run({ eachMessage: async ({ message }) => void seen.push(message) })
  return {
    async messages(fits, atLeast) {
      await waitFor(() => seen.filter(fits).length >= atLeast, { what: `${atLeast} messages in ${topic}` })
      return seen.filter(fits)
    },
    async put({ key = null, value, headers = {} }) {
      await producer.send({ topic, acks: -1, messages: [{ key, value, headers }] })
    },
    async [Symbol.asyncDispose]() {
      await Promise.all([consumer.disconnect(), producer.disconnect(), admin.disconnect()])
    },
  }
}

/** A header's text. */
export function headerOf(message: KafkaMessage | undefined, name: string): string | undefined {
  return message?.headers?.[name]?.toString()
}
