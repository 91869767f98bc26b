import { AppError } from '../../../kernel/errors.ts'
import type { TelephonyCapability } from '../../../ports/telephony.ts'
import type { CallPorts } from '../state/call-ports.ts'

const shownCapabilities = [
  'AGENT_STATE',
  'DIAL',
  'HOLD',
  'MUTE',
  'CONFERENCE',
  'CONFERENCE_WITH_AGENT',
  'CONFERENCE_WITH_QUEUE',
  'HANG_UP',
  'PAUSE_RECORDING',
  'DISPOSITION',
] as const satisfies readonly TelephonyCapability[]

/** An empty list: the provider decides. `capabilities`: empty if no provider is configured. */
export type CallSettings = {
  readonly dispositions: readonly string[]
  readonly notReadyReasons: readonly string[]
  readonly wrapUpSeconds: number | null
  readonly capabilities: readonly (typeof shownCapabilities)[number][]
}

/** What agents may choose, and what their provider can do. Errors: STORE_UNAVAILABLE. */
export async function readCallSettings(
  { configuration, telephonyOf }: Pick<CallPorts, 'configuration' | 'telephonyOf'>,
  workspaceId: string,
): Promise<CallSettings> {
  const [{ dispositions, notReadyReasons, wrapUpSeconds }, capabilities] = await Promise.all([
    configuration.read(workspaceId, 'telephony'),
    telephonyOf(workspaceId).then((telephony) => telephony.capabilities, noneIfUnconfigured),
  ])
  return {
    dispositions,
    notReadyReasons,
    wrapUpSeconds,
    capabilities: shownCapabilities.filter((capability) => capabilities.has(capability)),
  }
}

function noneIfUnconfigured(error: unknown): ReadonlySet<TelephonyCapability> {
  if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return new Set()
  throw error
}
