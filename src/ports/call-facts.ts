import { z } from 'zod'

/**
 * Who said it, the better last: AUTOMATIC (a disposition that the provider set because nobody did), GUESSED (we looked it up), OWN (we
 * did it), LIVE (a live event), RECORD (the provider's own record of the whole call).
 */
export const factSources = ['AUTOMATIC', 'GUESSED', 'OWN', 'LIVE', 'RECORD'] as const
export type FactSource = (typeof factSources)[number]

const fact = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value,
    source: z.enum(factSources),
    /** Of two from one source the one with the higher rank stays. */
    rank: z.number(),
  })

const text = fact(z.string())
const moment = fact(z.iso.datetime())

export const callFactsSchema = z
  .object({
    direction: fact(z.enum(['INBOUND', 'OUTBOUND'])),
    /** The customer, E.164. */
    phoneNumber: text,
    did: text,
    campaignName: text,
    /** The agent's name at the provider. */
    agentId: text,
    /** The agent's record on the platform. */
    agentRecordId: text,
    leadId: text,
    startedAt: moment,
    answeredAt: moment,
    endedAt: moment,
    /** When the agent was free again. */
    wrapUpEndedAt: moment,
    /** What the record says of the whole call; live events say it by being there. */
    answered: fact(z.boolean()),
    talkSeconds: fact(z.number()),
    disposition: text,
    notes: text,
    callBackAt: moment,
    recordingUrl: text,
    /** Which provider has the call. */
    provider: text,
  })
  .partial()
export type CallFacts = z.output<typeof callFactsSchema>
export type CallFactName = keyof CallFacts

/** What one piece of news says, without who said it; null: says nothing of it. */
export type ReportedCallFacts = { readonly [Name in CallFactName]?: NonNullable<CallFacts[Name]>['value'] | null | undefined }
