import { z } from 'zod'
import { NonRetryableError } from './non-retryable-error.ts'

const moment = z.iso.datetime()
/** What this code writes, and the part before the point is what it can read: 1.1 is read as 1, 2 is not. */
const version = z.number().refine((written) => Math.floor(written) === 1)
const envelope = { id: z.string(), version, workspaceId: z.string(), occurredAt: moment }

/** What every event has. */
export const envelopeSchema = z.object(envelope)

/**
 * What we tell the world. Events carry ids, never names, numbers, transcripts or secrets. An added field is a minor version (1.1), which
 * consumers of version 1 read without it; anything else (a field gone or renamed, a further value of a closed list) is a new version (2).
 */
export const eventSchemas = {
  'call.completed': z.object({
    ...envelope,
    type: z.literal('call.completed'),
    ucid: z.string(),
    callId: z.string().nullable(),
    leadId: z.string().nullable(),
    agentId: z.string().nullable(),
    memberId: z.string().nullable(),
    disposition: z.string().nullable(),
  }),
  'call.missed': z.object({
    ...envelope,
    type: z.literal('call.missed'),
    ucid: z.string(),
    callId: z.string().nullable(),
    leadId: z.string().nullable(),
  }),
  'agent.state': z.object({
    ...envelope,
    type: z.literal('agent.state'),
    agentId: z.string(),
    state: z.enum(['SIGNED_IN', 'SIGNED_OUT', 'READY', 'NOT_READY', 'ON_CALL', 'WRAP_UP', 'EXPIRED']),
  }),
} as const

export type Topic = keyof typeof eventSchemas
export type EventOf<Name extends Topic> = z.output<(typeof eventSchemas)[Name]>
export type DomainEvent = { [Name in Topic]: EventOf<Name> }[Topic]

/** What keeps the order within a topic: the call, or the agent. */
export function keyOf(event: DomainEvent): string {
  return event.type === 'agent.state' ? event.agentId : event.ucid
}

/**
 * An event from its JSON text. A newer minor version may have further fields: they are left out. Throws a `NonRetryableError`
 * where the text is no event of the topic.
 */
export function parseEvent<Name extends Topic>(topic: Name, body: string): EventOf<Name> {
  return parsers[topic](jsonOf(body))
}

const parsers: { readonly [Name in Topic]: (event: unknown) => EventOf<Name> } = {
  'call.completed': (event) => parseWith(eventSchemas['call.completed'], event),
  'call.missed': (event) => parseWith(eventSchemas['call.missed'], event),
  'agent.state': (event) => parseWith(eventSchemas['agent.state'], event),
}

function parseWith<Schema extends z.ZodType>(schema: Schema, event: unknown): z.output<Schema> {
  const parsed = schema.safeParse(event)
  if (parsed.success) return parsed.data
  const otherVersion = parsed.error.issues.some((issue) => issue.path.length === 1 && issue.path[0] === 'version')
  throw new NonRetryableError(otherVersion ? 'UNKNOWN_VERSION' : 'WRONG_SCHEMA')
}

/** The workspace that a text names as an event would, whatever else is wrong with it; null where it names none. */
export function workspaceIn(body: string): string | null {
  try {
    return envelopeSchema.pick({ workspaceId: true }).safeParse(JSON.parse(body)).data?.workspaceId ?? null
  } catch {
    return null
  }
}

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    throw new NonRetryableError('NOT_JSON')
  }
}
