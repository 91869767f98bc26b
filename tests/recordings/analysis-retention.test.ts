import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { analyseRecording } from '../../src/features/recordings/analyse-recording.ts'
import { readAnalyses } from '../../src/features/recordings/read-analysis.ts'
import type { RecordingPorts } from '../../src/features/recordings/recording-ports.ts'
import { correctScorecard } from '../../src/features/recordings/scorecards/correct-scorecard.ts'
import { listScorecards } from '../../src/features/recordings/scorecards/list-scorecards.ts'
import { readScorecard } from '../../src/features/recordings/scorecards/read-scorecard.ts'
import { scorecardAgreement } from '../../src/features/recordings/scorecards/scorecard-agreement.ts'
import { storedScorecards } from '../../src/features/recordings/scorecards/stored-scorecard.ts'
import { maintainTranscriptIndex } from '../../src/features/recordings/search/maintain-index.ts'
import { noteCompletedCall } from '../../src/features/recordings/search/note-disposition.ts'
import { searchTranscripts, type TranscriptSearch } from '../../src/features/recordings/search/search-transcripts.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { derivedId, newId } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { keyOfRule } from '../../src/ports/configuration/criteria.ts'
import type { Store } from '../../src/ports/store.ts'
import { createSqliteTranscriptIndex } from '../../src/providers/transcripts/sqlite.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

const day = 86_400_000
const { signal } = new AbortController()
const storedSchema = z.looseObject({ startedAt: z.unknown(), disposition: z.unknown() })

let desk: WiredDesk
let manager: Actor
let own: RecordingPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
  own = { ...desk.recordings, recordingSource, speech: () => speech }
})
afterAll(() => desk[Symbol.asyncDispose]())

const recordingSource: RecordingPorts['recordingSource'] = {
  inspect: async ({ url }) => ({ url, channels: 2, contentType: 'audio/mpeg', needsCredentials: false, isPrivate: false, bytes: null }),
  open: () => Promise.reject(new Error('not used here')),
}
const speech: ReturnType<RecordingPorts['speech']> = {
  isPrivate: false,
  transcribe: async () => ({
    language: 'en',
    durationSeconds: 30,
    channels: 2,
    model: 'm',
    summary: null,
    topics: null,
    sentiment: null,
    utterances: [{ start: 0, end: 1, channel: 0, speaker: null, text: 'Hello and goodbye' }],
    missing: [],
  }),
}
const run = {
  runId: 'r',
  reach: async () => {},
  fail: async () => {},
  lost: new AbortController().signal,
  [Symbol.asyncDispose]: async () => {},
}

/** A call that began now and is analysed, in a workspace of its own or this one. */
async function analysed(ports: RecordingPorts = own, { workspaceId = desk.workspaceId, ucid = newId() } = {}) {
  const startedAt = isoMoment(desk.clock.now())
  const key = { workspaceId, callId: derivedId('call', workspaceId, ucid) }
  const recording = { ...key, agentId: null, ucid, startedAt, endedAt: null, disposition: null, url: 'https://recordings.example/1.mp3' }
  await analyseRecording(ports, recording, { run, signal: new AbortController().signal })
  return { ...key, ucid }
}
const retaining = async (retentionDays: number): Promise<RecordingPorts> => {
  const ai = await own.configuration.read(desk.workspaceId, 'ai')
  return { ...own, configuration: fixedConfiguration({ ai: { ...ai, recordings: { ...ai.recordings, retentionDays } } }) }
}
const idsFound = async (search: Partial<TranscriptSearch> = { text: 'goodbye' }, ports = own): Promise<readonly string[]> =>
  (await searchTranscripts(ports, manager.principal, { first: 50, signal, ...search })).nodes.map(({ callId }) => callId)
const isStored = async (callId: string): Promise<boolean> => (await readAnalyses(own, manager.principal, [callId]))[0] !== null

test('an analysis is found as long as it is stored: 7 days, or as long as the workspace has set when it was made', async () => {
  const { callId: week } = await analysed()
  const { callId: month } = await analysed(await retaining(30))
  expect(await idsFound()).toEqual(expect.arrayContaining([week, month]))
  desk.clock.advance(7 * day - 1)
  expect([await isStored(week), await isStored(month)]).toEqual([true, true])
  desk.clock.advance(1)
  expect([await isStored(week), await isStored(month)]).toEqual([false, true])
  expect(await idsFound()).toEqual([month])
  await maintainTranscriptIndex(own)
  expect(await idsFound()).toEqual([month])
  // A setting that is changed later does not touch it.
  desk.clock.advance(23 * day - 1)
  expect(await idsFound({ text: 'goodbye' }, await retaining(7))).toEqual([month])
  desk.clock.advance(1)
  expect([await isStored(month), await idsFound()]).toEqual([false, []])
})

