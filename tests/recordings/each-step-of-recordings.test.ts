import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Actor } from '../../src/access/actor.ts'
import { factsOf } from '../../src/features/calls/state/call-facts.ts'
import { addCallFacts } from '../../src/features/calls/state/call-state-store.ts'
import { analyseRecording } from '../../src/features/recordings/analyse-recording.ts'
import { analyseTaken } from '../../src/features/recordings/automatic/analyse-taken.ts'
import { reserveUse } from '../../src/features/recordings/automatic/daily-budget.ts'
import { findRecordingUrl } from '../../src/features/recordings/find-recording-url.ts'
import { queueRecording } from '../../src/features/recordings/automatic/queue-recording.ts'
import { readRecordingStatus } from '../../src/features/recordings/automatic/recording-status.ts'
import { addWaiting, giveUp, putBack, takeWaiting } from '../../src/features/recordings/automatic/waiting-recordings.ts'
import { readAnalyses, readAnalysis } from '../../src/features/recordings/read-analysis.ts'
import type { RecordingPorts } from '../../src/features/recordings/recording-ports.ts'
import { correctScorecard } from '../../src/features/recordings/scorecards/correct-scorecard.ts'
import { listScorecards } from '../../src/features/recordings/scorecards/list-scorecards.ts'
import { readScorecard } from '../../src/features/recordings/scorecards/read-scorecard.ts'
import { scorecardAgreement } from '../../src/features/recordings/scorecards/scorecard-agreement.ts'
import { searchTranscripts } from '../../src/features/recordings/search/search-transcripts.ts'
import { acquireRun } from '../../src/features/recordings/run-lease.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { derivedId, newId } from '../../src/kernel/ids.ts'
import { AppError, type ErrorReason } from '../../src/kernel/errors.ts'
import { asService } from '../../src/ports/record-access.ts'
import { failEachStep, type Outcomes } from '../harness/each-step.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'
import { createWiredDesk, type WiredDesk } from '../harness/wired-desk.ts'

/** Every step of these use cases fails once. A failure that is in no list fails the use case with the same error. */

let desk: WiredDesk
let manager: Actor
let ports: RecordingPorts
beforeAll(async () => {
  desk = await createWiredDesk()
  manager = await desk.signIn('manager@demo.example')
  const ai = await desk.ports.configuration.read(desk.workspaceId, 'ai')
  const automatic = { enabled: true, dailyMinutes: 100_000, dailyTokens: 1_000_000_000 }
  const configuration = fixedConfiguration({ ai: { ...ai, recordings: { ...ai.recordings, automatic } } })
  const recordingSource: RecordingPorts['recordingSource'] = {
    inspect: async ({ url }) => ({ url, channels: 2, contentType: 'audio/mpeg', needsCredentials: false, isPrivate: false, bytes: null }),
    open: () => Promise.reject(new Error('not used here')),
  }
  const transcript = {
    language: 'en',
    durationSeconds: 30,
    channels: 2,
    model: 'm',
    summary: null,
    topics: null,
    sentiment: null,
    utterances: [{ start: 0, end: 1, channel: 0, speaker: null, text: 'Hello' }],
    missing: [],
  }
  const { speech } = desk.steps.around({ speech: { isPrivate: false, transcribe: async () => transcript } })
  ports = { ...desk.recordings, ...desk.steps.around({ configuration, recordingSource }), speech: () => speech }
})
afterAll(() => desk[Symbol.asyncDispose]())

const outcomes = <Subject>(
  prepare: () => Promise<Subject>,
  run: (subject: Subject) => Promise<unknown>,
  reason?: ErrorReason | 'unexpected',
): Promise<Outcomes> => failEachStep(desk.steps, { prepare, run, ...(reason && { reason }) })
const url = 'https://recordings.example/1.mp3'
const facts = { agentId: null, ucid: 'u', startedAt: null, endedAt: null, disposition: null }

/** A call with a recording that ended now. */
const recorded = async () => {
  desk.clock.advance(1_000)
  const { workspaceId } = desk
  const ucid = newId()
  const at = isoMoment(desk.clock.now())
  const facts = { direction: 'INBOUND', startedAt: at, answeredAt: at, endedAt: at, recordingUrl: url, talkSeconds: 30 } as const
  await addCallFacts(ports, { workspaceId, ucid }, factsOf(facts, { source: 'RECORD', receivedAt: desk.clock.now() }))
  const key = { workspaceId, callId: derivedId('call', workspaceId, ucid) }
  return {
    key,
    ucid,
    event: { id: newId(), version: 1, workspaceId, ucid, callId: key.callId, occurredAt: at, leadId: null, agentId: null },
  }
}
const clear = async (): Promise<void> => {
  for (const list of ['waiting', 'later', 'taken'])
    await ports.store.sortedTrim(`recordings-${list}:${desk.workspaceId}`, Number.MAX_SAFE_INTEGER)
}
const waiting = async () => {
  await clear()
  const call = await recorded()
  await addWaiting(ports, call.key, { ucid: call.ucid, agentId: null, endedAt: desk.clock.now(), seconds: 30 })
  return call
}
const openBudget = async () => (recording: { seconds: number }) =>
  reserveUse(ports, desk.workspaceId, { seconds: recording.seconds, tokens: 1 })
