import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf, isUuid } from '../../kernel/ids.ts'
import type { CallRecords, PlatformCall } from '../../ports/call-records.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { RecordingPorts } from './recording-ports.ts'

/** The call with this record id or UCID, if the actor may see it. Errors: NOT_FOUND, NOT_YOURS, the platform's. */
export async function findCall(
  { callRecords, callLookups }: Pick<RecordingPorts, 'callLookups'> & { readonly callRecords: Pick<CallRecords, 'byId' | 'byUcid'> },
  { principal, accessToken }: Actor,
  callId: string,
): Promise<PlatformCall> {
  const access = asPerson(principal.workspaceId, accessToken)
  // By token, because each token has its own rights.
  const call = await callLookups.run(`${hashOf(accessToken)}:${callId}`, () =>
    isUuid(callId) ? callRecords.byId(access, callId) : callRecords.byUcid(access, callId),
  )
  if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
  assertMaySee(principal, call)
  return call
}

/** Agents may see their own calls, managers all calls of the workspace. */
export function maySee({ role, agentId }: Principal, call: { readonly agentId: string | null }): boolean {
  return role === 'MANAGER' || (role === 'AGENT' && agentId !== null && call.agentId === agentId)
}

export function assertMaySee(principal: Principal, call: { readonly agentId: string | null }): void {
  if (!maySee(principal, call)) throw new AppError('NOT_YOURS', { detail: "This is another agent's call" })
}
