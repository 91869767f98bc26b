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

/** What a consumer has read and not worked yet: durable, in order per key, so that one event that fails holds up none of the others. */
export type Inbox = { readonly accept: (messages: readonly TopicMessage[]) => Promise<void>; readonly relay: Relay }

/** More wait at the broker. However old the oldest is: one that waits for its model must not stop the reading. */
const bound = { maxEvents: 1_000, maxAgeMs: null }

const keptSchema = z.object({ value: z.string(), key: z.string().nullable(), headers: z.record(z.string(), z.string()), place: z.string() })

export function createInbox<Name extends Topic>(options: InboxOptions<Name>): Inbox {
  const { consumer, outbox, sender, clock, log, concurrency, handlerDeadlineMs } = options
  const { name, topic, handle } = consumer

  const bury = (message: TopicMessage, { reason }: NonRetryableError): Promise<void> =>
    sender.send(deadMessage(message, { receiver: name, reason, deadAt: clock.now() }))

  const take = async (message: TopicMessage): Promise<void> => {
    const { headers, key, place } = message
    if (headers['receiver'] !== undefined && headers['receiver'] !== name) return
    try {
      const value = textOf(message.value)
      const event = parseEvent(topic, value)
      const id = headers['replay'] === undefined ? event.id : `${event.id}#${headers['replay']}`
      const body = JSON.stringify({ value, key, headers, place } satisfies z.output<typeof keptSchema>)
      await outbox.add({ id, topic, key: keyOf(event), body, receivers: [name], bound })
    } catch (error) {
      if (!(error instanceof NonRetryableError)) throw error
      log.error({ topic, place, poison: error.reason }, 'a message became a dead letter')
      await bury(message, error)
    }
  }

  const relay = createRelay({
    outbox,
    receiver: name,
    concurrency,
    log,
    clock,
    deadlineMs: handlerDeadlineMs,
    deliver: ({ body }, signal) => handle(eventIn(topic, body), signal),
    async bury(delivery, poison) {
      await bury(messageIn(delivery), poison)
      await outbox.settle(delivery)
    },
  })

  return {
    relay,
    async accept(messages) {
      // Handed over in order, so that the events of a key stay in order; what was kept already is known by its id.
      const taken = await Promise.allSettled(messages.map(take))
      relay.wake()
      const failed = taken.find((result) => result.status === 'rejected')
      if (failed) throw failed.reason
    },
  }
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
  return parseEvent(topic, keptSchema.parse(JSON.parse(body)).value)
}

function messageIn({ topic, body }: Delivery): TopicMessage {
  const { value, ...rest } = keptSchema.parse(JSON.parse(body))
  return { ...rest, topic, value: Buffer.from(value) }
}
