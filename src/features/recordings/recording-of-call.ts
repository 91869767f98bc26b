import type { PlatformCall } from '../../ports/call-records.ts'
import type { Telephony } from '../../ports/telephony.ts'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'

export type RecordingUrlDeps = { readonly telephonyOf: (workspaceId: string) => Promise<Telephony>; readonly clock: Clock }

/** Where a call's recording is: as the call record says, else as the telephony provider does. NOT_FOUND where neither has one (yet). */
export type RecordingUrlOf = (workspaceId: string, call: PlatformCall) => Promise<string>

const minute = 60_000
const day = 24 * 60 * minute
/** Recordings come within minutes of the end of a call. */
const mayStillComeMs = 30 * minute
/** Providers keep call records for a fortnight. */
const providerKeepsMs = 14 * day

export function createRecordingUrlOf({ telephonyOf, clock }: RecordingUrlDeps): RecordingUrlOf {
  return async (workspaceId, call) => {
    if (call.recordingUrl !== null) return call.recordingUrl
    const told = await askProvider({ telephonyOf, clock }, workspaceId, call)
    if (told !== null) return told
    throw notThere(call, clock.now())
  }
}

/** What the provider does not tell (no provider, its few requests used up, another fault) is as if it had none: it can be asked again. */
async function askProvider({ telephonyOf, clock }: RecordingUrlDeps, workspaceId: string, call: PlatformCall): Promise<string | null> {
  const { ucid, startedAt } = call
  if (ucid === null || startedAt === null || clock.now() - Date.parse(startedAt) > providerKeepsMs) return null
  try {
    const telephony = await telephonyOf(workspaceId)
    if (!telephony.capabilities.has('CALL_RECORDS')) return null
    // The range must lie in one day of the provider; a record is found by the beginning of its call.
    const to = isoMoment(Date.parse(startedAt) + 1_000)
    const records = await telephony.callRecords({ from: isoMoment(Date.parse(startedAt)), to, ucid })
    return records.find((record) => record.ucid === ucid)?.recordingUrl ?? null
  } catch (error) {
    if (error instanceof AppError) return null
    throw error
  }
}

function notThere({ endedAt, startedAt }: PlatformCall, now: number): AppError {
  const last = endedAt ?? startedAt
  const mayCome = last === null || now - Date.parse(last) < mayStillComeMs || endedAt === null
  return mayCome
    ? new AppError('NOT_FOUND', { detail: 'The recording is not available yet', data: { retryAfterSeconds: 60 } })
    : new AppError('NOT_FOUND', { detail: 'This call has no recording' })
}
