import type { Actor } from '../../access/actor.ts'
import type { RecordingStream } from '../../ports/outbound-telephony.ts'
import { findCall, type FindCallPorts } from './find-call.ts'
import { findRecordingUrl } from './find-recording-url.ts'
import type { RecordingPorts } from './recording-ports.ts'

/** `range`: a Range header, or null. */
export type AudioRequest = { readonly callId: string; readonly range: string | null; readonly signal: AbortSignal }
export type AudioPorts = FindCallPorts & Pick<RecordingPorts, 'clock' | 'outboundTelephonyOf' | 'recordingSource' | 'telephonyOf'>

/** The recording of a call as a stream, if the actor may see the call. Errors: NOT_FOUND, NOT_YOURS, the source's. */
export async function openAudio(ports: AudioPorts, actor: Actor, { callId, range, signal }: AudioRequest): Promise<RecordingStream> {
  const { workspaceId } = actor.principal
  const url = await findRecordingUrl(ports, workspaceId, await findCall(ports, actor, callId))
  return ports.recordingSource.open({ workspaceId, url, signal }, range === null ? {} : { range })
}
