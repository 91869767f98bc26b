import { z } from 'zod'
import type { AgentCredentials } from '../../ports/telephony.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import type { Member } from '../../ports/agents.ts'
import { type ProviderAgentKey, agentStoreKey } from './provider-agent-key.ts'

const notesSchema = z.object({
  agentId: z.string(),
  agentName: z.string(),
  memberId: z.string(),
  lockedAt: z.string(),
  /** Name and password for signing out at the provider, sealed; null where the agent cannot sign in there. */
  credentials: z.string().nullable(),
  /** The session is over, and only the sign-out at the provider is still to be done. */
  isOver: z.boolean(),
})
type Notes = z.output<typeof notesSchema>

/** What is kept about a seat's last session beside its lock. `isOver`: only the sign-out at the provider is still to be done. */
export type SessionNotes = Omit<Notes, 'credentials'> & { readonly credentials: AgentCredentials | null }
export type ReadNotes = { readonly notes: SessionNotes; readonly text: string }

/** A seat whose session must be looked at, at or after `at` (epoch ms). */
export type DueAgentKey = { readonly agentKey: ProviderAgentKey; readonly at: number }

/**
 * What is known of sessions beside their locks: notes per seat, the seat of each member, and when each seat is to be looked at again.
 * Notes are written by whoever has the seat's turn. All methods throw STORE_UNAVAILABLE.
 */
export interface SessionRegister {
  /** Writes the notes of a new session, points its member to the seat and has it looked at `at`. */
  begin(agentKey: ProviderAgentKey, notes: SessionNotes, at: number): Promise<void>
  notes(agentKey: ProviderAgentKey): Promise<ReadNotes | null>
  /** Of many seats in one read, in their order. */
  notesOf(agentKeys: readonly ProviderAgentKey[]): Promise<readonly (SessionNotes | null)[]>
  /** The seat that the member took last. */
  agentKeyOf(member: Member): Promise<ProviderAgentKey | null>
  /** Marks the session as over and has the seat looked at again `at`; answers the notes as they stand then. */
  retire(agentKey: ProviderAgentKey, read: ReadNotes, at: number): Promise<ReadNotes>
  lookAgain(agentKey: ProviderAgentKey, at: number): Promise<void>
  /** Forgets the session of these notes. */
  end(agentKey: ProviderAgentKey, read: ReadNotes | null): Promise<void>
  /** Seats of all workspaces that are due by `now`, at most `limit` of each. */
  due(now: number, limit: number): Promise<readonly DueAgentKey[]>
  /** All seats of a workspace that have, or had, a session; at most `limit`. */
  agentKeys(workspaceId: string, limit: number): Promise<readonly ProviderAgentKey[]>
  /** Says that the holder was heard of at `at` (ISO); `ttlMs` as the lock's. */
  heard(agentKey: ProviderAgentKey, at: string, ttlMs: number): Promise<void>
  /** When the holders of many seats were last heard of, in their order. */
  lastReceived(agentKeys: readonly ProviderAgentKey[]): Promise<readonly (string | null)[]>
}

const workspacesKey = 'sessions:workspaces'
const credentialsSchema = z.object({ agentId: z.string(), password: z.string() })

export function createSessionRegister(store: Store, box: SecretBox): SessionRegister {
  const watchKey = (workspaceId: string): string => `sessions:${workspaceId}:watch`
  const memberKey = ({ workspaceId, memberId }: Member): string => `sessions:${workspaceId}:member:${memberId}`
  const notesKey = (agentKey: ProviderAgentKey): string => agentStoreKey(agentKey, 'notes')

  const write = ({ credentials, ...notes }: SessionNotes, agentKey: ProviderAgentKey): string => {
    const sealed = credentials && box.seal(JSON.stringify(credentials), notesKey(agentKey))
    return JSON.stringify({ ...notes, credentials: sealed } satisfies Notes)
  }
  const parse = (text: string, agentKey: ProviderAgentKey): SessionNotes => {
    const { credentials, ...notes } = notesSchema.parse(JSON.parse(text))
    const opened = credentials && credentialsSchema.parse(JSON.parse(box.open(credentials, notesKey(agentKey))))
    return { ...notes, credentials: opened || null }
  }
  const watch = (agentKey: ProviderAgentKey, at: number): Promise<void> =>
    store.sortedAdd(watchKey(agentKey.workspaceId), agentKey.providerAgentId, at)
  const agentKeysOf = async (workspaceId: string, range: { max?: number; limit: number }): Promise<DueAgentKey[]> => {
    const members = await store.sortedRange(watchKey(workspaceId), range)
    return members.map(({ member, score }) => ({ agentKey: { workspaceId, providerAgentId: member }, at: score }))
  }

  return {
    async begin(agentKey, notes, at) {
      await Promise.all([
        store.set(notesKey(agentKey), write(notes, agentKey)),
        store.set(memberKey({ workspaceId: agentKey.workspaceId, memberId: notes.memberId }), agentKey.providerAgentId),
        watch(agentKey, at),
        store.sortedAdd(workspacesKey, agentKey.workspaceId, 0),
      ])
    },
    async notes(agentKey) {
      const text = await store.get(notesKey(agentKey))
      return text === null ? null : { text, notes: parse(text, agentKey) }
    },
    async notesOf(agentKeys) {
      const texts = await store.getMany(agentKeys.map(notesKey))
      return agentKeys.map((agentKey, at) => {
        const text = texts[at] ?? null
        return text === null ? null : parse(text, agentKey)
      })
    },
    async agentKeyOf(member) {
      const providerAgentId = await store.get(memberKey(member))
      return providerAgentId === null ? null : { workspaceId: member.workspaceId, providerAgentId }
    },
    async retire(agentKey, { notes, text }, at) {
      const over = { ...notes, isOver: true }
      const value = write(over, agentKey)
      if (!(await store.compareAndSet(notesKey(agentKey), { expected: text, value, ttlMs: retiredForMs }))) return { notes, text }
      await watch(agentKey, at)
      return { notes: over, text: value }
    },
    lookAgain: watch,
    async end(agentKey, read) {
      if (read) {
        await store.compareAndDelete(notesKey(agentKey), read.text)
        await store.compareAndDelete(
          memberKey({ workspaceId: agentKey.workspaceId, memberId: read.notes.memberId }),
          agentKey.providerAgentId,
        )
      }
      await store.sortedRemove(watchKey(agentKey.workspaceId), agentKey.providerAgentId)
    },
    async due(now, limit) {
      const workspaces = await store.sortedRange(workspacesKey, { limit: 10_000 })
      const due = await Promise.all(workspaces.map(({ member }) => agentKeysOf(member, { max: now, limit })))
      return due.flat()
    },
    agentKeys: async (workspaceId, limit) => (await agentKeysOf(workspaceId, { limit })).map(({ agentKey }) => agentKey),
    heard: (agentKey, at, ttlMs) => store.set(agentStoreKey(agentKey, 'beat'), at, { ttlMs }),
    lastReceived: (agentKeys) => store.getMany(agentKeys.map((agentKey) => agentStoreKey(agentKey, 'beat'))),
  }
}

/** How long a sign-out at the provider is tried again. */
export const retiredForMs = 24 * 3_600_000