const taken = async () => {
  await waiting()
  const one = await takeWaiting(ports, desk.workspaceId, openBudget)
  if (!one) throw new Error('one waits')
  return one
}

test('a recording that is queued and taken', async () => {
  expect(await outcomes(recorded, ({ event }) => queueRecording(ports, { ...event, type: 'call.recorded' }))).toEqual({})
  expect(await outcomes(waiting, () => takeWaiting(ports, desk.workspaceId, openBudget))).toEqual({
    tolerated: ['store.compareAndDelete recordings-taking:*'],
  })
  const abandoned = async () => {
    const one = await taken()
    desk.clock.advance(61_000)
    return one
  }
  expect(await outcomes(abandoned, () => takeWaiting(ports, desk.workspaceId, openBudget))).toEqual({
    tolerated: ['store.compareAndDelete recordings-taking:*'],
  })
})

test('a recording that is analysed without a click', async () => {
  expect(await outcomes(taken, (one) => analyseTaken(ports, one, () => false), 'NOT_CONFIGURED')).toEqual({
    tolerated: [
      'doctorDirectory.read',
      'languageModel.of',
      'languageModel.structured',
      'recordingSource.inspect',
      'speech.transcribe',
      'transcriptIndex.put',
    ],
  })
  expect(await outcomes(taken, (one) => analyseTaken(ports, one, () => false), 'PROVIDER_REFUSED')).toEqual({
    tolerated: [
      'doctorDirectory.read',
      'languageModel.of',
      'languageModel.structured',
      'recordingSource.inspect',
      'speech.transcribe',
      'transcriptIndex.put',
    ],
  })
  expect(await outcomes(taken, (one) => analyseTaken(ports, one, () => false))).toEqual({
    tolerated: [
      'bus.publish',
      'configuration.read ai',
      'doctorDirectory.read',
      'languageModel.of',
      'languageModel.structured',
      'notifications.publish recording-progress',
      'recordingSource.inspect',
      'speech.transcribe',
      'store.compareAndDelete recording-run:*:*',
      'store.compareAndSet recording-run:*:*',
      'store.delete recording-transcript:*:*',
      'store.delete recording-waiting:*:*',
      'store.get call:*:* (2)',
      'store.get recording-transcript:*:* (2)',
      'store.get recording:*:*',
      'store.get scorecard:*:*',
      'store.getMany scorecard:*:*',
      'store.increment recordings-used:*:*:seconds',
      'store.increment recordings-used:*:*:tokens',
      'store.set recording-transcript:*:*',
      'store.set recording:*:*',
      'store.setIfAbsent recording-run:*:*',
      'store.setIfAbsent scorecard:*:*',
      'store.sortedAdd scorecards:*',
      'store.sortedRange scorecards:*',
      'store.sortedRemove recordings-taken:*',
      'transcriptIndex.put',
    ],
  })
})

test('a recording that is analysed', async () => {
  const stop = () => Promise.reject(new AppError('PROVIDER_UNAVAILABLE'))
  const held = { reach: async () => {}, fail: async () => {}, lost: new AbortController().signal, [Symbol.asyncDispose]: async () => {} }
  const { run } = desk.steps.around({ run: { ...held, runId: 'r' } })
  const { signal } = new AbortController()
  const analyse = ({ key }: Awaited<ReturnType<typeof recorded>>) => analyseRecording(ports, { ...key, ...facts, url }, { run, signal })
  const transcribed = async () => {
    const call = await recorded()
    const stopped = {
      ...ports,
      languageModelOf: () => ports.languageModelOf(desk.workspaceId).then((model) => ({ ...model, structured: stop })),
    }
    await analyseRecording(stopped, { ...call.key, ...facts, url }, { run, signal }).catch(() => undefined)
    return call
  }
  expect(await outcomes(transcribed, analyse)).toEqual({
    tolerated: [
      'configuration.read ai (2)',
      'doctorDirectory.read',
      'store.delete recording-transcript:*:*',
      'store.get call:*:u',
      'store.get recording-transcript:*:*',
      'store.get scorecard:*:*',
      'store.getMany scorecard:*:*',
      'store.set recording:*:*',
      'store.setIfAbsent scorecard:*:*',
      'store.sortedAdd scorecards:*',
      'store.sortedRange scorecards:*',
    ],
  })
  expect(await outcomes(recorded, analyse)).toEqual({
    tolerated: [
      'configuration.read ai (2)',
      'doctorDirectory.read',
      'store.delete recording-transcript:*:*',
      'store.get call:*:u',
      'store.get recording-transcript:*:*',
      'store.get scorecard:*:*',
      'store.getMany scorecard:*:*',
      'store.set recording-transcript:*:*',
      'store.set recording:*:*',
      'store.setIfAbsent scorecard:*:*',
      'store.sortedAdd scorecards:*',
      'store.sortedRange scorecards:*',
    ],
  })
})

