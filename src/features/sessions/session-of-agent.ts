import { AppError } from '../../kernel/errors.ts'
import { agentKeysOf } from './session-checks.ts'
import { type LockedSession, readLock } from './session-lock.ts'
import type { SessionPorts } from './session-ports.ts'
import type { SignInKey } from './sign-ins/sign-ins.ts'
import { readSessionRecords } from './session-records.ts'

export type AgentsSession = LockedSession & { readonly agentName: string; readonly signIn: SignInKey | null }

/** The live session of an agent, by the id of the agent's record. Errors: NOT_FOUND (none in this workspace), STORE_UNAVAILABLE. */
export async function sessionOfAgent(ports: Pick<SessionPorts, 'store'>, workspaceId: string, agentId: string): Promise<AgentsSession> {
  const agentKeys = await agentKeysOf(ports.store, workspaceId)
  const records = await readSessionRecords(ports, agentKeys)
  for (const [index, agentKey] of agentKeys.entries()) {
    const record = records[index]
    if (record?.agentId !== agentId) continue
    const held = await readLock(ports.store, agentKey)
    if (held && held.lock.lockedAt === record.lockedAt) {
      return { agentKey, lock: held.lock, agentName: record.agentName, signIn: record.signIn ?? null }
    }
  }
  throw new AppError('NOT_FOUND', { detail: 'This agent has no session' })
}
