import type { Actor } from '../../../access/actor.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { CallFacts } from '../../../ports/call-facts.ts'
import { derivedId } from '../../../kernel/ids.ts'
import { asPerson } from '../../../ports/record-access.ts'
import { type Agent, readAgent } from '../../sessions/read-agent.ts'
import { factsOf, type KnownCall, knownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { readCall } from './call-state-store.ts'
import { factsOfRecord } from './facts-of-record.ts'

/** `recordId`: the id of the call's record on the platform. The record may not exist yet. */
export type OwnCall = KnownCall & {
  readonly recordId: string
  /** What the platform's record says if nothing else is known of the call; null for a call that is in our store. */
  readonly recorded: CallFacts | null
}

/**
 * A call that the actor may handle: their own, a call without an agent, or any call for a manager. Null if neither we nor the platform
 * know the call. Errors: NOT_YOURS, STORE_UNAVAILABLE, the platform's.
 */
export async function findOwnCall(
  ports: Pick<CallPorts, 'agentRecordCache' | 'callRecords' | 'configuration' | 'store'>,
  actor: Actor,
  ucid: string,
): Promise<OwnCall | null> {
  const call = await findCall(ports, actor, ucid)
  if (!call || actor.principal.role === 'MANAGER') return call
  if (call.agentId === null && call.agentRecordId === null) return call
  const agent = await readAgent(ports, actor)
  if (!agent || !isCallOf(agent, call)) throw new AppError('NOT_YOURS', { detail: 'This call belongs to another agent' })
  return call
}

/** Calls of the second provider have only the agent's record. */
export function isCallOf({ providerAgentId, record }: Agent, call: Pick<KnownCall, 'agentId' | 'agentRecordId'>): boolean {
  return call.agentId === providerAgentId || call.agentRecordId === record.id
}

async function findCall(
  ports: Pick<CallPorts, 'store' | 'callRecords'>,
  { principal: { workspaceId }, accessToken }: Actor,
  ucid: string,
): Promise<OwnCall | null> {
  const known = await readCall(ports, { workspaceId, ucid })
  if (known) return { ...known, recordId: derivedId('call', workspaceId, ucid), recorded: null }
  const record = await ports.callRecords.byUcid(asPerson(workspaceId, accessToken), ucid)
  if (!record) return null
  const recorded = factsOf(factsOfRecord(record), { source: 'GUESSED', receivedAt: 0 })
  return { ...knownCall(ucid, recorded), recordId: record.id, recorded }
}
