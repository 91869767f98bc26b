import { setTimeout as delay } from 'node:timers/promises'
import type { EventBus } from '../../../ports/event-bus.ts'
import { envelopeSchema, eventSchemas, keyOf } from '../../../ports/event-catalogue.ts'
import type { Delivery, Outbox } from '../../../ports/outbox.ts'
import { createRelay } from '../../../ports/outbox-relay.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import { createKafkaClient, type KafkaAccess } from './client.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { deadTopicOf, deadLetterIn, type NewMessage, replayMessage } from './message.ts'
import { createReader, type Reader } from './reader.ts'
import { createSender } from './sender.ts'
import { ensureTopics, isBrokerAway } from './topics.ts'

export type KafkaBusOptions = {
  readonly access: KafkaAccess
  /** Of topics that are made here. */
  readonly partitions: number
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Log
  /** Whether consumers are worked here. */
  readonly consumes?: boolean
  /** Whether dead letters are put on the shelf here. */
  readonly storesDeadLetters?: boolean
  /** How many events one consumer works on at once. */
  readonly concurrency?: number
  readonly handlerDeadlineMs?: number
}

const topics = Object.values(eventSchemas).map((schema) => schema.shape.type.value)
/** The receiver of what goes to the broker. */
const broker = 'kafka'
const sendConcurrency = 32

/**
 * The bus on Kafka: outbox -> topic -> inbox -> consumer. The outbox keeps an event until the brokers have acknowledged it, the inbox from
 * before its offset is committed until it is worked; both are the one durable queue, so that neither side waits for the other.
 */
export function createKafkaBus(options: KafkaBusOptions): EventBus {
  const { access, outbox, clock, log, consumes = true, storesDeadLetters = true, concurrency = 8, handlerDeadlineMs = 90_000 } = options
  const kafka = createKafkaClient(access, log)
  const sender = createSender(kafka)
  const inboxes: Inbox[] = []
  const readers: Reader[] = []
  const closing = new AbortController()

  const relay = createRelay({
    outbox,
    receiver: broker,
    concurrency: sendConcurrency,
    log,
    clock,
    deadlineMs: 60_000,
    deliver: (delivery) => sender.send(messageOf(delivery)),
    isOutage: (error) => error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE',
  })

  const makeTopics = async (): Promise<void> => {
    const all = [...topics, ...topics.map(deadTopicOf)]
    while (!closing.signal.aborted) {
      try {
        return await ensureTopics(kafka, { topics: all, partitions: options.partitions, log })
      } catch (error) {
        log.warn({ reason: error instanceof Error ? error.name : null }, 'the topics could not be looked at or made')
        if (!isBrokerAway(error)) return
        await delay(2_000, undefined, { signal: closing.signal, ref: false }).catch(() => undefined)
      }
    }
  }

  const shelve = (): Reader =>
    createReader({
      kafka,
      groupId: `${access.group}.dead-letters`,
      topics: topics.map(deadTopicOf),
      log,
      accept: async (messages) => {
        await Promise.all(messages.map((message) => outbox.dead.keep(deadLetterIn(message, clock.now()))))
      },
    })

  const begin = async (): Promise<void> => {
    await makeTopics()
    if (closing.signal.aborted) return
    if (storesDeadLetters) readers.push(shelve())
    for (const reader of readers) reader.start()
    relay.start()
  }
  let begun: Promise<void> = Promise.resolve()

  return {
    dead: outbox.dead,
    async publish(event) {
      if (closing.signal.aborted) throw new AppError('OVERLOADED', { detail: 'The service is stopping' })
      await outbox.add({ id: event.id, topic: event.type, key: keyOf(event), body: JSON.stringify(event), receivers: [broker] })
      relay.wake()
    },
    subscribe(consumer) {
      if (!consumes) return
      const inbox = createInbox({ consumer, outbox, sender, clock, log, concurrency, handlerDeadlineMs })
      const groupId = `${access.group}.${consumer.name}`
      inboxes.push(inbox)
      readers.push(createReader({ kafka, groupId, topics: [consumer.topic], accept: inbox.accept, log }))
    },
    async start() {
      for (const inbox of inboxes) inbox.relay.start()
      begun = begin()
    },
    depth: () => outbox.depth(),
    ping: () => sender.ping(),
    replay: (deadLetter) => sender.send(replayMessage(deadLetter, newId())),
    async close() {
      closing.abort()
      await begun
      await Promise.all(readers.map((reader) => reader.stop()))
      await Promise.all([relay, ...inboxes.map((inbox) => inbox.relay)].map((one) => one.stop()))
      await sender.close()
      await outbox.close()
    },
  }
}

function messageOf({ topic, key, body }: Delivery): NewMessage {
  const event = envelopeSchema.parse(JSON.parse(body))
  const headers = { 'event-id': event.id, type: topic, version: String(event.version), workspace: event.workspaceId }
  return { topic, key, value: Buffer.from(body), headers }
}
