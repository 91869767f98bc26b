import type { IHeaders, KafkaMessage } from 'kafkajs'
import type { DeadLetter } from '../../../ports/dead-letters.ts'
import { derivedId } from '../../../kernel/ids.ts'

/** A message as it lies in a topic. */
export type TopicMessage = {
  readonly topic: string
  readonly key: string | null
  readonly value: Buffer
  readonly headers: Readonly<Record<string, string>>
  /** Where it lies: `partition:offset`. */
  readonly place: string
}

export type NewMessage = Omit<TopicMessage, 'place'>

export function readMessage(topic: string, partition: number, { key, value, headers, offset }: KafkaMessage): TopicMessage {
  const place = `${partition}:${offset}`
  return { topic, key: key?.toString() ?? null, value: value ?? Buffer.alloc(0), headers: textHeaders(headers), place }
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

/** Why a message is among the dead. */
export type Death = { readonly receiver: string; readonly reason: string; readonly deadAt: number }

/** The message as it goes to `<topic>.dead`: key and bytes untouched, and beside its own headers why it is there. */
export function deadMessage({ topic, key, value, headers, place }: TopicMessage, { receiver, reason, deadAt }: Death): NewMessage {
  const own = {
    'dead-id': derivedId('dead', receiver, topic, place),
    'dead-receiver': receiver,
    'dead-reason': reason,
    'dead-at': new Date(deadAt).toISOString(),
  }
  return { topic: deadTopicOf(topic), key, value, headers: { ...headers, ...own } }
}

/** What lies in `<topic>.dead` as a letter; also what others put there. `now`: when it died where it does not tell. */
export function deadLetterIn({ topic, key, value, headers, place }: TopicMessage, now: number): DeadLetter {
  const { 'dead-id': id, 'dead-receiver': receiver, 'dead-reason': reason, 'dead-at': at, ...original } = headers
  const deadAt = at === undefined ? Number.NaN : Date.parse(at)
  return {
    id: id ?? derivedId('dead', topic, place),
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

/** A dead letter as it goes to its topic once more, for the one receiver that gave it up. */
export function replayMessage({ topic, key, value, headers, receiver }: DeadLetter, replayId: string): NewMessage {
  return { topic, key, value: Buffer.from(value, 'base64'), headers: { ...headers, replay: replayId, receiver } }
}
