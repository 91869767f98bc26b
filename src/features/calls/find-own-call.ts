import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import { asPerson } from '../../ports/record-access.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf, type KnownCall, knownCall } from './call-facts.ts'
import type { CallAgentOf } from './call-agent.ts'
import type { CallRecords, PlatformCall } from '../../ports/call-records.ts'
import { factsOfRecord } from './facts-of-record.ts'

export type FindOwnCallDeps = { readonly book: CallStateStore; readonly calls: CallRecords; readonly agentOf: CallAgentOf }

/**
 * A call that the caller may handle: their own, one that is nobody's yet, or any for a manager. Null for a call that neither we nor the
 * platform know. Errors: NOT_YOURS, the platform's.
 */
export type FindOwnCall = (caller: Actor, ucid: string) => Promise<OwnCall | null>

/** `recordId`: of its record on the platform, which may still be to come. */
export type OwnCall = KnownCall & { readonly recordId: string }

export function createFindOwnCall({ book, calls, agentOf }: FindOwnCallDeps): FindOwnCall {
  const find = async ({ principal, accessToken }: Actor, ucid: string): Promise<OwnCall | null> => {
    const known = await book.read(principal.workspaceId, ucid)
    if (known) return { ...known, recordId: derivedId('call', principal.workspaceId, ucid) }
    const record = await calls.byUcid(asPerson(principal.workspaceId, accessToken), ucid)
    return record && callOfRecord(ucid, record)
  }

  return async (caller, ucid) => {
    const call = await find(caller, ucid)
    if (!call || caller.principal.role === 'MANAGER') return call
    if (call.agentId === null && call.agentRecordId === null) return call
    const agent = await agentOf(caller)
    const isOwn = agent !== null && (call.agentId === agent.providerAgentId || call.agentRecordId === agent.id)
    if (!isOwn) throw new AppError('NOT_YOURS', { detail: 'This call belongs to another agent' })
    return call
  }
}

/** A call of which only the platform's record is left. */
function callOfRecord(ucid: string, record: PlatformCall): OwnCall {
  return { ...knownCall(ucid, factsOf(factsOfRecord(record), { source: 'RECORD', receivedAt: 0 })), recordId: record.id }
}
