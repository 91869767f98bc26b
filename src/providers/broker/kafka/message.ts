import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { DeadLetter } from '../../../ports/dead-letters.ts'
import { derivedId } from '../../../kernel/ids.ts'

/** A message of a topic. */
export type TopicMessage = {
  readonly topic: string
  readonly key: string | null
  readonly value: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** `partition:offset` */
  readonly position: string
}

export type NewMessage = Omit<TopicMessage, 'position'>

export function readMessage(topic: string, partition: number, { key, value, headers, offset }: KafkaMessage): TopicMessage {
  const position = `${partition}:${offset}`
  return { topic, key: key?.toString() ?? null, value: value ?? Buffer.alloc(0), headers: textHeaders(headers), position }
}

function textHeaders(headers: IHeaders = {}): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const last = Array.isArray(value) ? value.at(-1) : value
      return last === undefined ? [] : [[name, last.toString()]]
    }),
  )
}

const deadSuffix = '.dead'
export const deadTopicOf = (topic: string): string => topic + deadSuffix

/** Why, when and for which consumer a message became a dead letter. */
export type DeadLetterFacts = { readonly receiver: string; readonly reason: string; readonly deadAt: number }

/** The message for `<topic>.dead`: the same key, bytes and headers, with headers that say why it is there. */
export function deadMessage(
  { topic, key, value, headers, position }: TopicMessage,
  { receiver, reason, deadAt }: DeadLetterFacts,
): NewMessage {
  const added = {
    'dead-id': derivedId('dead', receiver, topic, position),
    'dead-receiver': receiver,
    'dead-reason': reason,
    'dead-at': new Date(deadAt).toISOString(),
  }
  return { topic: deadTopicOf(topic), key, value, headers: { ...headers, ...added } }
}

/** The dead letter of a message in `<topic>.dead`, which other programs may have put there. `now`: the time if the message has none. */
export function deadLetterIn({ topic, key, value, headers, position }: TopicMessage, now: number): DeadLetter {
  const { 'dead-id': id, 'dead-receiver': receiver, 'dead-reason': reason, 'dead-at': at, ...original } = headers
  const deadAt = at === undefined ? Number.NaN : Date.parse(at)
  return {
    id: id ?? derivedId('dead', topic, position),
    topic: topic.slice(0, -deadSuffix.length),
    receiver: receiver ?? 'unknown',
    reason: reason ?? 'UNKNOWN',
    deadAt: Number.isNaN(deadAt) ? now : deadAt,
    eventId: original['event-id'] ?? null,
    workspaceId: original['workspace'] ?? null,
    key,
    value: value.toString('base64'),
    headers: original,
  }
}

/** The message that delivers a dead letter again, to the one receiver that gave it up. */
export function replayMessage({ topic, key, value, headers, receiver }: DeadLetter, replayId: string): NewMessage {
  return { topic, key, value: Buffer.from(value, 'base64'), headers: { ...headers, replay: replayId, receiver } }
}
