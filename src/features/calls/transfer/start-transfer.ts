import { z } from 'zod'
import type { Actor } from '../../../access/actor.ts'
import { isoMoment } from '../../../kernel/clock.ts'
import { AppError, invalidInput } from '../../../kernel/errors.ts'
import { lineInput, parseInput } from '../../../kernel/input.ts'
import { notAPhoneNumber, toE164 } from '../../../kernel/phone.ts'
import type { TelephonyCapability, ThirdParty } from '../../../ports/telephony.ts'
import { control } from '../state/call-controls.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallPorts } from '../state/call-ports.ts'
import type { CallProviderPorts } from '../state/call-provider.ts'
import { writeControls } from '../state/call-state-store.ts'
import type { EndLostPorts } from '../tracking/end-lost-call.ts'
import { actOnCall, type HeldCall, lineOf } from '../control/held-call.ts'
import { assertOwnCall } from './assert-own-call.ts'
import { isRefusal } from '../control/lost-answer.ts'
import { setHold } from './set-hold.ts'
import { isUnderWay, type TransferState, writeTransferState } from '../outcomes/transfer-state.ts'

/** Exactly one of the three: a number in any notation, an agent's id at the provider, the provider's name of a queue. */
export type StartTransferInput = {
  readonly ucid: string
  readonly phoneNumber?: string | null | undefined
  readonly providerAgentId?: string | null | undefined
  readonly queue?: string | null | undefined
  readonly holdCustomer?: boolean | undefined
  /** A repetition with the same key does not call the third party again, even after the transfer was cancelled. */
  readonly idempotencyKey?: string | null | undefined
}

const inputSchema = z.object({
  phoneNumber: lineInput.nullish(),
  providerAgentId: lineInput.nullish(),
  queue: lineInput.nullish(),
  idempotencyKey: lineInput.nullish(),
})
type Wanted = z.output<typeof inputSchema>

/**
 * Begins a warm transfer: puts the customer on hold and calls a third party into the call. The same request again changes nothing while the
 * transfer is under way. Errors: INVALID_INPUT, NOT_FOUND, NOT_YOURS, ROLE_MISSING, NOT_CONFIGURED, NOT_SUPPORTED (the provider cannot add such
 * a party), WRONG_STATE (not possible now; the detail says why), the provider's. After DEADLINE_PASSED the third party may ring: cancel it.
 */
export async function startTransfer(
  ports: CallProviderPorts & EndLostPorts & Pick<CallPorts, 'agentRecordCache' | 'callRecords'>,
  actor: Actor,
  input: StartTransferInput,
): Promise<KnownCall> {
  const { ucid, holdCustomer = true, ...rest } = input
  const wanted = parseInput(inputSchema, rest)
  const step = async (held: HeldCall): Promise<void> => {
    assertOwnCall(held)
    const party = partyOf(wanted, held)
    if (isRepetition(held, { party, wanted })) return
    assertPossible(held, party)
    const idempotencyKey = wanted.idempotencyKey ?? null
    const state: TransferState = { stage: 'DIALLING', party, idempotencyKey, startedAt: isoMoment(ports.clock.now()), endedAt: null }
    await dialThirdParty(ports, held, { state, holdCustomer })
  }
  return actOnCall(ports, actor, { ucid, step })
}

function partyOf({ phoneNumber, providerAgentId, queue }: Wanted, held: HeldCall): ThirdParty {
  const given = [phoneNumber, providerAgentId, queue].filter((value) => value !== null && value !== undefined)
  if (given.length !== 1) throw invalidInput('phoneNumber', 'give exactly one of phoneNumber, providerAgentId and queue')
  const party = providerAgentId ? { providerAgentId } : queue ? { queue } : null
  assertSupported(held, capabilityFor(party))
  return party ?? { phoneNumber: numberOf(phoneNumber ?? '', held) }
}

function numberOf(text: string, { call, agent, section }: HeldCall): string {
  const phoneNumber = toE164(text, section.defaultCountry)
  if (phoneNumber === null) throw invalidInput('phoneNumber', notAPhoneNumber)
  if (phoneNumber === call.phoneNumber) throw invalidInput('phoneNumber', 'is the customer of this call: give another number')
  const own = toE164(agent.record.sipExtension ?? '', section.defaultCountry)
  if (phoneNumber === own) throw invalidInput('phoneNumber', 'is your own phone: give another number')
  return phoneNumber
}

