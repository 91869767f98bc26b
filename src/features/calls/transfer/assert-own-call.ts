import { AppError } from '../../../kernel/errors.ts'
import type { HeldCall } from '../control/held-call.ts'

/** A manager may see another agent's call, but cannot leave it. Throws NOT_YOURS. */
export function assertOwnCall({ call, agent }: HeldCall): void {
  const isOwn = call.agentId === null || call.agentId === agent.providerAgentId || call.agentRecordId === agent.record.id
  if (!isOwn) throw new AppError('NOT_YOURS', { detail: 'Only the agent of the call can transfer it' })
}
