import { z } from 'zod'
import { keyOfRule } from '../../ports/configuration/criteria.ts'
import { partNames, sentimentNames } from '../../ports/speech.ts'

export const speakerRoles = ['AGENT', 'CUSTOMER', 'UNKNOWN'] as const
export type SpeakerRole = (typeof speakerRoles)[number]

/** The result of a call. */
export const callOutcomes = [
  'APPOINTMENT_BOOKED',
  'APPOINTMENT_MOVED',
  'APPOINTMENT_CANCELLED',
  'INFORMATION_GIVEN',
  'CALLBACK_SCHEDULED',
  'COMPLAINT_TAKEN',
  'PAYMENT_ARRANGED',
  'WRONG_NUMBER',
  'NOT_RESOLVED',
  'OTHER',
] as const

export const complianceVerdicts = ['MET', 'BROKEN', 'NOT_APPLICABLE'] as const

const evidence = z.array(z.string())
const statement = z.object({ text: z.string(), evidence })
const seconds = z.number().nonnegative()
const sentiment = { sentiment: z.enum(sentimentNames), score: z.number() }

export const insightsSchema = z.object({
  outcome: z.object({ code: z.enum(callOutcomes), text: z.string(), evidence }).nullable(),
  wentWell: z.array(statement),
  toImprove: z.array(statement),
  compliance: z.array(
    z
      .object({ key: z.string().optional(), rule: z.string(), verdict: z.enum(complianceVerdicts), reason: z.string(), evidence })
      // Analyses of earlier versions have no keys.
      .transform((judged) => ({ ...judged, key: judged.key ?? keyOfRule(judged.rule) })),
  ),
  satisfaction: z.object({ score: z.int().min(1).max(5), reason: z.string(), evidence }).nullable(),
  /** The number of statements without a citation of an existing utterance. */
  dropped: z.int().nonnegative(),
})
/** The model's judgement of the conversation; every statement cites utterances. */
export type CallInsights = z.output<typeof insightsSchema>

export const analysisSchema = z.object({
  callId: z.string(),
  /** The call's agent record at the time of the analysis; this agent may read it, besides managers. */
  agentId: z.string().nullable(),
  /** When the call began; null if that is unknown, and in analyses of earlier versions. */
  startedAt: z.string().nullable().default(null),
  /** The outcome code that the agent chose, as far as it is known. */
  disposition: z.string().nullable().default(null),
  language: z.string().nullable(),
  durationSeconds: seconds,
  summary: z.string().nullable(),
  summaryFrom: z.enum(['SPEECH', 'MODEL']).nullable(),
  topics: z.array(z.object({ topic: z.string(), confidence: z.number() })),
  sentiment: z
    .object({ average: z.object(sentiment), timeline: z.array(z.object({ start: seconds, end: seconds, ...sentiment })) })
    .nullable(),
  speakers: z.array(
    z.object({
      speaker: z.int(),
      role: z.enum(speakerRoles),
      /** The source of the role; null for UNKNOWN. */
      namedBy: z.enum(['CHANNEL', 'MODEL']).nullable(),
      evidence,
      talkSeconds: seconds,
      talkShare: z.number(),
      longestMonologueSeconds: seconds,
      interruptions: z.int(),
    }),
  ),
  silenceSeconds: seconds,
  longestSilenceSeconds: seconds,
  utterances: z.array(
    z.object({ id: z.string(), speaker: z.int(), role: z.enum(speakerRoles), start: seconds, end: seconds, text: z.string() }),
  ),
  insights: insightsSchema.nullable(),
  missing: z.array(z.object({ part: z.enum(partNames), why: z.string() })),
  /** Names of the speech model and the language model; the second is null if none was asked. */
  model: z.object({ speech: z.string(), language: z.string().nullable() }),
  tokens: z.object({ input: z.int(), output: z.int() }),
  /** SHA-256 of the recording's address, base64url. */
  sourceHash: z.string(),
  analyzedAt: z.string(),
  expiresAt: z.string(),
})
/** Seconds count from the recording's beginning. */
export type RecordingAnalysis = z.output<typeof analysisSchema>
