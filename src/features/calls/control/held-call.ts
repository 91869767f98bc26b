import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { CallParties, Telephony, TelephonyCapability } from '../../../ports/telephony.ts'
import { type Agent, readAgent } from '../../sessions/read-agent.ts'
import type { CallControls } from '../state/call-controls.ts'
import type { KnownCall } from '../state/call-facts.ts'
import { withCallLease } from './call-lease.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { type CallProvider, type CallProviderPorts, providerOfCall } from '../state/call-provider.ts'
import { type CallKey, readCall, readControls } from '../state/call-state-store.ts'
import { numberToCall } from '../state/number-to-call.ts'
import { endIfUnknown, type EndLostPorts } from '../tracking/end-lost-call.ts'
import { findOwnCall } from '../state/find-own-call.ts'
import { readTransferState, type TransferState } from '../outcomes/transfer-state.ts'
import { publishCallChange } from '../state/update-call.ts'

/** A call on which nobody else acts, as it is now. */
export type HeldCall = {
  readonly key: CallKey
  readonly call: KnownCall
  readonly controls: CallControls
  readonly transfer: TransferState | null
  readonly agent: Agent
  readonly section: TelephonySection
  readonly provider: CallProvider
  /** Aborts if somebody else may act on the call. */
  readonly lost: AbortSignal
}

export type CallStep = { readonly ucid: string; readonly step: (held: HeldCall) => Promise<void> }

/**
 * Runs a step on a call of the actor, while nobody else acts on it, and returns the call. A call that the provider does not know ends. Errors: NOT_FOUND (unknown call), NOT_YOURS,
 * ROLE_MISSING (no agent record), NOT_CONFIGURED, WRONG_STATE (busy), STORE_UNAVAILABLE, those of the step.
 */
export async function actOnCall(
  ports: CallProviderPorts & EndLostPorts & Pick<CallPorts, 'agentRecordCache' | 'callRecords'>,
  actor: Actor,
  { ucid, step }: CallStep,
): Promise<KnownCall> {
  const { workspaceId } = actor.principal
  const [found, agent, section] = await Promise.all([
    findOwnCall(ports, actor, ucid),
    readAgent(ports, actor),
    ports.configuration.read(workspaceId, 'telephony'),
  ])
  if (!found) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  if (!agent) throw new AppError('ROLE_MISSING', { detail: 'Only a member with an agent record can control calls' })
  const key = { workspaceId, ucid }
  const provider = await providerOfCall(ports, workspaceId, found)
  const current = async (): Promise<KnownCall> => (await readCall(ports, key)) ?? found
  await withCallLease(ports, key, async (lost) => {
    const [call, controls, transfer] = await Promise.all([current(), readControls(ports, key), readTransferState(ports, key)])
    await step({ key, call, controls, transfer, agent, section, provider, lost }).catch(async (error: unknown) => {
      await endIfUnknown(ports, key, error)
      throw error
    })
  }).finally(() => publishCallChange(ports, workspaceId, found))
  return current()
}

/** The telephony provider, which has the call, and how it knows the parties. */
export type Line = { readonly telephony: Telephony; readonly parties: CallParties }

/** `what`: the action, for the agent to read. Errors: NOT_SUPPORTED (the call's provider lacks the capability), NOT_CONFIGURED. */
export function lineOf(held: HeldCall, capability: TelephonyCapability, what: string): Line {
  const { capabilities, telephony } = held.provider
  if (telephony && capabilities.has(capability)) return { telephony, parties: partiesOf(held) }
  throw new AppError('NOT_SUPPORTED', { detail: `The provider of this call cannot do ${what}: use the phone instead` })
}

function partiesOf({ call, agent: { record }, section }: HeldCall): CallParties {
  const { ucid, did } = call
  const ours = did ?? section.did
  if (ours === null) throw new AppError('NOT_CONFIGURED', { detail: 'The number that was called is not known; set telephony.did' })
  if (record.sipExtension === null) throw new AppError('NOT_CONFIGURED', { detail: "The agent's record has no SIP extension" })
  return { ucid, did: ours, customerNumber: numberToCall(call), agentPhoneNumber: record.sipExtension }
}
