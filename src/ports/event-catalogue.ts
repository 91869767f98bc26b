import { z } from 'zod'
import { transferTargets } from './call-facts.ts'
import { NonRetryableError } from './non-retryable-error.ts'

const moment = z.iso.datetime()
/** This code writes 1 or 1.1 and reads every 1.x: 1.2 is read as 1.1, 2 is rejected. */
const version = z.number().refine((written) => Math.floor(written) === 1)
const envelope = { id: z.string(), version, workspaceId: z.string(), occurredAt: moment }

/** What every event has. */
export const envelopeSchema = z.object(envelope)

/**
 * The events that this service publishes. Events carry ids, never names, phone numbers, transcripts or secrets. An added field is a minor
 * version (1.1): consumers of version 1 ignore the field. Any other change (a field removed or renamed, a new value of a closed list) is a
 * new version (2).
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
    /** Since 1.1. The event whose disposition this one corrects. */
    supersedes: z.string().nullable().default(null),
  }),
  'call.missed': z.object({
    ...envelope,
    type: z.literal('call.missed'),
    ucid: z.string(),
    callId: z.string().nullable(),
    leadId: z.string().nullable(),
  }),
  'call.transferred': z.object({
    ...envelope,
    type: z.literal('call.transferred'),
    ucid: z.string(),
    callId: z.string(),
    leadId: z.string().nullable(),
    /** The agent who left the call, and the member if the transfer was made here. */
    agentId: z.string().nullable(),
    memberId: z.string().nullable(),
    target: z.enum(transferTargets),
  }),
  'call.recorded': z.object({
    ...envelope,
    type: z.literal('call.recorded'),
    ucid: z.string(),
    callId: z.string(),
    leadId: z.string().nullable(),
    agentId: z.string().nullable(),
  }),
  'call.analysed': z.object({
    ...envelope,
    type: z.literal('call.analysed'),
    ucid: z.string(),
    callId: z.string(),
    leadId: z.string().nullable(),
    agentId: z.string().nullable(),
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

/** Events of one topic with the same key are delivered in order. The key is the call's UCID, or the agent's id. */
export function keyOf(event: DomainEvent): string {
  return event.type === 'agent.state' ? event.agentId : event.ucid
}

/** Parses an event; leaves out fields of newer minor versions. Throws a `NonRetryableError` if the text is not an event of the topic. */
export function parseEvent<Name extends Topic>(topic: Name, body: string): EventOf<Name> {
  return parsers[topic](jsonOf(body))
}

const parsers: { readonly [Name in Topic]: (event: unknown) => EventOf<Name> } = {
  'call.completed': (event) => parseWith(eventSchemas['call.completed'], event),
  'call.missed': (event) => parseWith(eventSchemas['call.missed'], event),
  'call.transferred': (event) => parseWith(eventSchemas['call.transferred'], event),
  'call.recorded': (event) => parseWith(eventSchemas['call.recorded'], event),
  'call.analysed': (event) => parseWith(eventSchemas['call.analysed'], event),
  'agent.state': (event) => parseWith(eventSchemas['agent.state'], event),
}

function parseWith<Schema extends z.ZodType>(schema: Schema, event: unknown): z.output<Schema> {
  const parsed = schema.safeParse(event)
  if (parsed.success) return parsed.data
  const otherVersion = parsed.error.issues.some((issue) => issue.path.length === 1 && issue.path[0] === 'version')
  throw new NonRetryableError(otherVersion ? 'UNKNOWN_VERSION' : 'WRONG_SCHEMA')
}

/** The `workspaceId` of a text that may be a broken event; null if it has none. */
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
