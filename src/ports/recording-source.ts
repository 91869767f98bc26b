import type { RecordingStream } from './outbound-telephony.ts'

/**
 * Where recordings are fetched from. Addresses come from outside and are not trusted: http(s) alone, no private network (but for what the
 * operator has named), each redirect looked at like the first address, the connection made to the address that was looked at, the hosts of
 * the workspace's list alone where it has one. What lies at a telephony provider is fetched with its credentials, from its own hosts alone.
 *
 * Errors of both: INVALID_INPUT (the address may not be used, or what stands there is no recording), NOT_FOUND (nothing there, or not yet;
 * `data.retryAfterSeconds`), PROVIDER_UNAVAILABLE, DEADLINE_PASSED.
 */
export interface RecordingSource {
  /** Looks at the beginning of what stands there, 15 s at most: that it is audio, not empty and not too large. Reads only. */
  look(recording: RecordingAddress): Promise<LookedAt>
  /** The bytes as a stream; its beginning within 15 s. `range` is a Range header; 416 comes back as a status. Reads only. */
  open(recording: RecordingAddress, options: { readonly range?: string }): Promise<RecordingStream>
}

export type RecordingAddress = { readonly workspaceId: string; readonly url: string; readonly signal: AbortSignal }

export type LookedAt = {
  /** Where redirects led to. */
  readonly url: string
  readonly contentType: string
  /** Null where the server does not say. */
  readonly bytes: number | null
  /** As a WAV says it; 1 where it is not known. */
  readonly channels: number
  readonly needsCredentials: boolean
  /** Lies in a private network that the operator has named. */
  readonly isInside: boolean
}

/** What the speech provider takes: 2 GB. */
export const mostRecordingBytes = 2 * 1024 ** 3
