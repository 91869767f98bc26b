import type { Criterion } from '../../../ports/configuration/criteria.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import type { CallKey } from '../stored-analyses.ts'
import { callTime } from '../search/index-analysis.ts'
import {
  correctedMs,
  isLive,
  readScorecards,
  type ScoredCriterion,
  scoredCalls,
  scorecardsSetAside,
  storedScorecards,
  type StoredScorecard,
} from './stored-scorecard.ts'

const maxTries = 20
const removedAtOnce = 20

type RecordPorts = Pick<Ports, 'store' | 'clock' | 'figures' | 'log'>

/** The criteria of an analysis, and the analysis. */
export type Judged = { readonly analysis: RecordingAnalysis; readonly criteria: readonly Criterion[] }

/**
 * Stores the model's verdicts as the scorecard of the call; a criterion without a verdict stays without. Managers' corrections stay when a call
 * is analysed again, also of criteria that are no longer asked. One that cannot be read is set aside, and counted. Repeatable. Errors: STORE_UNAVAILABLE, OVERLOADED.
 */
export async function recordScorecard(ports: RecordPorts, workspaceId: string, { analysis, criteria }: Judged): Promise<void> {
  const key = { workspaceId, callId: analysis.callId }
  for (let tries = 0; tries < maxTries; tries += 1) {
    const { value: before, version } = await storedScorecards.readStored(ports, key)
    if (version !== null && !before) await setAside(ports, key)
    const next = scorecardOf({ analysis, criteria }, before)
    if (!next) return
    const isCorrected = next.criteria.some(({ correction }) => correction !== null)
    const lifetime = isCorrected ? correctedMs : Date.parse(analysis.expiresAt) - ports.clock.now()
    const written = await storedScorecards.replace(ports, key, { version, value: next, lifetime })
    // Afterwards: who removes what has ended must not meet a member without its scorecard. After a crash the call is analysed again.
    if (written !== null) return listScorecard(ports, workspaceId, next)
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

/** It may have corrections: of a newer version of this service, or damaged. A person can put it back, as long as it would have been stored. Of one call the first counts. */
async function setAside(ports: RecordPorts, call: CallKey): Promise<void> {
  const { clock, log, figures } = ports
  const stored = await storedScorecards.readText(ports, call)
  if (!stored) return
  const { value, expiresAt } = stored
  const lifetime = expiresAt === null ? correctedMs : Math.max(1, expiresAt - clock.now())
  if (!(await scorecardsSetAside.writeNew(ports, call, { value, lifetime }))) return
  figures.setAside.scorecards += 1
  log.error(call, 'scorecard.set-aside')
}

async function listScorecard(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, { callId, at }: StoredScorecard): Promise<void> {
  await scoredCalls.add(ports, workspaceId, { member: callId, score: at })
  await removeEnded(ports, workspaceId)
}

/** Some of the oldest, whenever one is added: so the list has hardly more than is stored. */
async function removeEnded(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<void> {
  const oldest = await scoredCalls.range(ports, workspaceId, { limit: removedAtOnce })
  const callIds = oldest.map(({ member }) => member)
  const scorecards = await readScorecards(ports, workspaceId, callIds)
  const ended = callIds.filter((_, index) => !isLive(scorecards[index] ?? null, ports.clock))
  await Promise.all(ended.map((callId) => scoredCalls.remove(ports, workspaceId, callId)))
}

/** Null if there is nothing to judge. */
function scorecardOf({ analysis, criteria }: Judged, before: StoredScorecard | null): StoredScorecard | null {
  const { callId, agentId, analyzedAt, expiresAt, insights } = analysis
  const verdicts = new Map((insights?.compliance ?? []).map(({ key, verdict }) => [key, verdict]))
  const corrections = new Map((before?.criteria ?? []).map(({ key, correction }) => [key, correction]))
  const asked = criteria.map(({ key, name, question, weight }): ScoredCriterion => ({
    key,
    name,
    question,
    weight,
    verdict: verdicts.get(key) ?? null,
    correction: corrections.get(key) ?? null,
  }))
  const keys = new Set(asked.map(({ key }) => key))
  const noLongerAsked = (before?.criteria ?? []).filter(({ key, correction }) => correction !== null && !keys.has(key))
  const all = [...asked, ...noLongerAsked]
  if (all.length === 0) return null
  return { callId, agentId, at: callTime(analysis), analyzedAt, expiresAt, version: (before?.version ?? 0) + 1, criteria: all }
}

/** For an analysis of an earlier version, whose criteria are known only by their verdicts. A scorecard that exists stays. */
export async function recordEarlierScorecard(ports: RecordPorts, workspaceId: string, analysis: RecordingAnalysis): Promise<void> {
  const { version } = await storedScorecards.readStored(ports, { workspaceId, callId: analysis.callId })
  if (version !== null) return
  const criteria = (analysis.insights?.compliance ?? []).map(({ key, rule }) => ({
    key,
    name: rule.slice(0, 80),
    question: rule,
    weight: 1,
  }))
  await recordScorecard(ports, workspaceId, { analysis, criteria })
}
