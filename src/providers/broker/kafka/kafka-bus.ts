import { setTimeout as delay } from 'node:timers/promises'
import type { Kafka } from 'kafkajs'
import type { EventBus } from '../../../ports/event-bus.ts'
import { envelopeSchema, keyOf } from '../../../ports/event-catalogue.ts'
import type { Delivery, Outbox } from '../../../ports/outbox.ts'
import { createRelay, type Relay } from '../../../ports/outbox-relay.ts'
import type { Clock } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { newId } from '../../../kernel/ids.ts'
import type { Log } from '../../../kernel/log.ts'
import { activeTraceparent } from '../../../kernel/tracing.ts'
import { replayInOutbox } from '../dead-letter.ts'
import { createKafkaClient, type KafkaAccess } from './client.ts'
import { createInbox, type Inbox } from './inbox.ts'
import { deadTopicOf, deadLetterIn, type NewMessage, replayMessage } from './message.ts'
import { createReader, type Reader } from './reader.ts'
import { refusalOf } from './refusal.ts'
import { type ConsumerGroup, createSender, type Sender } from './sender.ts'
import { busTopics, ensureTopics, eventTopics, isBrokerAway } from './topics.ts'

export type KafkaBusOptions = {
  readonly access: KafkaAccess
  /** Of topics that this service creates. */
  readonly partitions: number
  readonly outbox: Outbox
  readonly clock: Clock
  readonly log: Log
  /** Whether consumers run in this process. */
  readonly consumes?: boolean
  /** Whether this process stores dead letters for managers to see. */
  readonly storesDeadLetters?: boolean
  /** How many events one consumer handles at once. */
  readonly concurrency?: number
  readonly handlerDeadlineMs?: number
  /** How long to wait after the brokers have refused to create topics. Default 10 s. */
  readonly retryRefusedMs?: number
}

const topicNames: ReadonlySet<string> = new Set(eventTopics)
/** The outbox's receiver for events that go to the broker. */
const brokerReceiver = 'kafka'
const sendConcurrency = 32
const retryTopicsMs = 2_000

/**
 * The bus on Kafka: outbox -> topic -> inbox -> consumer. The outbox stores an event until the brokers have acknowledged it. The inbox
 * stores it before its offset is committed, until it is handled. Both use the same durable queue, so neither side waits for the other.
 */
export function createKafkaBus(options: KafkaBusOptions): EventBus {
  const { access, outbox, clock, log, consumes = true, storesDeadLetters = true, concurrency = 8, handlerDeadlineMs = 90_000 } = options
  const kafka = createKafkaClient(access, log)
  const sender = createSender(kafka)
  const relay = createSendRelay(options, sender)
  const inboxes: Inbox[] = []
  const readers: Reader[] = []
  const groups = new Map<string, ConsumerGroup>()
  const closing = new AbortController()

  const begin = async (): Promise<void> => {
    await new Promise<void>((answered) => {
      topicsCreated = createTopics(kafka, options, { signal: closing.signal, answered })
    })
    if (closing.signal.aborted) return
    if (storesDeadLetters) readers.push(createDeadLetterReader(kafka, options))
    for (const reader of readers) reader.start()
    relay.start()
  }
  let begun: Promise<void> = Promise.resolve()
  let topicsCreated: Promise<void> = Promise.resolve()

  return {
    deadLetters: outbox.deadLetters,
    async publish(event) {
      if (closing.signal.aborted) throw new AppError('OVERLOADED', { detail: 'The service is stopping. Try again later.' })
      await outbox.add({ id: event.id, topic: event.type, key: keyOf(event), body: JSON.stringify(event), receivers: [brokerReceiver] })
      relay.wake()
    },
    subscribe(consumer) {
      const groupId = `${access.group}.${consumer.name}`
      groups.set(consumer.name, { groupId, topic: consumer.topic })
      if (!consumes) return
      const inbox = createInbox({ consumer, outbox, sender, clock, log, concurrency, handlerDeadlineMs })
      inboxes.push(inbox)
      readers.push(createReader({ kafka, groupId, topics: [consumer.topic], accept: inbox.accept, log }))
    },
    async start() {
      for (const inbox of inboxes) inbox.relay.start()
      begun = begin()
    },
    depth: () => outbox.depth(),
    ping: () => sender.ping(),
    async lag() {
      const lags = [...groups].map(async ([name, group]) => [name, await sender.lag(group)] as const)
      return Object.fromEntries(await Promise.all(lags))
    },
    // What never went to the broker, a webhook for example, goes back into the outbox.
    replay: async (deadLetter) =>
      topicNames.has(deadLetter.topic) ? sender.send(replayMessage(deadLetter, newId())) : replayInOutbox(outbox, deadLetter),
    async close() {
      closing.abort()
      await Promise.all([begun, topicsCreated])
      await Promise.all(readers.map((reader) => reader.stop()))
      await Promise.all([relay, ...inboxes.map((inbox) => inbox.relay)].map((one) => one.stop()))
      await sender.close()
      await outbox.close()
    },
  }
}

/** Sends what the outbox holds for the broker. */
function createSendRelay({ outbox, log, clock }: KafkaBusOptions, sender: Sender): Relay {
  return createRelay({
    outbox,
    receiver: brokerReceiver,
    sends: true,
    concurrency: sendConcurrency,
    log,
    clock,
    deadlineMs: 60_000,
    deliver: (delivery) => sender.send(messageOf(delivery)),
    isOutage: (error) => error instanceof AppError && error.reason === 'PROVIDER_UNAVAILABLE',
  })
}

/** Copies the messages of the `.dead` topics into the outbox's dead letters. */
function createDeadLetterReader(kafka: Kafka, { access, outbox, clock, log }: KafkaBusOptions): Reader {
  return createReader({
    kafka,
    groupId: `${access.group}.dead-letters`,
    topics: eventTopics.map(deadTopicOf),
    log,
    accept: async (messages) => {
      await Promise.all(messages.map((message) => outbox.deadLetters.add(deadLetterIn(message, clock.now()))))
    },
  })
}

/**
 * Tries until the topics exist or the signal aborts. `answered`: when they exist, or the brokers have refused. The topics may exist nevertheless, so the
 * rest can begin; what they refuse may be corrected later, so it is tried again.
 */
async function createTopics(kafka: Kafka, options: KafkaBusOptions, { signal, answered }: TopicTries): Promise<void> {
  const { access, partitions, log, retryRefusedMs = 10_000 } = options
  let logged: string | null = null
  while (!signal.aborted) {
    try {
      await ensureTopics(kafka, { topics: busTopics, partitions, log })
      return answered()
    } catch (error) {
      const reason = refusalOf(error) ?? (error instanceof Error ? error.name : String(error))
      const isAway = isBrokerAway(error)
      // A refusal comes again until somebody corrects it.
      if (isAway || reason !== logged) log.warn({ brokers: access.brokers, reason }, 'kafka.topics-failed')
      logged = reason
      if (!isAway) answered()
      await delay(isAway ? retryTopicsMs : retryRefusedMs, undefined, { signal, ref: false }).catch(() => undefined)
    }
  }
  answered()
}

type TopicTries = { readonly signal: AbortSignal; readonly answered: () => void }

function messageOf({ topic, key, body }: Delivery): NewMessage {
  const event = envelopeSchema.parse(JSON.parse(body))
  const traceparent = activeTraceparent()
  const headers = {
    'event-id': event.id,
    type: topic,
    version: String(event.version),
    workspace: event.workspaceId,
    ...(traceparent !== null && { traceparent }),
  }
  return { topic, key, value: Buffer.from(body), headers }
}
