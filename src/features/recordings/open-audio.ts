import type { Actor } from '../../access/actor.ts'
import type { RecordingStream } from '../../ports/outbound-telephony.ts'
import type { CallOf } from './call-of.ts'
import type { RecordingUrlOf } from './recording-of-call.ts'
import type { RecordingSource } from '../../ports/recording-source.ts'

export type OpenAudioDeps = { readonly callOf: CallOf; readonly recordingUrlOf: RecordingUrlOf; readonly source: RecordingSource }

export type AudioRequest = { readonly callId: string; readonly range: string | null; readonly signal: AbortSignal }
export type OpenAudio = (caller: Actor, request: AudioRequest) => Promise<RecordingStream>

/** A call's recording as a stream, for those who may see the call. Errors: NOT_FOUND, NOT_YOURS, those of the source. */
export function createOpenAudio({ callOf, recordingUrlOf, source }: OpenAudioDeps): OpenAudio {
  return async (caller, { callId, range, signal }) => {
    const { workspaceId } = caller.principal
    const url = await recordingUrlOf(workspaceId, await callOf(caller, callId))
    return source.open({ workspaceId, url, signal }, range === null ? {} : { range })
  }
}
