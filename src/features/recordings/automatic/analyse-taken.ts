import { AppError } from '../../../kernel/errors.ts'
import { derivedId } from '../../../kernel/ids.ts'
import type { EventOf } from '../../../ports/event-catalogue.ts'
import { asService } from '../../../ports/record-access.ts'
import { readCall } from '../../calls/state/call-state-store.ts'
import type { KnownCall } from '../../calls/state/call-facts.ts'
import { analyseRecording } from '../analyse-recording.ts'
import type { RecordingAnalysis } from '../recording-analysis.ts'
import type { RecordingPorts } from '../recording-ports.ts'
import { type CallKey, readStoredTranscript } from '../stored-analyses.ts'
import { noUse, type Use } from './daily-budget.ts'
import { needOf } from './recording-need.ts'
import { giveUp, putBack, removeTaken, type TakenRecording, type WaitingRecording } from './waiting-recordings.ts'

const minute = 60_000
/** After each try that failed; after one more, a recording is given up. Together they last longer than most outages of a provider. */
const retryDelaysMs = [minute, 5 * minute, 30 * minute, 120 * minute, 480 * minute]
const notConfiguredDelayMs = 5 * minute

/** `WAIT`: nothing of this workspace can be analysed at present, because something is not configured. */
export type Result = 'GO_ON' | 'WAIT'

/**
 * Analyses a recording that was taken from the queue, publishes `call.analysed`, and settles what was used of the day's budget. After an
 * error that may pass, it is tried again later. `isStopping`: the service ends, so the try does not count. Errors: STORE_UNAVAILABLE (the
 * recording comes back by itself).
 */
export async function analyseTaken(ports: RecordingPorts, taken: TakenRecording, isStopping: () => boolean): Promise<Result> {
  const { key, recording, settle } = taken
  const { call, before } = await readKnown(ports, taken).catch(async (error: unknown) => {
    // Nothing was used, and the recording is reserved for again when it comes back.
    await settle(noUse).catch(() => undefined)
    throw error
  })
  const url = call?.recordingUrl ?? null
  if (!call || url === null) {
    await settle(noUse)
    await giveUp(ports, key, 'Nothing is known of this call any more')
    return 'GO_ON'
  }
  const { ucid, startedAt, endedAt, disposition } = call
  let [isJoined, isOurs] = [false, false]
  try {
    const agentId = await agentOf(ports, key, call)
    isJoined = true
    const analysis = await ports.runs.ensure(
      { ...key, agentId },
      (run, signal) => {
        isJoined = false
        isOurs = true
        return analyseRecording(ports, { ...key, agentId, url, ucid, startedAt, endedAt, disposition }, { run, signal })
      },
      { force: false },
    )
    await settle(isOurs ? useOf(analysis, { recording, wasTranscribed: before !== null }) : noUse)
    await ports.bus.publish(analysedEvent(key, call, analysis))
    await removeTaken(ports, key)
    return 'GO_ON'
  } catch (error) {
    const after = isOurs && before === null ? await readStoredTranscript(ports.store, key) : null
    await settle({ seconds: after?.transcript.durationSeconds ?? 0, tokens: 0 })
    return afterFailure(ports, taken, { error: isStopping() ? 'STOPPING' : error, isJoined })
  }
}

async function readKnown(ports: RecordingPorts, { key, recording }: TakenRecording) {
  const [call, before] = await Promise.all([
    readCall(ports, { workspaceId: key.workspaceId, ucid: recording.ucid }),
    readStoredTranscript(ports.store, key),
  ])
  return { call, before }
}

type Tried = { readonly recording: WaitingRecording; readonly wasTranscribed: boolean }

/** A model that gave no usable answer was asked all the same, but does not report its tokens. */
function useOf({ durationSeconds, tokens, utterances }: RecordingAnalysis, { recording, wasTranscribed }: Tried): Use {
  const known = tokens.input + tokens.output
  return {
    seconds: wasTranscribed ? 0 : durationSeconds,
    tokens: known === 0 && utterances.length > 0 ? needOf(recording).tokens : known,
  }
}

/** The agent may read the analysis. */
async function agentOf({ agentDirectory }: RecordingPorts, { workspaceId }: CallKey, call: KnownCall): Promise<string | null> {
  if (call.agentRecordId !== null || call.agentId === null) return call.agentRecordId
  return (await agentDirectory.recordOf(asService(workspaceId, 'RECORDINGS'), call.agentId))?.id ?? null
}

/** `isJoined`: it is the failure of another run, which may be of another recording. */
type Failed = { readonly error: unknown; readonly isJoined: boolean }

async function afterFailure(ports: RecordingPorts, taken: TakenRecording, { error, isJoined }: Failed): Promise<Result> {
  const { key, recording } = taken
  if (error === 'STOPPING') {
    await putBack(ports, taken, { reason: recording.reason, delayMs: 0, isCounted: false })
    return 'WAIT'
  }
  const failure = error instanceof AppError ? error : new AppError('UNKNOWN', { cause: error })
  const { reason, message } = failure
  ports.log.warn({ ...key, reason, tries: recording.tries }, 'recording.automatic-analysis-failed')
  if (reason === 'NOT_CONFIGURED') {
    await putBack(ports, taken, { reason: message, delayMs: notConfiguredDelayMs, isCounted: false })
    return 'WAIT'
  }
  const mayPass = isJoined || failure.retryable
  const delayMs = retryDelaysMs[recording.tries - 1]
  if (mayPass && delayMs !== undefined) await putBack(ports, taken, { reason: message, delayMs, isCounted: true })
  else await giveUp(ports, key, message)
  return 'GO_ON'
}

/** Each analysis has its own event; a repetition after a crash has the same id. */
function analysedEvent(
  { workspaceId, callId }: CallKey,
  call: KnownCall,
  { agentId, analyzedAt }: RecordingAnalysis,
): EventOf<'call.analysed'> {
  const { ucid, leadId } = call
  const id = derivedId('call.analysed', workspaceId, callId, analyzedAt)
  return { id, type: 'call.analysed', version: 1, workspaceId, occurredAt: analyzedAt, ucid, callId, leadId, agentId }
}
