import { z } from 'zod'
import type { AgentCredentials } from '../../ports/telephony.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import type { Member } from '../../ports/agents.ts'
import { type Seat, seatKey } from './provider-agent-key.ts'

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
export type DueSeat = { readonly seat: Seat; readonly at: number }

/**
 * What is known of sessions beside their locks: notes per seat, the seat of each member, and when each seat is to be looked at again.
 * Notes are written by whoever has the seat's turn. All methods throw STORE_UNAVAILABLE.
 */
export interface SessionRegister {
  /** Writes the notes of a new session, points its member to the seat and has it looked at `at`. */
  begin(seat: Seat, notes: SessionNotes, at: number): Promise<void>
  notes(seat: Seat): Promise<ReadNotes | null>
  /** Of many seats in one read, in their order. */
  notesOf(seats: readonly Seat[]): Promise<readonly (SessionNotes | null)[]>
  /** The seat that the member took last. */
  seatOf(member: Member): Promise<Seat | null>
  /** Marks the session as over and has the seat looked at again `at`; answers the notes as they stand then. */
  retire(seat: Seat, read: ReadNotes, at: number): Promise<ReadNotes>
  lookAgain(seat: Seat, at: number): Promise<void>
  /** Forgets the session of these notes. */
  end(seat: Seat, read: ReadNotes | null): Promise<void>
  /** Seats of all workspaces that are due by `now`, at most `limit` of each. */
  due(now: number, limit: number): Promise<readonly DueSeat[]>
  /** All seats of a workspace that have, or had, a session; at most `limit`. */
  seats(workspaceId: string, limit: number): Promise<readonly Seat[]>
  /** Says that the holder was heard of at `at` (ISO); `ttlMs` as the lock's. */
  heard(seat: Seat, at: string, ttlMs: number): Promise<void>
  /** When the holders of many seats were last heard of, in their order. */
  lastHeard(seats: readonly Seat[]): Promise<readonly (string | null)[]>
}

const workspacesKey = 'sessions:workspaces'
const credentialsSchema = z.object({ agentId: z.string(), password: z.string() })

export function createSessionRegister(store: Store, box: SecretBox): SessionRegister {
  const watchKey = (workspaceId: string): string => `sessions:${workspaceId}:watch`
  const memberKey = ({ workspaceId, memberId }: Member): string => `sessions:${workspaceId}:member:${memberId}`
  const notesKey = (seat: Seat): string => seatKey(seat, 'notes')

  const write = ({ credentials, ...notes }: SessionNotes, seat: Seat): string => {
    const sealed = credentials && box.seal(JSON.stringify(credentials), notesKey(seat))
    return JSON.stringify({ ...notes, credentials: sealed } satisfies Notes)
  }
  const parse = (text: string, seat: Seat): SessionNotes => {
    const { credentials, ...notes } = notesSchema.parse(JSON.parse(text))
    const opened = credentials && credentialsSchema.parse(JSON.parse(box.open(credentials, notesKey(seat))))
    return { ...notes, credentials: opened || null }
  }
  const watch = (seat: Seat, at: number): Promise<void> => store.sortedAdd(watchKey(seat.workspaceId), seat.providerAgentId, at)
  const seatsOf = async (workspaceId: string, range: { max?: number; limit: number }): Promise<DueSeat[]> => {
    const members = await store.sortedRange(watchKey(workspaceId), range)
    return members.map(({ member, score }) => ({ seat: { workspaceId, providerAgentId: member }, at: score }))
  }

  return {
    async begin(seat, notes, at) {
      await Promise.all([
        store.set(notesKey(seat), write(notes, seat)),
        store.set(memberKey({ workspaceId: seat.workspaceId, memberId: notes.memberId }), seat.providerAgentId),
        watch(seat, at),
        store.sortedAdd(workspacesKey, seat.workspaceId, 0),
      ])
    },
    async notes(seat) {
      const text = await store.get(notesKey(seat))
      return text === null ? null : { text, notes: parse(text, seat) }
    },
    async notesOf(seats) {
      const texts = await store.getMany(seats.map(notesKey))
      return seats.map((seat, at) => {
        const text = texts[at] ?? null
        return text === null ? null : parse(text, seat)
      })
    },
    async seatOf(member) {
      const providerAgentId = await store.get(memberKey(member))
      return providerAgentId === null ? null : { workspaceId: member.workspaceId, providerAgentId }
    },
    async retire(seat, { notes, text }, at) {
      const over = { ...notes, isOver: true }
      const value = write(over, seat)
      if (!(await store.compareAndSet(notesKey(seat), { expected: text, value, ttlMs: retiredForMs }))) return { notes, text }
      await watch(seat, at)
      return { notes: over, text: value }
    },
    lookAgain: watch,
    async end(seat, read) {
      if (read) {
        await store.compareAndDelete(notesKey(seat), read.text)
        await store.compareAndDelete(memberKey({ workspaceId: seat.workspaceId, memberId: read.notes.memberId }), seat.providerAgentId)
      }
      await store.sortedRemove(watchKey(seat.workspaceId), seat.providerAgentId)
    },
    async due(now, limit) {
      const workspaces = await store.sortedRange(workspacesKey, { limit: 10_000 })
      const due = await Promise.all(workspaces.map(({ member }) => seatsOf(member, { max: now, limit })))
      return due.flat()
    },
    seats: async (workspaceId, limit) => (await seatsOf(workspaceId, { limit })).map(({ seat }) => seat),
    heard: (seat, at, ttlMs) => store.set(seatKey(seat, 'beat'), at, { ttlMs }),
    lastHeard: (seats) => store.getMany(seats.map((seat) => seatKey(seat, 'beat'))),
  }
}

/** How long a sign-out at the provider is tried again. */
export const retiredForMs = 24 * 3_600_000