test('what the index has beyond the analysis shows nothing', async () => {
  const { callId } = await analysed()
  await own.store.delete(`recording:${desk.workspaceId}:${callId}`)
  expect(await idsFound()).toEqual([])
})

test('analyses from before there was an index are found, also when the index was lost', async () => {
  await using directory = await createTempDir()
  const { callId } = await analysed()
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir: directory.path, clock: desk.clock, log: own.log })
  const ports = { ...own, transcriptIndex }
  expect(await idsFound({ text: 'goodbye' }, ports)).toEqual([])
  await maintainTranscriptIndex(ports)
  expect(await idsFound({ text: 'goodbye' }, ports)).toContain(callId)
  await transcriptIndex.close()
})

test('an analysis as earlier versions stored it is found', async () => {
  const { callId, workspaceId } = await analysed()
  const key = `recording:${workspaceId}:${callId}`
  const { startedAt: _startedAt, disposition: _disposition, ...earlier } = storedSchema.parse(JSON.parse((await own.store.get(key)) ?? ''))
  const judged = { rule: 'Say your name', verdict: 'MET', reason: 'Said it', evidence: ['u1'] }
  const insights = { outcome: null, wentWell: [], toImprove: [], satisfaction: null, dropped: 0, compliance: [judged] }
  await own.store.set(key, JSON.stringify({ ...earlier, insights }), { ttlMs: day })
  await own.store.delete(`scorecard:${workspaceId}:${callId}`)
  await using directory = await createTempDir()
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir: directory.path, clock: desk.clock, log: own.log })
  await maintainTranscriptIndex({ ...own, transcriptIndex })
  expect(await readScorecard(own, manager, callId)).toMatchObject({
    criteria: [{ name: judged.rule, model: { verdict: 'MET' } }],
    score: 100,
  })
  expect(await idsFound({ text: 'goodbye', criterion: keyOfRule(judged.rule), verdict: 'MET' }, { ...own, transcriptIndex })).toEqual([
    callId,
  ])
  await transcriptIndex.close()
})

const choose = (ucid: string, disposition: string) =>
  addCallFacts(own, { workspaceId: desk.workspaceId, ucid }, factsOf({ disposition }, { source: 'OWN', receivedAt: desk.clock.now() }))
const completed = (ucid: string, ports = own) =>
  noteCompletedCall(ports, {
    id: newId(),
    type: 'call.completed',
    version: 1,
    workspaceId: desk.workspaceId,
    occurredAt: isoMoment(desk.clock.now()),
    ucid,
    callId: null,
    leadId: null,
    agentId: null,
    memberId: null,
    disposition: null,
    supersedes: null,
  })

test('a call is found by the disposition that it has now, chosen before or after the analysis', async () => {
  const before = newId()
  await choose(before, 'Booked')
  const { callId } = await analysed(own, { ucid: before })
  expect(await idsFound({ disposition: 'Booked' })).toEqual([callId])
  const later = await analysed()
  await completed(later.ucid)
  expect(await idsFound({ disposition: 'Wrong number' })).toEqual([])
  desk.clock.advance(1_000)
  await choose(later.ucid, 'Wrong number')
  await choose(before, 'Cancelled')
  await completed(later.ucid)
  await completed(before)
  expect(await idsFound({ disposition: 'Wrong number', text: 'hello' })).toEqual([later.callId])
  expect(await idsFound({ disposition: 'Booked' })).toEqual([])
  expect(await idsFound({ disposition: 'Cancelled' })).toEqual([callId])
})

