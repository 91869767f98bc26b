import { AppError } from '../../../kernel/errors.ts'
import type { Telephony, TelephonyCapability } from '../../../ports/telephony.ts'
import { type ControlAction, controlActions } from './call-controls.ts'
import type { KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'

export type CallProviderPorts = Pick<CallPorts, 'configuration' | 'outboundTelephonyOf' | 'telephonyOf'>

/** What the provider of a call can do with it. `telephony`: null if the second provider has the call. */
export type CallProvider = { readonly capabilities: ReadonlySet<TelephonyCapability>; readonly telephony: Telephony | null }

/** What a provider must be able to do for each action. */
export const capabilityOf: Readonly<Record<ControlAction, TelephonyCapability>> = {
  HOLD: 'HOLD',
  UNHOLD: 'HOLD',
  MUTE: 'MUTE',
  UNMUTE: 'MUTE',
  CONFERENCE: 'CONFERENCE',
  KICK: 'CONFERENCE',
  HANG_UP: 'HANG_UP',
  PAUSE_RECORDING: 'PAUSE_RECORDING',
  RESUME_RECORDING: 'PAUSE_RECORDING',
}

/** The provider that has the call; the telephony provider if that is unknown. Errors: NOT_CONFIGURED. */
export async function providerOfCall(
  ports: CallProviderPorts,
  workspaceId: string,
  { provider }: Pick<KnownCall, 'provider'>,
): Promise<CallProvider> {
  const configured = await ports.configuration.read(workspaceId, 'telephony')
  const isFormer = configured.provider !== null && provider !== configured.provider.id
  if (provider === null || (!isFormer && provider !== configured.outbound?.id)) {
    const telephony = await ports.telephonyOf(workspaceId)
    return { capabilities: telephony.capabilities, telephony }
  }
  const outbound = provider === configured.outbound?.id ? await ports.outboundTelephonyOf(workspaceId) : null
  return { capabilities: outbound?.capabilities ?? new Set(), telephony: null }
}

/** What the provider can do with the call; nothing after its end, or if no provider is configured. */
export async function possibleActions(ports: CallProviderPorts, workspaceId: string, call: KnownCall): Promise<ControlAction[]> {
  if (call.phase === 'COMPLETED' || call.phase === 'MISSED') return []
  const { capabilities } = await providerOfCall(ports, workspaceId, call).catch((error: unknown) => {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return { capabilities: new Set<TelephonyCapability>() }
    throw error
  })
  return controlActions.filter((action) => capabilities.has(capabilityOf[action]))
}
