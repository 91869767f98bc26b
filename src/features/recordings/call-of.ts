import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import type { Actor } from '../../access/actor.ts'
import type { CallRecords, PlatformCall } from '../../ports/call-records.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { asPerson } from '../../ports/record-access.ts'
import { createSingleFlight } from '../../kernel/single-flight.ts'

const uuid = z.uuid()

/** The call that a client names by its record's id or by its UCID, if the caller may see it. Errors: NOT_FOUND, NOT_YOURS. */
export type CallOf = (caller: Actor, callId: string) => Promise<PlatformCall>

export function createCallOf(calls: CallRecords): CallOf {
  // Many may ask for one call at the same moment; each token sees by its own rights.
  const lookUp = createSingleFlight<PlatformCall | null>()
  return async ({ principal, accessToken }, callId) => {
    const access = asPerson(principal.workspaceId, accessToken)
    const read = (): Promise<PlatformCall | null> => (isRecordId(callId) ? calls.byId(access, callId) : calls.byUcid(access, callId))
    const call = await lookUp.run(`${hashOf(accessToken)}:${callId}`, read)
    if (!call) throw new AppError('NOT_FOUND', { detail: 'There is no such call' })
    assertMaySee(principal, call)
    return call
  }
}

export function isRecordId(callId: string): boolean {
  return uuid.safeParse(callId).success
}

/** An agent sees their own calls, a manager all of the workspace. */
export function maySee({ role, agentId }: Principal, call: { readonly agentId: string | null }): boolean {
  return role === 'MANAGER' || (role === 'AGENT' && agentId !== null && call.agentId === agentId)
}

export function assertMaySee(principal: Principal, call: { readonly agentId: string | null }): void {
  if (!maySee(principal, call)) throw new AppError('NOT_YOURS', { detail: "This is another agent's call" })
}
