import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { AppError } from '../../kernel/errors.ts'
import type { EventBus, EventConsumer } from '../../ports/event-bus.ts'
import { keyOf, parseEvent, type Topic } from '../../ports/event-catalogue.ts'
import type { Outbox } from '../../ports/outbox.ts'
import { createRelay, type Relay } from '../../ports/outbox-relay.ts'
import { replayInOutbox } from './dead-letter.ts'

/** The bus without a broker: the outbox delivers to the consumers of this process, or of the processes that share it. */
export function createOutboxBus({
  outbox,
  log,
  clock,
  consumes = true,
  concurrency = 8,
  handlerDeadlineMs = 90_000,
}: {
  readonly outbox: Outbox
  readonly log: Log
  /** The clock of the outbox. */
  readonly clock: Clock
  /** Whether consumers run in this process. If false, another process on the same outbox runs them. */
  readonly consumes?: boolean
  /** How many events one consumer handles at once. */
  readonly concurrency?: number
  /** For one try of a handler. */
  readonly handlerDeadlineMs?: number
}): EventBus {
  const relays = new Map<string, { readonly topic: Topic; readonly relay: Relay }>()
  let closed = false

  const relayFor = <Name extends Topic>({ name, topic, handle }: EventConsumer<Name>): Relay =>
    createRelay({
      outbox,
      receiver: name,
      concurrency,
      log,
      clock,
      deadlineMs: handlerDeadlineMs,
      deliver: async ({ body }, signal) => handle(parseEvent(topic, body), signal),
    })

  const receiversOf = (topic: Topic): string[] => [...relays].filter(([, entry]) => entry.topic === topic).map(([name]) => name)

  return {
    deadLetters: outbox.deadLetters,
    async publish(event) {
      if (closed) throw new AppError('OVERLOADED', { detail: 'The service is stopping. Try again later.' })
      const receivers = receiversOf(event.type)
      await outbox.add({ id: event.id, topic: event.type, key: keyOf(event), body: JSON.stringify(event), receivers })
      for (const receiver of receivers) relays.get(receiver)?.relay.wake()
    },
    async replay(deadLetter) {
      await replayInOutbox(outbox, deadLetter)
      relays.get(deadLetter.receiver)?.relay.wake()
    },
    subscribe(consumer) {
      if (relays.has(consumer.name)) throw new Error(`Two consumers have the name ${consumer.name}; each needs its own`)
      relays.set(consumer.name, { topic: consumer.topic, relay: relayFor(consumer) })
    },
    async start() {
      if (consumes) for (const { relay } of relays.values()) relay.start()
    },
    depth: () => outbox.depth(),
    lag: async () => ({}),
    ping: async () => void (await outbox.depth()),
    async close() {
      closed = true
      await Promise.all([...relays.values()].map(({ relay }) => relay.stop()))
      await outbox.close()
    },
  }
}
