import { type ConsumerRunConfig, type EachBatchPayload, Kafka, type KafkaMessage, logLevel, type ProducerRecord } from 'kafkajs'
import { vi } from 'vitest'

type Step = (name: string) => Promise<void>
type StoredMessage = { readonly key?: string; readonly value: string | Buffer; readonly headers?: NonNullable<KafkaMessage['headers']> }

/** A consumer that runs. */
type Running = {
  readonly groupId: string
  readonly topics: readonly string[]
  /** Hands over messages of partition 0, the first one with offset 0, as kafkajs does. Returns the offsets that it may commit. */
  readonly read: (messages: readonly StoredMessage[], changes?: Partial<EachBatchPayload>) => Promise<readonly string[]>
}

/**
 * Takes the place of kafkajs' clients, without a broker. Each step ends in a later turn of the event loop: it fails with the next of its
 * `failures`, or is then in `done`. Steps: `producer connect`, `admin listTopics`, `<consumer group> run` ...
 */
export function standInKafka() {
  const kafka = new Kafka({ brokers: ['127.0.0.1:9'], logLevel: logLevel.NOTHING })
  const realConsumer = kafka.consumer.bind(kafka)
  const [done, sent, present, running] = [new Array<string>(), new Array<ProducerRecord>(), new Array<string>(), new Array<Running>()]
  /** Consumer groups. Each has read 7 of the 10 messages of partition 0 of each topic, and nothing of partition 1. */
  const groups: string[] = []
  const failures = new Map<string, Error[]>()
  /** A step does not end before these. */
  const holds = new Map<string, Promise<void>>()
  /** One for each consumer, also for those that could not start. */
  const crashes: ((error: Error) => void)[] = []
  const step: Step = async (name) => {
    await new Promise((resolve) => void setImmediate(resolve))
    await holds.get(name)
    const failure = failures.get(name)?.shift()
    if (failure) throw failure
    done.push(name)
  }
  const connection = (who: string) => ({ connect: () => step(`${who} connect`), disconnect: () => step(`${who} disconnect`) })
  const producer = Object.assign(kafka.producer(), connection('producer'), {
    async send(record: ProducerRecord) {
      await step('producer send')
      sent.push(record)
      return []
    },
  })
  const admin = Object.assign(kafka.admin(), connection('admin'), {
    async describeCluster() {
      await step('admin describeCluster')
      return { brokers: [], controller: null, clusterId: '' }
    },
    async listTopics() {
      await step('admin listTopics')
      return [...present]
    },
    async fetchTopicMetadata({ topics = [] }: { topics?: string[] } = {}) {
      await step('admin fetchTopicMetadata')
      const partitions = ['0', '1'].map(Number).map((partitionId) => ({ ...idlePartition, partitionId }))
      return { topics: topics.map((name) => ({ name, partitions })) }
    },
    async listGroups() {
      await step('admin listGroups')
      return { groups: groups.map((groupId) => ({ groupId, protocolType: 'consumer' })) }
    },
    async fetchTopicOffsets(topic: string) {
      await step('admin fetchTopicOffsets')
      if (!present.includes(topic)) throw new Error(`there is no topic ${topic}`)
      return ['10', '20'].map((offset, partition) => ({ partition, offset, high: offset, low: '0' }))
    },
    async fetchOffsets({ topics = [] }: { groupId: string; topics?: string[] }) {
      await step('admin fetchOffsets')
      const partitions = ['7', '-1'].map((offset, partition) => ({ partition, offset, metadata: null }))
      return topics.map((topic) => ({ topic, partitions }))
    },
    async createTopics({ topics }: { topics: { topic: string }[] }) {
      await step('admin createTopics')
      present.push(...topics.map(({ topic }) => topic))
      return true
    },
  })
  const spies = [
    vi.spyOn(Kafka.prototype, 'producer').mockReturnValue(producer),
    vi.spyOn(Kafka.prototype, 'admin').mockReturnValue(admin),
    vi
      .spyOn(Kafka.prototype, 'consumer')
      .mockImplementation(({ groupId }) =>
        Object.assign(realConsumer({ groupId }), connection(groupId), consumerOf(groupId, step, { running, crashes })),
      ),
  ]
  return {
    kafka,
    done,
    sent,
    present,
    running,
    failures,
    holds,
    groups,
    crashes,
    [Symbol.dispose]: () => spies.forEach((spy) => spy.mockRestore()),
  }
}

function consumerOf(groupId: string, step: Step, { running, crashes }: { running: Running[]; crashes: ((error: Error) => void)[] }) {
  let topics: readonly string[] = []
  return {
    on(_name: string, listener: (event: { payload: { error: Error } }) => void) {
      crashes.push((error) => listener({ payload: { error } }))
      return () => undefined
    },
    async subscribe(wanted: { topics: readonly unknown[] }) {
      await step(`${groupId} subscribe`)
      topics = wanted.topics.map(String)
    },
    async run({ eachBatch }: ConsumerRunConfig) {
      await step(`${groupId} run`)
      const read: Running['read'] = async (messages, changes) => {
        const offsets: string[] = []
        const payload = {
          ...idlePayload,
          batch: batchOf(topics[0] ?? '', messages),
          resolveOffset: (offset: string) => void offsets.push(offset),
        }
        await eachBatch?.({ ...payload, ...changes })
        return offsets
      }
      running.push({ groupId, topics, read })
    },
  }
}

const idlePartition = { partitionErrorCode: 0, leader: 0, replicas: [], isr: [] }

const idlePayload = {
  heartbeat: async () => undefined,
  pause: () => () => undefined,
  commitOffsetsIfNecessary: async () => undefined,
  uncommittedOffsets: () => ({ topics: [] }),
  isRunning: () => true,
  isStale: () => false,
}

function batchOf(topic: string, stored: readonly StoredMessage[]): EachBatchPayload['batch'] {
  const messages = stored.map(({ key, value, headers = {} }, index) => ({
    key: key === undefined ? null : Buffer.from(key),
    value: Buffer.from(value),
    headers,
    timestamp: '0',
    attributes: 0,
    offset: String(index),
  }))
  const [firstOffset, lastOffset] = [() => '0', () => String(stored.length - 1)]
  const lag = () => '0'
  const highWatermark = String(stored.length)
  return {
    topic,
    partition: 0,
    highWatermark,
    messages,
    isEmpty: () => stored.length === 0,
    firstOffset,
    lastOffset,
    offsetLag: lag,
    offsetLagLow: lag,
  }
}
