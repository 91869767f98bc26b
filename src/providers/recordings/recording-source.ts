import { deadlineSignal, scaled } from '../../kernel/deadlines.ts'
import { transportError } from '../../kernel/http-client.ts'
import type { OutboundTelephony, RecordingStream } from '../../ports/outbound-telephony.ts'
import type { AddressGuard } from '../../kernel/address-guard.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { maxRecordingBytes, type RecordingAddress, type RecordingSource } from '../../ports/recording-source.ts'
import { requestGuarded } from './guarded-request.ts'
import { inspectedBytes } from './count-channels.ts'
import { readSound } from './read-sound.ts'

export type RecordingSourceOptions = {
  readonly guard: AddressGuard
  /** The workspace's list of hosts; empty: any public host. */
  readonly hostsOf: (workspaceId: string) => Promise<readonly string[]>
  /** Null if the workspace has no second provider. */
  readonly outboundOf: (workspaceId: string) => Promise<OutboundTelephony | null>
  /** Whether an address is in a private network that the operator trusts. */
  readonly isPrivate: (url: string) => boolean
}

type Opened = RecordingStream & { readonly url: string; readonly needsCredentials: boolean }
type Asked = RecordingAddress & { readonly range?: string }

const beginningMs = 15_000
const inspectionMs = 60_000
const retryAfterSeconds = 60
const field = 'recordingUrl'
const who = 'The server with the recording'

export function createRecordingSource(options: RecordingSourceOptions): RecordingSource {
  const open = async (asked: Asked): Promise<Opened> => {
    const late = new AbortController()
    const timer = setTimeout(() => late.abort(tookTooLong()), scaled(beginningMs))
    const signal = AbortSignal.any([late.signal, asked.signal])
    try {
      return (await openAtProvider(options, { ...asked, signal })) ?? (await openAnywhere(options, { ...asked, signal }))
    } finally {
      clearTimeout(timer)
    }
  }

  return {
    open: async (recording, { range }) => open({ ...recording, ...(range === undefined ? {} : { range }) }),
    async inspect(recording, { isRecent }) {
      const signal = AbortSignal.any([recording.signal, deadlineSignal(inspectionMs)])
      const opened = await open({ ...recording, signal, range: `bytes=0-${inspectedBytes - 1}` })
      const { url, needsCredentials } = opened
      const isEmpty = opened.status === 416
      const bytes = isEmpty ? 0 : bytesOf(opened)
      if (isEmpty || (bytes ?? 0) > maxRecordingBytes) await close(opened)
      if ((bytes ?? 0) > maxRecordingBytes) throw invalidInput(field, 'names a recording of more than 2 GB')
      const sound = isEmpty
        ? 'EMPTY'
        : await readSound(opened.body).catch((error: unknown) => {
            throw transportError(error, { who, signal })
          })
      if (typeof sound !== 'string') return { ...sound, url, bytes, needsCredentials, isPrivate: options.isPrivate(url) }
      if (isRecent) throw notFound()
      throw invalidInput(field, sound === 'EMPTY' ? 'names an empty recording' : 'names a file that is not audio')
    },
  }
}

/** Null if the address is not the provider's. */
async function openAtProvider({ outboundOf }: RecordingSourceOptions, { workspaceId, url, range, signal }: Asked): Promise<Opened | null> {
  const outbound = await outboundOf(workspaceId)
  if (!outbound) return null
  try {
    const stream = await outbound.recording({ url, signal, ...(range === undefined ? {} : { range }) })
    return { ...stream, url, needsCredentials: true }
  } catch (error) {
    if (error instanceof AppError && error.reason === 'INVALID_INPUT') return null
    throw error instanceof AppError && error.reason === 'NOT_FOUND' ? notFound() : error
  }
}

async function openAnywhere({ guard, hostsOf }: RecordingSourceOptions, { workspaceId, url, range, signal }: Asked): Promise<Opened> {
  const answer = await requestGuarded(guard, { url, range, signal, hosts: await hostsOf(workspaceId) })
  const { statusCode: status, headers, body } = answer
  if (status === 200 || status === 206 || status === 416) {
    return {
      status,
      contentType: textOf(headers['content-type']) ?? 'application/octet-stream',
      contentLength: numberOf(headers['content-length']),
      contentRange: textOf(headers['content-range']),
      body,
      url: answer.url,
      needsCredentials: false,
    }
  }
  body.on('error', () => {}).destroy()
  if (status === 404 || status === 410 || status === 403) throw notFound()
  if (status === 401) throw invalidInput(field, 'needs credentials that this service does not have')
  throw new AppError('PROVIDER_UNAVAILABLE', { detail: `${who} is not available` })
}

function notFound(): AppError {
  return new AppError('NOT_FOUND', { detail: 'The recording is not available yet', data: { retryAfterSeconds } })
}

function tookTooLong(): AppError {
  return new AppError('DEADLINE_PASSED', { detail: `${who} took too long` })
}

/** The size of the whole recording, also in the answer to a range request. */
function bytesOf({ status, contentRange, contentLength }: RecordingStream): number | null {
  if (status !== 206) return contentLength
  const total = /\/(\d+)$/.exec(contentRange ?? '')?.[1]
  return total === undefined ? null : Number(total)
}

/** `break` ends the stream, and with it the connection. */
async function close({ body }: RecordingStream): Promise<void> {
  for await (const _ of body) break
}

function textOf(header: string | string[] | undefined): string | null {
  return typeof header === 'string' ? header : null
}

function numberOf(header: string | string[] | undefined): number | null {
  const number = typeof header === 'string' && header !== '' ? Number(header) : Number.NaN
  return Number.isSafeInteger(number) && number >= 0 ? number : null
}
