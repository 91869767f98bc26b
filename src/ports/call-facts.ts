import { z } from 'zod'

/**
 * The source of a fact, from the least to the most reliable: AUTOMATIC (a disposition that the provider set because nobody did), GUESSED
 * (we looked it up, or concluded it), OWN (we did it), LIVE (a live event), RECORD (the provider's record of the whole call), CORRECTED (the agent's
 * notes, and corrections: the provider may not have them).
 */
export const factSources = ['AUTOMATIC', 'GUESSED', 'OWN', 'LIVE', 'RECORD', 'CORRECTED'] as const
export type FactSource = (typeof factSources)[number]

const fact = <Value extends z.ZodType>(value: Value) =>
  z.object({
    value,
    source: z.enum(factSources),
    /** Of two facts from one source, the one with the higher rank stays. */
    rank: z.number(),
  })

const text = fact(z.string())
const moment = fact(z.iso.datetime())

/** To whom a call was transferred; OTHER: the provider does not say it. */
export const transferTargets = ['NUMBER', 'AGENT', 'QUEUE', 'OTHER'] as const

export const callFactsSchema = z
  .object({
    direction: fact(z.enum(['INBOUND', 'OUTBOUND'])),
    /** The customer, E.164. Unknown for a number that cannot be one, such as an extension. */
    phoneNumber: text,
    /** The customer's number as the provider reports it, at most 40 characters with at least one digit. Unknown if the customer withholds it. */
    dialledNumber: text,
    did: text,
    campaignName: text,
    /** The agent's id at the provider. */
    agentId: text,
    /** The id of the agent's record on the platform. */
    agentRecordId: text,
    leadId: text,
    startedAt: moment,
    answeredAt: moment,
    endedAt: moment,
    /** When the agent was free again; null if a later report showed that this is not known. Its rank is the revision of what we know of the agent. */
    wrapUpEndedAt: fact(z.iso.datetime().nullable()),
    /** Whether the whole call was answered, as the record reports it. A live answer event has `answeredAt` instead. */
    answered: fact(z.boolean()),
    talkSeconds: fact(z.number()),
    disposition: text,
    notes: text,
    /** Null if a correction removed it. */
    callBackAt: fact(z.iso.datetime().nullable()),
    recordingUrl: text,
    /** Only of a call that was transferred. */
    transferTarget: fact(z.enum(transferTargets)),
    /** A number in E.164, an agent's id at the provider, or the provider's name of a queue. */
    transferredTo: text,
    /** When the agent left the call to a third party; unknown for a transfer in the provider's own user interface. */
    transferredAt: moment,
    /** Which provider has the call. */
    provider: text,
  })
  .partial()
export type CallFacts = z.output<typeof callFactsSchema>
export type CallFactName = keyof CallFacts

/** The facts of one report, without their source; null means that the report does not contain the fact. */
export type ReportedCallFacts = { readonly [Name in CallFactName]?: NonNullable<CallFacts[Name]>['value'] | null | undefined }
