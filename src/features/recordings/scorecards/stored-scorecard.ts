import { z } from 'zod'
import type { Clock } from '../../../kernel/clock.ts'
import type { Ports } from '../../../ports/ports.ts'
import { maxAnalysisDays } from '../../../ports/configuration/ai.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
import { complianceVerdicts } from '../recording-analysis.ts'
import type { CallKey } from '../stored-analyses.ts'

const verdict = z.enum(complianceVerdicts)

const correctionSchema = z.object({
  verdict,
  /** Why, in the manager's words. */
  reason: z.string(),
  /** ISO 8601. */
  at: z.string(),
  by: z.object({ userId: z.string(), memberId: z.string(), name: z.string() }),
  /** The model's verdict that the manager saw; null if there was none. */
  modelVerdict: verdict.nullable(),
})
/** A manager's own verdict, the same as the model's or another one. */
export type Correction = z.output<typeof correctionSchema>

const criterionSchema = z.object({
  key: z.string(),
  name: z.string(),
  question: z.string(),
  weight: z.int(),
  /** The model's; null if it gave none with a valid citation. */
  verdict: verdict.nullable(),
  correction: correctionSchema.nullable(),
})
export type ScoredCriterion = z.output<typeof criterionSchema>

const scorecardSchema = z.object({
  callId: z.string(),
  /** As in the analysis: this agent may read it, besides managers. */
  agentId: z.string().nullable(),
  /** When the call was, epoch milliseconds. */
  at: z.number(),
  analyzedAt: z.string(),
  /** When the analysis ends, ISO 8601. */
  expiresAt: z.string(),
  /** Another number after each change. */
  version: z.int(),
  criteria: z.array(criterionSchema),
})
/**
 * How a call was judged by the workspace's criteria: the model's verdicts and beside them the managers'. It ends with the analysis; one with a
 * correction lives `correctedMs` from the last change.
 */
export type StoredScorecard = z.output<typeof scorecardSchema>

const dayMs = 86_400_000
export const correctedMs = 365 * dayMs

export const storedScorecards = new Family({
  name: 'scorecard',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: scorecardSchema,
  // A new analysis sets it aside.
  unreadable: 'ABSENT',
  lifetime: correctedMs,
  about: 'call',
  what: "the verdicts on a call; after a manager's correction, with the manager's name and reason, else as long as the analysis",
})

/** The text of a scorecard that could not be read. */
export const scorecardsSetAside = new Family({
  name: 'scorecard-set-aside',
  key: ({ workspaceId, callId }: CallKey) => [workspaceId, callId],
  schema: z.string(),
  form: 'TEXT',
  lifetime: correctedMs,
  about: 'call',
  what: 'such verdicts that could not be read when the call was analysed again; each as long as it had left',
})

/** Calls whose analysis is stored, by the time of the call. */
export const scoredCalls = new SortedList({
  name: 'scorecards',
  key: (workspaceId: string) => [workspaceId],
  lifetime: 2 * maxAnalysisDays * dayMs,
  about: 'call',
  what: 'calls with scorecards, by the time of the call, as long as the analysis',
})

/** Calls with corrections, by the time of the call. */
export const correctedCalls = new SortedList({
  name: 'scorecards-corrected',
  key: (workspaceId: string) => [workspaceId],
  lifetime: correctedMs + maxAnalysisDays * dayMs,
  about: 'call',
  what: 'calls with such corrections, by the time of the call',
})

/** One read; in the order of the ids. */
export function readScorecards(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  callIds: readonly string[],
): Promise<readonly (StoredScorecard | null)[]> {
  return storedScorecards.readMany(
    ports,
    callIds.map((callId) => ({ workspaceId, callId })),
  )
}

/** Whether its analysis is still stored. One with a correction lives longer. */
export function isLive(scorecard: StoredScorecard | null, clock: Clock): boolean {
  return scorecard !== null && Date.parse(scorecard.expiresAt) > clock.now()
}

type Scored = Pick<ScoredCriterion, 'weight' | 'verdict'>

/** The weight of the criteria that are met, of those that concern the call: 0 to 100. Null if none does. */
export function scoreOf(criteria: readonly Scored[]): number | null {
  const weightOf = (wanted: ScoredCriterion['verdict']): number =>
    criteria.reduce((sum, { weight, verdict: given }) => sum + (given === wanted ? weight : 0), 0)
  const met = weightOf('MET')
  const all = met + weightOf('BROKEN')
  return all === 0 ? null : Math.round((100 * met) / all)
}

/** The criteria with the verdicts that count: the manager's if there is one. */
export function finalVerdicts(criteria: readonly ScoredCriterion[]): readonly Scored[] {
  return criteria.map(({ weight, verdict: given, correction }) => ({ weight, verdict: correction?.verdict ?? given }))
}
