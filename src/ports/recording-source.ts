import type { RecordingStream } from './outbound-telephony.ts'

/**
 * Fetches recordings from untrusted addresses: only http(s), no private network (except origins that the operator trusts), only the hosts of
 * the workspace's list if it has one. Each redirect is checked like the first address, and the connection goes to the checked IP address.
 * A recording at a telephony provider is fetched with its credentials, and only from its own hosts.
 *
 * Errors of both: INVALID_INPUT (the address is not allowed, or it has no recording), NOT_FOUND (nothing there, or not yet;
 * `data.retryAfterSeconds`), PROVIDER_UNAVAILABLE, DEADLINE_PASSED.
 */
export interface RecordingSource {
  /**
   * Checks, from no more bytes than that needs and within a minute, that the recording is audio, not empty and not too large. `isRecent`: the call
   * has just ended, so that nothing, or a page, in its place means NOT_FOUND (not yet). Read-only.
   */
  inspect(recording: RecordingAddress, options: { readonly isRecent: boolean }): Promise<InspectedRecording>
  /** The bytes as a stream, which starts within 15 s. `range` is a Range header; 416 is returned as a status. Read-only. */
  open(recording: RecordingAddress, options: { readonly range?: string }): Promise<RecordingStream>
}

export type RecordingAddress = { readonly workspaceId: string; readonly url: string; readonly signal: AbortSignal }

export type InspectedRecording = {
  /** The address after redirects. */
  readonly url: string
  readonly contentType: string
  /** Null if the server does not report it. */
  readonly bytes: number | null
  /** As the file says; 1 if it does not. M4A files often say 2 of one: the speech provider knows. */
  readonly channels: number
  readonly needsCredentials: boolean
  /** In a private network that the operator trusts. */
  readonly isPrivate: boolean
}

/** The speech provider's limit: 2 GB. */
export const maxRecordingBytes = 2 * 1024 ** 3