test('a call is found by its disposition although the index was away when it was chosen', async () => {
  const { ucid, callId } = await analysed()
  await choose(ucid, 'Call later')
  const away: RecordingPorts['transcriptIndex'] = { ...own.transcriptIndex, put: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
  await expect(completed(ucid, { ...own, transcriptIndex: away })).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  expect(await idsFound({ disposition: 'Call later' })).toEqual([])
  await completed(ucid)
  expect(await idsFound({ disposition: 'Call later' })).toEqual([callId])
})

test('a call is found as it was analysed last, although it was analysed again while its disposition was noted', async () => {
  const { ucid, callId, workspaceId } = await analysed()
  await choose(ucid, 'Twice')
  let isFirst = true
  const put: RecordingPorts['transcriptIndex']['put'] = async (id, transcript) => {
    if (isFirst) {
      isFirst = false
      const key = `recording:${workspaceId}:${callId}`
      const { utterances, ...rest } = storedSchema
        .extend({ utterances: z.array(z.looseObject({})) })
        .parse(JSON.parse((await own.store.get(key)) ?? ''))
      await own.store.set(key, JSON.stringify({ ...rest, utterances: utterances.map((one) => ({ ...one, text: 'Other words' })) }), {
        ttlMs: day,
      })
    }
    await own.transcriptIndex.put(id, transcript)
  }
  await completed(ucid, { ...own, transcriptIndex: { ...own.transcriptIndex, put } })
  expect(await idsFound({ text: '"other words"' })).toEqual([callId])
})

test('a page ends after 200 candidates that the actor may not see, and says that there may be more', async () => {
  const { workspaceId } = desk
  const at = desk.clock.now() + day
  const put = (callId: string, when: number) =>
    own.transcriptIndex.put(workspaceId, { callId, at: when, expiresAt: at + day, utterances: [['goodbye']], facets: [] })
  for (let n = 0; n < 210; n += 1) await put(newId(), at + n)
  desk.clock.advance(1_000)
  const { callId } = await analysed()
  const first = await searchTranscripts(own, manager.principal, { text: 'goodbye', first: 1, signal })
  expect(first).toMatchObject({ nodes: [], pageInfo: { hasNextPage: true } })
  const second = await searchTranscripts(own, manager.principal, { text: 'goodbye', first: 1, after: first.pageInfo.endCursor, signal })
  expect(second.nodes.map((node) => node.callId)).toEqual([callId])
})

test('a scorecard ends with its analysis; with a correction it lives for a year, without the words of the model', async () => {
  const { callId: plain } = await analysed()
  const { callId } = await analysed()
  const [criterion] = (await readScorecard(own, manager, callId)).criteria
  if (!criterion) throw new Error('the workspace has criteria')
  const input = { callId, criterion: criterion.key, verdict: 'BROKEN', reason: 'I listened', version: 1 } as const
  await correctScorecard(own, manager, input)
  desk.clock.advance(7 * day)
  await expect(readScorecard(own, manager, plain)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  const after = await readScorecard(own, manager, callId)
  expect(after.criteria.find(({ key }) => key === criterion.key)).toMatchObject({ correction: { verdict: 'BROKEN' }, verdict: 'BROKEN' })
  for (const model of after.criteria.flatMap((one) => one.model ?? [])) expect(model).toMatchObject({ reason: null, evidence: [] })
  const list = await listScorecards(own, manager.principal, { correctedOnly: true, first: 10 })
  expect(list.nodes.map((node) => node.callId)).toEqual([callId])
  expect(await scorecardAgreement(own, manager.principal, {})).toMatchObject({ scorecards: 1 })
  desk.clock.advance(358 * day)
  await expect(readScorecard(own, manager, callId)).rejects.toMatchObject({ reason: 'NOT_FOUND' })
  expect(await scorecardAgreement(own, manager.principal, {})).toMatchObject({ scorecards: 0 })
})

test('a scorecard that cannot be read is set aside when its call is analysed again, and counted', async () => {
  const { workspaceId, callId, ucid } = await analysed()
  const key = storedScorecards.keyText({ workspaceId, callId })
  for (const [unreadable, isFirst] of [
    ['{"version":"of tomorrow"}', true],
    ['not JSON', false],
  ] as const) {
    await own.store.set(key, unreadable, { ttlMs: day })
    const logged: string[] = []
    const log = createLog('error', { write: (line) => void logged.push(line), onLost: () => {} })
    const before = own.figures.setAside.scorecards
    await analysed({ ...own, log }, { workspaceId, ucid })
    expect(own.figures.setAside.scorecards).toBe(isFirst ? before + 1 : before)
    expect(await own.store.get(`scorecard-set-aside:${workspaceId}:${callId}`)).toBe('{"version":"of tomorrow"}')
    expect(await readScorecard(own, manager, callId)).toMatchObject({ callId })
    expect(logged.join().includes('scorecard.set-aside')).toBe(isFirst)
  }
  desk.clock.advance(day)
  expect(await own.store.get(`scorecard-set-aside:${workspaceId}:${callId}`)).toBeNull()
})

test('a correction that is not stored is not in the audit log, and of two at once the log has one', async () => {
  const { callId } = await analysed()
  const { criteria, version } = await readScorecard(own, manager, callId)
  const store: Store = { ...own.store, compareAndSet: () => Promise.reject(new AppError('STORE_UNAVAILABLE')) }
  const input = { callId, criterion: criteria[0]?.key ?? '', verdict: 'MET', reason: 'The process ends here', version } as const
  await expect(correctScorecard({ ...own, store }, manager, input)).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
  const audited = async () =>
    (await own.audit.read(desk.workspaceId, { limit: 50 })).filter(({ target }) => target?.id === callId).map(({ details }) => details)
  expect(await audited()).toEqual([])
  const reasons = ['One manager', 'Another manager']
  const corrections = await Promise.allSettled(reasons.map((reason) => correctScorecard(own, manager, { ...input, reason })))
  const made = reasons.filter((_, index) => corrections[index]?.status === 'fulfilled')
  expect(made).toHaveLength(1)
  expect(await audited()).toMatchObject([{ reason: made[0] }])
})

test('a call that is corrected late is listed as long as its scorecard is stored', async () => {
  const { callId } = await analysed(await retaining(90))
  desk.clock.advance(80 * day)
  const { criteria, version } = await readScorecard(own, manager, callId)
  await correctScorecard(own, manager, { callId, criterion: criteria[0]?.key ?? '', verdict: 'MET', reason: 'x', version })
  desk.clock.advance(364 * day)
  expect(await readScorecard(own, manager, callId)).toMatchObject({ callId })
  const { nodes } = await listScorecards(own, manager.principal, { correctedOnly: true, first: 10 })
  expect(nodes.map((node) => node.callId)).toEqual([callId])
  desk.clock.advance(day)
})

test('the list has every scorecard, however few calls the search has', async () => {
  await using directory = await createTempDir()
  const transcriptIndex = await createSqliteTranscriptIndex({ dataDir: directory.path, clock: desk.clock, log: own.log, maxCalls: 1 })
  const ports = { ...own, transcriptIndex }
  const made: string[] = []
  for (let n = 0; n < 3; n += 1) made.push((await analysed(ports)).callId)
  const list = async (range: { to?: string; from?: string } = {}) =>
    (await listScorecards(ports, manager.principal, { correctedOnly: false, first: 50, ...range })).nodes.map(({ callId }) => callId)
  expect(await list()).toEqual(expect.arrayContaining(made))
  const now = isoMoment(desk.clock.now())
  expect((await list({ from: now, to: now })).toSorted()).toEqual(made.toSorted())
  desk.clock.advance(1)
  expect(await list({ from: isoMoment(desk.clock.now()) })).toEqual([])
  await transcriptIndex.close()
})

test('scorecards that have ended leave the list', async () => {
  await analysed()
  desk.clock.advance(91 * day)
  const made: string[] = []
  // Each removes some of the others.
  for (let n = 0; n < 5; n += 1) made.push((await analysed()).callId)
  const listed = await own.store.sortedRange(`scorecards:${desk.workspaceId}`, { limit: 100 })
  expect(listed.map(({ member }) => member).toSorted()).toEqual(made.toSorted())
})

test('many corrected calls of one moment are listed page by page', async () => {
  const { workspaceId } = desk
  const calls = []
  for (let n = 0; n < 3; n += 1) calls.push(await analysed())
  for (const { callId } of calls) {
    const { criteria, version } = await readScorecard(own, manager, callId)
    await correctScorecard(own, manager, { callId, criterion: criteria[0]?.key ?? '', verdict: 'MET', reason: 'x', version })
  }
  for (let n = 0; n < 250; n += 1) await own.store.sortedAdd(`scorecards-corrected:${workspaceId}`, newId(), desk.clock.now())
  const found: string[] = []
  let after: string | null = null
  do {
    const page: Awaited<ReturnType<typeof listScorecards>> = await listScorecards(own, manager.principal, {
      correctedOnly: true,
      first: 1,
      after,
    })
    found.push(...page.nodes.map(({ callId }) => callId))
    after = page.pageInfo.hasNextPage ? page.pageInfo.endCursor : null
  } while (after !== null)
  expect(found.toSorted()).toEqual(calls.map(({ callId }) => callId).toSorted())
})
