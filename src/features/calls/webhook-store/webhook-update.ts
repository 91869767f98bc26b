import { z } from 'zod'
import { agentStates } from '../../../ports/agent-activity.ts'

const callUpdateSchema = z.object({
  about: z.literal('CALL'),
  ucid: z.string(),
  source: z.enum(['LIVE', 'RECORD']),
  facts: z.record(z.string(), z.union([z.string(), z.number(), z.boolean(), z.null()])),
  automaticDisposition: z.string().nullable(),
  mayBeAgentAlone: z.boolean().optional(),
})
const agentUpdateSchema = z.object({
  about: z.literal('AGENT'),
  agentId: z.string(),
  state: z.enum(agentStates),
  reason: z.string().nullable(),
  ucid: z.string().nullable(),
  at: z.string(),
})
/** An update of a provider, as it is stored until it is processed. */
export const webhookUpdateSchema = z.discriminatedUnion('about', [callUpdateSchema, agentUpdateSchema])
