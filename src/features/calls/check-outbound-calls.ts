import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { AppError } from '../../kernel/errors.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import type { ReportedCallFacts } from '../../ports/call-facts.ts'
import { acquireLease } from '../../ports/lease.ts'
import { maxOutboundCallMs } from '../../ports/outbound-telephony.ts'
import type { KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { type CallKey, readCall } from './call-state-store.ts'
import { endLostCall } from './end-lost-call.ts'
import { trackCall, type TrackCallPorts } from './track-call.ts'

/**
 * The second provider reports the end of a call and its recording in one webhook, which may be lost. So it is asked about each of its calls
 * until we know both. Until the end is known, the agent counts as busy.
 */
export type CheckOutboundPorts = TrackCallPorts & Pick<CallPorts, 'configuration' | 'log' | 'outboundTelephonyOf'>

const minuteMs = 60_000
const maxDelayMs = 5 * minuteMs
/** The recording follows the call within minutes. */
const recordingDelayMs = 3 * minuteMs
const maxRecordingMs = 15 * minuteMs
/** A provider may not know its newest calls everywhere. */
const unknownAfterMs = 5 * minuteMs
const maxPerRun = 20
/** So that impatient clients do not use up the provider's limit of 200 requests a minute. */
const askAgainMs = 10_000
const openList = 'outbound-calls-open'
const notChecked = 'NOT_CHECKED' as const
/** From the first failure on. By then the call has ended, and a day has passed in which the failure could be mended. */
const giveUpAfterMs = maxOutboundCallMs + 86_400_000

/** Leaves a call of the second provider to `checkOutboundCalls`. */
export async function checkLater({ store, clock }: Pick<CallPorts, 'clock' | 'store'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await store.sortedAdd(openList, JSON.stringify([workspaceId, ucid]), clock.now() + minuteMs)
}

/** Checks the calls that are due, and resolves to their number. One instance at a time does it. Errors: STORE_UNAVAILABLE. */
export async function checkOutboundCalls(ports: CheckOutboundPorts): Promise<number> {
  const { store, clock, log } = ports
  const due = await store.sortedRange(openList, { max: clock.now(), limit: maxPerRun })
  if (due.length === 0) return 0
  await using lease = await acquireLease(store, `${openList}:lease`, { log })
  if (!lease) return 0
  const checked = await Promise.allSettled(due.map(({ member }) => checkDue(ports, member)))
  const failed = checked.find((result) => result.status === 'rejected')
  if (failed) throw failed.reason
  return due.length
}

async function checkDue(ports: CheckOutboundPorts, member: string): Promise<void> {
  const { store, clock, log } = ports
  const key = keyIn(member)
  const call = await checkOutboundCall(ports, key).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'STORE_UNAVAILABLE') throw error
    // Another version of this service has written it, in another form, or a step of it fails: it must not hold up the others.
    log.warn({ ...key, reason: error instanceof z.ZodError ? 'WRONG_SCHEMA' : loggedReason(error) }, 'outbound-call.not-checked')
    return notChecked
  })
  const delayMs = call === notChecked ? await nextTryMs(ports, key) : nextCheckMs(call, clock.now())
  if (delayMs === null) await store.sortedRemove(openList, member)
  else await store.sortedAdd(openList, member, clock.now() + delayMs)
}

/** Null if the checks of this call have failed for too long. */
async function nextTryMs({ store, clock, log }: CheckOutboundPorts, key: CallKey): Promise<number | null> {
  const firstKey = `outbound-call-failing:${key.workspaceId}:${key.ucid}`
  await store.setIfAbsent(firstKey, String(clock.now()), { ttlMs: 2 * giveUpAfterMs })
  const firstAt = Number((await store.get(firstKey)) ?? clock.now())
  if (clock.now() - firstAt <= giveUpAfterMs) return maxDelayMs
  log.error(key, 'outbound-call.given-up')
  return null
}

/** Null if nothing is left to ask. */
function nextCheckMs(call: KnownCall | null, now: number): number | null {
  if (!call || call.startedAt === null || !isOpen(call)) return null
  if (call.endedAt !== null) return now - Date.parse(call.endedAt) < maxRecordingMs ? recordingDelayMs : null
  return Math.min(Math.max((now - Date.parse(call.startedAt)) / 4, minuteMs), maxDelayMs)
}

/** Asks at most every ten seconds, for an agent who waits. Errors: STORE_UNAVAILABLE. */
export async function checkOutboundCallNow(ports: CheckOutboundPorts, key: CallKey): Promise<KnownCall | null> {
  const { workspaceId, ucid } = key
  const isDue = await ports.store.setIfAbsent(`outbound-call-asked:${workspaceId}:${ucid}`, '1', { ttlMs: askAgainMs })
  return isDue ? checkOutboundCall(ports, key) : readCall(ports, key)
}

/** The call with what the provider says of its end. A call that the provider does not know has ended. After the longest time that a call can take, it has ended, whatever the provider says. */
async function checkOutboundCall(ports: CheckOutboundPorts, key: CallKey): Promise<KnownCall | null> {
  const call = await readCall(ports, key)
  if (!call || !isOpen(call) || call.provider === null) return call
  const now = ports.clock.now()
  const origin = { workspaceId: key.workspaceId, provider: call.provider, receivedAt: now }
  const update = { about: 'CALL', ucid: key.ucid, automaticDisposition: null } as const
  const answer = await askProvider(ports, key, call)
  const isUnknown = answer === 'UNKNOWN' && call.endedAt === null && isOlderThan(call, unknownAfterMs, now)
  const isTooOld = call.endedAt === null && isOlderThan(call, maxOutboundCallMs + maxDelayMs, now)
  if (answer !== null && answer !== 'UNKNOWN') await trackCall(ports, origin, { ...update, source: 'RECORD', facts: answer })
  else if (isUnknown) await endLostCall(ports, key)
  else if (isTooOld) await trackCall(ports, origin, { ...update, source: 'LIVE', facts: { endedAt: isoMoment(now) } })
  else return call
  return readCall(ports, key)
}

function isOlderThan({ startedAt }: KnownCall, ms: number, now: number): boolean {
  return startedAt !== null && now - Date.parse(startedAt) > ms
}

/** Null while the call goes on, and if the provider cannot be asked; UNKNOWN if it knows no such call. */
async function askProvider(
  ports: CheckOutboundPorts,
  { workspaceId, ucid }: CallKey,
  call: KnownCall,
): Promise<ReportedCallFacts | 'UNKNOWN' | null> {
  try {
    const { outbound } = await ports.configuration.read(workspaceId, 'telephony')
    const provider = outbound?.id === call.provider ? await ports.outboundTelephonyOf(workspaceId) : null
    return (await provider?.endedCall(ucid)) ?? null
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    if (error.reason === 'NOT_FOUND') return 'UNKNOWN'
    ports.log.warn({ workspaceId, ucid, reason: error.reason }, 'outbound-call.not-checked')
    return null
  }
}

/** Whether its end, or the recording of an answered call, is unknown. */
function isOpen({ phase, recordingUrl }: KnownCall): boolean {
  return phase === 'RINGING' || phase === 'ANSWERED' || (phase === 'COMPLETED' && recordingUrl === null)
}

function keyIn(member: string): CallKey {
  const parts: unknown = JSON.parse(member)
  const [workspaceId = '', ucid = ''] = Array.isArray(parts) ? parts.map(String) : []
  return { workspaceId, ucid }
}
