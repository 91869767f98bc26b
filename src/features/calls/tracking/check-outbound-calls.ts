import { z } from 'zod'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallFacts, ReportedCallFacts } from '../../../ports/call-facts.ts'
import { DueList, itemOfPair } from '../../../ports/due/due-list.ts'
import { carryOverShared, type DueResult, type DueTask, eachAlone } from '../../../ports/due/due-work.ts'
import { maxOutboundCallMs } from '../../../ports/outbound-telephony.ts'
import { Family } from '../../../ports/stored/family.ts'
import { type KnownCall, knownCall, phaseOf } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type CallKey, readFacts } from '../state/call-state-store.ts'
import { endLostCall } from './end-lost-call.ts'
import { trackCall, type TrackCallPorts } from './track-call.ts'

/**
 * The second provider reports the end of a call and its recording in one webhook, which may be lost. So it is asked
 * about each of its calls until we know both. Until the end is known, the agent counts as busy.
 */
export type CheckOutboundPorts = TrackCallPorts & Pick<CallPorts, 'configuration' | 'log' | 'outboundTelephonyOf'>

const minuteMs = 60_000
const maxDelayMs = 5 * minuteMs
/** The recording follows the call within minutes. */
const recordingDelayMs = 3 * minuteMs
const maxRecordingMs = 15 * minuteMs
/** A provider may not know its newest calls everywhere. */
const unknownAfterMs = 5 * minuteMs
/** So that impatient clients do not use up the provider's limit of 200 requests a minute. */
const askAgainMs = 10_000

const mostAtOnce = 20

const byCall = ({ workspaceId, ucid }: CallKey): readonly string[] => [workspaceId, ucid]

export const openOutboundCalls = new DueList({
  name: 'outbound-calls-open',
  about: 'call',
  what: 'outgoing calls whose end is unknown',
  retry: { firstMs: maxDelayMs, longestMs: maxDelayMs },
  // By then the call has ended, and a day has passed in which the failure could be mended.
  giveUpAfterMs: maxOutboundCallMs + 86_400_000,
  batch: mostAtOnce,
})

export const askedOutboundCalls = new Family({
  name: 'outbound-call-asked',
  key: byCall,
  schema: z.string(),
  form: 'TEXT',
  lifetime: askAgainMs,
  about: 'call',
  what: 'that the provider was asked about a call',
})

/** Leaves a call of the second provider to `checkOutboundCalls`. */
export async function checkLater(ports: Pick<CallPorts, 'clock' | 'store'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await openOutboundCalls.add(ports, { workspaceId, id: ucid }, ports.clock.now() + minuteMs)
}

/** Asks the provider about the calls that are due. */
export function checkOutboundCalls(ports: CheckOutboundPorts): DueTask {
  const list = openOutboundCalls
  return {
    list,
    run: eachAlone(mostAtOnce, ({ workspaceId, id: ucid }) => checkDue(ports, { workspaceId, ucid })),
    carryOver: () => carryOverShared(ports, list, { former: list.shared, itemIn: itemOfPair }),
  }
}

async function checkDue(ports: CheckOutboundPorts, key: CallKey): Promise<DueResult> {
  const facts = await checkOutboundCall(ports, key)
  const delayMs = facts && nextCheckMs(facts, ports.clock.now())
  return delayMs === null ? 'DONE' : { again: ports.clock.now() + delayMs }
}

/** Null if nothing is left to ask. */
function nextCheckMs(facts: CallFacts, now: number): number | null {
  const call = knownCall('', facts)
  if (call.startedAt === null || !isOpen(facts)) return null
  if (call.endedAt !== null) return now - Date.parse(call.endedAt) < maxRecordingMs ? recordingDelayMs : null
  return Math.min(Math.max((now - Date.parse(call.startedAt)) / 4, minuteMs), maxDelayMs)
}

/** Asks at most every ten seconds, for an agent who waits. Errors: STORE_UNAVAILABLE. */
export async function checkOutboundCallNow(ports: CheckOutboundPorts, key: CallKey): Promise<KnownCall | null> {
  const isDue = await askedOutboundCalls.writeNew(ports, key, { value: '1' })
  const facts = await (isDue ? checkOutboundCall(ports, key) : readFacts(ports, key))
  return facts && knownCall(key.ucid, facts)
}

/**
 * The call with what the provider says of its end. A call that the provider does not know has ended. After the longest
 * time that a call can take, it has ended, whatever the provider says.
 */
async function checkOutboundCall(ports: CheckOutboundPorts, key: CallKey): Promise<CallFacts | null> {
  const facts = await readFacts(ports, key)
  const call = facts && knownCall(key.ucid, facts)
  if (!call || !isOpen(facts) || call.provider === null) return facts
  const now = ports.clock.now()
  const origin = { workspaceId: key.workspaceId, provider: call.provider, receivedAt: now }
  const update = { about: 'CALL', ucid: key.ucid, automaticDisposition: null } as const
  const answer = await askProvider(ports, key, call)
  const isUnknown = answer === 'UNKNOWN' && call.endedAt === null && isOlderThan(call, unknownAfterMs, now)
  const isTooOld = call.endedAt === null && isOlderThan(call, maxOutboundCallMs + maxDelayMs, now)
  if (answer !== null && answer !== 'UNKNOWN') await trackCall(ports, origin, { ...update, source: 'RECORD', facts: answer })
  else if (isUnknown) await endLostCall(ports, key)
  else if (isTooOld) await trackCall(ports, origin, { ...update, source: 'LIVE', facts: { endedAt: isoMoment(now) } })
  else return facts
  return readFacts(ports, key)
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

/** Whether its end, whether it was answered, or the recording of an answered call is unknown. */
function isOpen(facts: CallFacts): boolean {
  return facts.answered === undefined || facts.endedAt === undefined || (phaseOf(facts) === 'COMPLETED' && !facts.recordingUrl)
}
