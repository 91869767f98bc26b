import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId, hashOf, isDerivedId, isUuid } from '../../kernel/ids.ts'
import type { PlatformCall } from '../../ports/call-records.ts'
import { asPerson } from '../../ports/record-access.ts'
import { readCall } from '../calls/state/call-state-store.ts'
import { isCallOf } from '../calls/state/find-own-call.ts'
import { readAgent } from '../sessions/read-agent.ts'
import type { RecordingPorts } from './recording-ports.ts'

export type FindCallPorts = Pick<RecordingPorts, 'agentRecordCache' | 'callRecords' | 'callLookups' | 'configuration' | 'store'>

/** The call with this record id or UCID, if the actor may see it. Errors: NOT_FOUND, NOT_YOURS, the platform's. */
export async function findCall(ports: FindCallPorts, actor: Actor, callId: string): Promise<PlatformCall> {
  const { callRecords, callLookups } = ports
  const { principal, accessToken } = actor
  const access = asPerson(principal.workspaceId, accessToken)
  // By token, because each token has its own rights.
  const call = await callLookups.run(`${hashOf(accessToken)}:${callId}`, () =>
    isUuid(callId) ? callRecords.byId(access, callId) : callRecords.byUcid(access, callId),
  )
  if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  assertMaySee(principal, call)
  if (principal.role !== 'MANAGER' && !(await isOwnAsReported(ports, actor, call))) throw notYours()
  return call
}

/**
 * An agent who may write call records on the platform can make any call theirs there. What the provider reported to us wins: for as long as we
 * store the call, and the id of a record that we wrote tells its UCID.
 */
async function isOwnAsReported(ports: FindCallPorts, actor: Actor, { id, ucid }: PlatformCall): Promise<boolean> {
  const { workspaceId } = actor.principal
  if (isDerivedId(id) && (ucid === null || id !== derivedId('call', workspaceId, ucid))) return false
  const reported = ucid === null ? null : await readCall(ports, { workspaceId, ucid })
  if (!reported || (reported.agentId === null && reported.agentRecordId === null)) return true
  const agent = await readAgent(ports, actor)
  return agent !== null && isCallOf(agent, reported)
}

/** Agents may see their own calls, managers all calls of the workspace. */
export function maySee({ role, agentId }: Principal, call: { readonly agentId: string | null }): boolean {
  return role === 'MANAGER' || (role === 'AGENT' && agentId !== null && call.agentId === agentId)
}

export function assertMaySee(principal: Principal, call: { readonly agentId: string | null }): void {
  if (!maySee(principal, call)) throw notYours()
}

function notYours(): AppError {
  return new AppError('NOT_YOURS', { detail: "This is another agent's call" })
}
