import { z } from 'zod'
import type { EventConsumer } from '../../../ports/event-bus.ts'
import { type EventOf, keyOf, parseEvent, type Topic } from '../../../ports/event-catalogue.ts'
import type { Delivery, Outbox } from '../../../ports/outbox.ts'
import { NonRetryableError } from '../../../ports/non-retryable-error.ts'
import { createRelay, type Relay } from '../../../ports/outbox-relay.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import { deadMessage, type TopicMessage } from './message.ts'
import type { Sender } from './sender.ts'

export type InboxOptions<Name extends Topic> = {
  readonly consumer: EventConsumer<Name>
  readonly outbox: Outbox
  readonly sender: Sender
  readonly clock: Clock
  readonly log: Log
  readonly concurrency: number
  readonly handlerDeadlineMs: number
}

/** The messages that a consumer has read and not handled yet: durable, in order per key, so that one event that fails delays no other key. */
export type Inbox = { readonly accept: (messages: readonly TopicMessage[]) => Promise<void>; readonly relay: Relay }

/** More events wait at the broker. There is no bound on age, because an event that waits for its model must not stop the reading. */
const bound = { maxEvents: 1_000, maxAgeMs: null }

const storedSchema = z.object({
  value: z.string(),
  key: z.string().nullable(),
  headers: z.record(z.string(), z.string()),
  position: z.string(),
})

export function createInbox<Name extends Topic>(options: InboxOptions<Name>): Inbox {
  const { consumer, outbox, clock, log, concurrency, handlerDeadlineMs } = options
  const { name, topic, handle } = consumer
  const relay = createRelay({
    outbox,
    receiver: name,
    concurrency,
    log,
    clock,
    deadlineMs: handlerDeadlineMs,
    deliver: ({ body }, signal) => handle(eventIn(topic, body), signal),
    async moveToDeadLetters(delivery, error) {
      await sendDead(options, messageIn(delivery), error)
      await outbox.settle(delivery)
    },
  })
  return {
    relay,
    async accept(messages) {
      // Added in order, so that the events of a key stay in order. A message that is stored already is known by its id.
      const stored = await Promise.allSettled(messages.map((message) => store(options, message)))
      relay.wake()
      const failed = stored.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
}

/** Adds the message to the outbox, or sends it to the dead topic if it is not an event. */
async function store<Name extends Topic>(options: InboxOptions<Name>, message: TopicMessage): Promise<void> {
  const { name, topic } = options.consumer
  const { headers, key, position } = message
  if (headers['receiver'] !== undefined && headers['receiver'] !== name) return
  try {
    const value = textOf(message.value)
    const event = parseEvent(topic, value)
    const id = headers['replay'] === undefined ? event.id : `${event.id}#${headers['replay']}`
    const body = JSON.stringify({ value, key, headers, position } satisfies z.output<typeof storedSchema>)
    const traceparent = headers['traceparent'] ?? null
    await options.outbox.add({ id, topic, key: keyOf(event), body, receivers: [name], bound, traceparent })
  } catch (error) {
    if (!(error instanceof NonRetryableError)) throw error
    options.log.error({ topic, position, reason: error.reason }, 'message.dead-lettered')
    await sendDead(options, message, error)
  }
}

function sendDead<Name extends Topic>(
  { consumer, sender, clock }: InboxOptions<Name>,
  message: TopicMessage,
  { reason }: NonRetryableError,
): Promise<void> {
  return sender.send(deadMessage(message, { receiver: consumer.name, reason, deadAt: clock.now() }))
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

function textOf(value: Buffer): string {
  try {
    return decoder.decode(value)
  } catch (cause) {
    throw new NonRetryableError('NOT_JSON', { cause })
  }
}

function eventIn<Name extends Topic>(topic: Name, body: string): EventOf<Name> {
  return parseEvent(topic, storedSchema.parse(JSON.parse(body)).value)
}

function messageIn({ topic, body }: Delivery): TopicMessage {
  const { value, ...rest } = storedSchema.parse(JSON.parse(body))
  return { ...rest, topic, value: Buffer.from(value) }
}
