import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import type { PlatformCall } from '../../ports/call-records.ts'
import type { Ports } from '../../ports/ports.ts'
import type { KnownCall } from '../calls/state/call-facts.ts'
import { readCall } from '../calls/state/call-state-store.ts'

const minute = 60_000
const day = 24 * 60 * minute
/** Recordings arrive within minutes after the end of a call. */
const maxDelayMs = 30 * minute
/** Providers store call records for a fortnight. */
const providerRetentionMs = 14 * day

type UrlPorts = Pick<Ports, 'clock' | 'configuration' | 'outboundTelephonyOf' | 'store' | 'telephonyOf'>

/**
 * The address that the provider reported to us, else the one in the call record, which agents may be able to change, else the one that the
 * provider has. NOT_FOUND if none has one (yet).
 */
export async function findRecordingUrl(ports: UrlPorts, workspaceId: string, call: PlatformCall): Promise<string> {
  const known = call.ucid === null ? null : await readCall(ports, { workspaceId, ucid: call.ucid })
  const address = known?.recordingUrl ?? call.recordingUrl
  if (address !== null) return address
  const reported = await askProvider(ports, workspaceId, { call, known })
  if (reported !== null) return reported
  throw notFound(call, ports.clock.now())
}

type Asked = { readonly call: PlatformCall; readonly known: KnownCall | null }

/** Null also if the provider cannot answer (no provider, rate limit, outage): the client may ask again. */
async function askProvider(ports: UrlPorts, workspaceId: string, { call, known }: Asked): Promise<string | null> {
  const { ucid, startedAt } = call
  if (ucid === null || startedAt === null || ports.clock.now() - Date.parse(startedAt) > providerRetentionMs) return null
  try {
    const { outbound } = await ports.configuration.read(workspaceId, 'telephony')
    if (outbound && known?.provider === outbound.id) {
      const ended = await (await ports.outboundTelephonyOf(workspaceId))?.endedCall(ucid)
      return ended?.recordingUrl ?? null
    }
    const telephony = await ports.telephonyOf(workspaceId)
    if (!telephony.capabilities.has('CALL_RECORDS')) return null
    const record = await telephony.callRecord({ ucid, startedAt: isoMoment(Date.parse(startedAt)) })
    return record?.facts.recordingUrl ?? null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function notFound({ endedAt, startedAt }: PlatformCall, now: number): AppError {
  const last = endedAt ?? startedAt
  const mayArrive = last === null || now - Date.parse(last) < maxDelayMs || endedAt === null
  return mayArrive
    ? new AppError('NOT_FOUND', { detail: 'The recording is not available yet', data: { retryAfterSeconds: 60 } })
    : new AppError('NOT_FOUND', { detail: 'This call has no recording' })
}
