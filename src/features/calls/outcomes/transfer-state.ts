import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallKey } from '../state/call-state-store.ts'

/**
 * DIALLING: the provider was asked to call the third party, and did not answer yet. IN_PROGRESS: it calls them or has connected them; it does
 * not report which. LEAVING: it was asked to remove the agent, and did not answer yet. COMPLETED: the agent has left. CANCELLED: the third
 * party was removed.
 */
const stages = ['DIALLING', 'IN_PROGRESS', 'LEAVING', 'COMPLETED', 'CANCELLED'] as const

const transferStateSchema = z.object({
  stage: z.enum(stages),
  party: z.union([z.object({ phoneNumber: z.string() }), z.object({ providerAgentId: z.string() }), z.object({ queue: z.string() })]),
  idempotencyKey: z.string().nullable(),
  startedAt: z.string(),
  /** When it was completed or cancelled. */
  endedAt: z.string().nullable(),
})
/** The last transfer of a call that was started here. */
export type TransferState = z.output<typeof transferStateSchema>

export const transfers = new Family({
  name: 'call-transfer',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: transferStateSchema,
  // Longer than any call.
  lifetime: 86_400_000,
  about: 'call',
  what: 'a transfer of a call',
})

/** Null if none was started. Errors: STORE_UNAVAILABLE. */
export async function readTransferState(ports: Pick<Ports, 'store'>, call: CallKey): Promise<TransferState | null> {
  return transfers.read(ports, call)
}

/** Null deletes it. Errors: STORE_UNAVAILABLE. */
export async function writeTransferState(ports: Pick<Ports, 'store'>, call: CallKey, state: TransferState | null): Promise<void> {
  if (state === null) await transfers.delete(ports, call)
  else await transfers.write(ports, call, { value: state })
}

export function isUnderWay({ stage }: TransferState): boolean {
  return stage === 'DIALLING' || stage === 'IN_PROGRESS' || stage === 'LEAVING'
}

/** The facts of a call about its third party. */
export function targetOf({ party }: Pick<TransferState, 'party'>): { readonly target: 'NUMBER' | 'AGENT' | 'QUEUE'; readonly to: string } {
  if ('phoneNumber' in party) return { target: 'NUMBER', to: party.phoneNumber }
  return 'queue' in party ? { target: 'QUEUE', to: party.queue } : { target: 'AGENT', to: party.providerAgentId }
}

/** A transfer as a client sees it; `status` CALL_ENDED: the call ended before the agent left. */
export type CallTransfer = {
  readonly status: 'DIALLING' | 'IN_PROGRESS' | 'COMPLETED' | 'CANCELLED' | 'CALL_ENDED'
  readonly target: NonNullable<KnownCall['transferTarget']>
  readonly to: string | null
  readonly startedAt: string | null
  readonly endedAt: string | null
}

/** The transfer of a call, whether it was started here or in the provider's own user interface; null if there is none. Errors: STORE_UNAVAILABLE. */
export async function readTransfer(ports: Pick<Ports, 'store'>, workspaceId: string, call: KnownCall): Promise<CallTransfer | null> {
  return transferOf(call, await readTransferState(ports, { workspaceId, ucid: call.ucid }))
}

function transferOf(call: KnownCall, state: TransferState | null): CallTransfer | null {
  if (call.transferTarget !== null) {
    const { transferTarget: target, transferredTo: to, transferredAt: endedAt } = call
    return { status: 'COMPLETED', target, to, startedAt: state?.startedAt ?? null, endedAt }
  }
  if (!state) return null
  const { startedAt, endedAt } = state
  if (!isUnderWay(state)) return { status: state.stage === 'COMPLETED' ? 'COMPLETED' : 'CANCELLED', ...targetOf(state), startedAt, endedAt }
  const isOver = call.phase === 'COMPLETED' || call.phase === 'MISSED'
  if (isOver) return { status: 'CALL_ENDED', ...targetOf(state), startedAt, endedAt: call.endedAt }
  return { status: state.stage === 'DIALLING' ? 'DIALLING' : 'IN_PROGRESS', ...targetOf(state), startedAt, endedAt }
}