function assertSupported({ provider: { telephony, capabilities } }: HeldCall, capability: ConferenceCapability): void {
  if (telephony && capabilities.has(capability)) return
  const instead = telephony && capabilities.has('CONFERENCE') ? ': give a phone number' : ''
  throw new AppError('NOT_SUPPORTED', { detail: `The provider of this call cannot transfer it to ${kinds[capability]}${instead}` })
}

type ConferenceCapability = Extract<TelephonyCapability, `CONFERENCE${string}`>
const kinds: Readonly<Record<ConferenceCapability, string>> = {
  CONFERENCE: 'a phone number',
  CONFERENCE_WITH_AGENT: 'an agent',
  CONFERENCE_WITH_QUEUE: 'a queue',
}

function capabilityFor(party: ThirdParty | null): ConferenceCapability {
  if (party && 'queue' in party) return 'CONFERENCE_WITH_QUEUE'
  return party && 'providerAgentId' in party ? 'CONFERENCE_WITH_AGENT' : 'CONFERENCE'
}

type Request = { readonly party: ThirdParty; readonly wanted: Wanted }

/** True if this transfer was started before. */
function isRepetition({ transfer }: HeldCall, { party, wanted }: Request): boolean {
  if (!transfer) return false
  const isSameParty = JSON.stringify(transfer.party) === JSON.stringify(party)
  const isSameKey = transfer.idempotencyKey !== null && transfer.idempotencyKey === wanted.idempotencyKey
  if (isSameKey && !isSameParty) throw invalidInput('idempotencyKey', 'was used for a transfer to somebody else: take a new one')
  if (!isSameKey && !(isUnderWay(transfer) && isSameParty)) return false
  if (transfer.stage === 'DIALLING') throw uncertain()
  return true
}

function assertPossible({ call, controls, transfer }: HeldCall, party: ThirdParty): void {
  const refuse = (detail: string): AppError => new AppError('WRONG_STATE', { detail })
  const after = control(call.phase, controls, 'phoneNumber' in party ? { action: 'CONFERENCE', ...party } : { action: 'HOLD' })
  if ('refused' in after) throw refuse(after.refused)
  if (transfer?.stage === 'COMPLETED' || call.transferTarget !== null) throw refuse('The call was transferred already')
  if (transfer && isUnderWay(transfer)) throw refuse('Another transfer of this call is under way: cancel it first')
}

type NewTransfer = { readonly state: TransferState; readonly holdCustomer: boolean }

/** Stored before the provider is asked, which must not be asked twice: it would call the third party twice. */
async function dialThirdParty(
  ports: Pick<CallPorts, 'log' | 'store'>,
  held: HeldCall,
  { state, holdCustomer }: NewTransfer,
): Promise<void> {
  const { key, controls, provider, transfer: former, lost } = held
  const { party } = state
  const { telephony, parties } = lineOf(held, capabilityFor(party), 'transfers')
  const isPresent = 'phoneNumber' in party && controls.parties.includes(party.phoneNumber)
  if (isPresent) return writeTransferState(ports, key, { ...state, stage: 'IN_PROGRESS' })
  const hold = holdCustomer && !controls.held && provider.capabilities.has('HOLD')
  const added = hold ? await setHold(ports, held, true) : controls
  await writeTransferState(ports, key, state)
  await writeControls(ports, key, { ...added, parties: 'phoneNumber' in party ? [...added.parties, party.phoneNumber] : added.parties })
  lost.throwIfAborted()
  try {
    await telephony.control({ ...parties, action: 'CONFERENCE', ...party })
  } catch (error) {
    if (!isRefusal(error)) throw uncertain(error)
    await writeTransferState(ports, key, former)
    await writeControls(ports, key, added)
    if (hold) await setHold(ports, { ...held, controls: added }, false).catch((failure: unknown) => logHold(ports, failure))
    throw error
  }
  await writeTransferState(ports, key, { ...state, stage: 'IN_PROGRESS' })
}

function logHold({ log }: Pick<CallPorts, 'log'>, error: unknown): void {
  log.warn({ err: error }, 'transfer.customer-still-on-hold')
}

function uncertain(cause?: unknown): AppError {
  const detail =
    'The provider gave no answer, so the third party may ring. Go on if they answer; otherwise cancel the transfer and start again'
  return new AppError('DEADLINE_PASSED', { detail, cause })
}
