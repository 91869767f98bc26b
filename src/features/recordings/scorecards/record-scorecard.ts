import type { Criterion } from '../../../ports/configuration/criteria.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { Store } from '../../../ports/store.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import type { CallKey } from '../stored-analyses.ts'
import { callTime } from '../search/index-analysis.ts'
import {
  correctedMs,
  isLive,
  parseScorecard,
  readScorecards,
  type ScoredCriterion,
  scorecardKey,
  scoredList,
  setAsideKey,
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
  const { store, clock } = ports
  const key = scorecardKey({ workspaceId, callId: analysis.callId })
  for (let tries = 0; tries < maxTries; tries += 1) {
    const stored = await store.entry(key)
    const expected = stored?.value ?? null
    const before = parseScorecard(expected)
    if (stored && !before) await setAside(ports, { workspaceId, callId: analysis.callId }, stored)
    const next = scorecardOf({ analysis, criteria }, before)
    if (!next) return
    const isCorrected = next.criteria.some(({ correction }) => correction !== null)
    const ttlMs = isCorrected ? correctedMs : Date.parse(analysis.expiresAt) - clock.now()
    const value = JSON.stringify(next)
    const isWritten = await (expected === null
      ? store.setIfAbsent(key, value, { ttlMs })
      : store.compareAndSet(key, { expected, value, ttlMs }))
    // Afterwards: who removes what has ended must not meet a member without its scorecard. After a crash the call is analysed again.
    if (isWritten) return listScorecard({ store, clock }, workspaceId, next)
  }
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}

type StoredEntry = NonNullable<Awaited<ReturnType<Store['entry']>>>

/** It may have corrections: of a newer version of this service, or damaged. A person can put it back, as long as it would have been stored. Of one call the first counts. */
async function setAside({ store, clock, log, figures }: RecordPorts, call: CallKey, { value, expiresAt }: StoredEntry): Promise<void> {
  const ttlMs = expiresAt === null ? correctedMs : Math.max(1, expiresAt - clock.now())
  if (!(await store.setIfAbsent(setAsideKey(call), value, { ttlMs }))) return
  figures.setAside.scorecards += 1
  log.error(call, 'scorecard.set-aside')
}

async function listScorecard(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, { callId, at }: StoredScorecard): Promise<void> {
  await ports.store.sortedAdd(scoredList(workspaceId), callId, at)
  await removeEnded(ports, workspaceId)
}

/** Some of the oldest, whenever one is added: so the list has hardly more than is stored. */
async function removeEnded({ store, clock }: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<void> {
  const list = scoredList(workspaceId)
  const oldest = await store.sortedRange(list, { limit: removedAtOnce })
  const callIds = oldest.map(({ member }) => member)
  const scorecards = await readScorecards(store, workspaceId, callIds)
  const ended = callIds.filter((_, index) => !isLive(scorecards[index] ?? null, clock))
  await Promise.all(ended.map((callId) => store.sortedRemove(list, callId)))
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
  if ((await ports.store.get(scorecardKey({ workspaceId, callId: analysis.callId }))) !== null) return
  const criteria = (analysis.insights?.compliance ?? []).map(({ key, rule }) => ({
    key,
    name: rule.slice(0, 80),
    question: rule,
    weight: 1,
  }))
  await recordScorecard(ports, workspaceId, { analysis, criteria })
}
