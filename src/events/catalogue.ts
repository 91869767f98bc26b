import { z } from 'zod'

const moment = z.iso.datetime()
const envelope = { id: z.string(), version: z.literal(1), workspaceId: z.string(), occurredAt: moment }

/**
 * What we tell the world. Events carry ids, never names, numbers, transcripts or secrets. A field may be added under the same
 * version; anything else is a new version.
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