test('a search, and a scorecard that is corrected', async () => {
  const { signal } = new AbortController()
  const held = { reach: async () => {}, fail: async () => {}, lost: signal, [Symbol.asyncDispose]: async () => {} }
  const analysed = async () => {
    const call = await recorded()
    await analyseRecording(ports, { ...call.key, ...facts, url }, { run: { ...held, runId: 'r' }, signal })
    return call
  }
  expect(
    await outcomes(analysed, () =>
      searchTranscripts(ports, manager.principal, { text: 'hello', first: 5, signal: new AbortController().signal }),
    ),
  ).toEqual({})
  expect(await outcomes(analysed, ({ key }) => readScorecard(ports, manager, key.callId))).toEqual({})
  const list = { correctedOnly: false, first: 5 }
  expect(await outcomes(analysed, () => listScorecards(ports, manager.principal, list))).toEqual({})
  expect(await outcomes(analysed, () => scorecardAgreement(ports, manager.principal, {}))).toEqual({})
  const correction = { criterion: 'greeting', verdict: 'MET', reason: 'I listened', version: 1 } as const
  expect(await outcomes(analysed, ({ key }) => correctScorecard(ports, manager, { ...correction, callId: key.callId }))).toEqual({})
})

test('a recording in which nothing was said costs no question to the model', async () => {
  const nothing = {
    language: null,
    durationSeconds: 30,
    channels: 2,
    model: 'm',
    summary: null,
    topics: null,
    sentiment: null,
    utterances: [],
    missing: [],
  }
  let asked = 0
  const model = await ports.languageModelOf(desk.workspaceId)
  const structured: typeof model.structured = async (question) => {
    asked += 1
    return model.structured(question)
  }
  const silent: RecordingPorts = {
    ...ports,
    speech: () => ({ isPrivate: false, transcribe: async () => nothing }),
    languageModelOf: async () => ({ ...model, structured }),
  }
  const { key } = await recorded()
  const held = { reach: async () => {}, fail: async () => {}, lost: new AbortController().signal, [Symbol.asyncDispose]: async () => {} }
  const running = { run: { ...held, runId: 'r' }, signal: new AbortController().signal }
  const analysis = await analyseRecording(silent, { ...key, ...facts, url }, running)
  expect([analysis.insights, analysis.tokens, asked]).toEqual([null, { input: 0, output: 0 }, 0])
  expect(analysis.missing.find(({ part }) => part === 'INSIGHTS')?.why).toBe('Nothing was said in the recording')
})

test('a recording that is put back, or given up', async () => {
  expect(await outcomes(taken, (one) => putBack(ports, one, { reason: null, delayMs: 1_000, isCounted: true }))).toEqual({})
  expect(await outcomes(taken, ({ key }) => giveUp(ports, key, 'broken'))).toEqual({})
  expect(await outcomes(taken, ({ settle }) => settle({ seconds: 1, tokens: 0 }))).toEqual({})
})

test('a run, and what is shown of a recording', async () => {
  const run = async ({ key }: Awaited<ReturnType<typeof recorded>>) => {
    await using held = await acquireRun(ports, key, isoMoment(desk.clock.now()))
    await held?.reach('FETCHED')
  }
  expect(await outcomes(recorded, run)).toEqual({
    tolerated: ['store.compareAndDelete recording-run:*:*', 'store.compareAndSet recording-run:*:*'],
  })
  expect(await outcomes(waiting, ({ key }) => readRecordingStatus(ports, manager, key.callId))).toEqual({})
  expect(await outcomes(waiting, ({ key }) => readAnalyses(ports, manager.principal, [key.callId]))).toEqual({})
  const [first] = await ports.callRecords.search(
    asService(desk.workspaceId, 'INSIGHTS'),
    { from: '2000-01-01T00:00:00.000Z', to: '2100-01-01T00:00:00.000Z' },
    1,
  )
  if (!first) throw new Error('the sandbox has calls')
  const unreported = { ...first, ucid: newId(), recordingUrl: null, startedAt: isoMoment(desk.clock.now()) }
  const address = () => findRecordingUrl(ports, desk.workspaceId, unreported).catch(noAddress)
  expect(await outcomes(async () => {}, address)).toEqual({
    tolerated: ['configuration.read telephony', 'telephony.callRecord', 'telephony.of'],
  })
  expect(await outcomes(async () => {}, address, 'unexpected')).toEqual({})
  const call = async () => desk.standIns.platform.records('demo', 'call', {})[0]?.['id']
  expect(await outcomes(call, (id) => readAnalysis(ports, manager, String(id)).catch(noAnalysis))).toEqual({
    tolerated: ['store.get recording:*:*'],
  })
})

function noAddress(error: unknown): void {
  if (!(error instanceof AppError && error.reason === 'NOT_FOUND')) throw error
}

function noAnalysis(error: unknown): void {
  if (!(error instanceof Error && error.message.includes('not analysed'))) throw error
}
