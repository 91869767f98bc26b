import { z } from 'zod'
import type { SecretBox } from '../../kernel/secrets.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'
import type { PasswordOwner } from './stored-passwords.ts'
import type { NewMember } from './team-input.ts'
import { agentValues } from './write-agent.ts'

const creationSchema = z.object({
  /** What was asked for, without the passwords. */
  wanted: z.string(),
  isFinished: z.boolean(),
})
export type Creation = z.output<typeof creationSchema>

/**
 * Which members were begun here and how far they are, so that a creation that stopped half way is finished by asking again, and so that
 * somebody who is a member anyway is not changed by being "created". All methods throw STORE_UNAVAILABLE.
 */
export interface Creations {
  read(owner: PasswordOwner): Promise<Creation | null>
  begin(owner: PasswordOwner, member: NewMember): Promise<void>
  finish(owner: PasswordOwner, member: NewMember): Promise<void>
  /** The member is changed or gone: asking for the creation again is a new question. */
  forget(owner: PasswordOwner): Promise<void>
}

const unfinishedMs = 90 * 24 * 3_600_000
/** How long the same question gets the same answer. */
const finishedMs = 24 * 3_600_000

export function createCreations(store: Store, box: SecretBox): Creations {
  const keyOf = ({ workspaceId, email }: PasswordOwner): string => `team:${workspaceId}:creation:${hashOf(email)}`
  const write = (owner: PasswordOwner, creation: Creation, ttlMs: number): Promise<void> =>
    store.set(keyOf(owner), box.seal(JSON.stringify(creation), keyOf(owner)), { ttlMs })
  return {
    async read(owner) {
      const sealed = await store.get(keyOf(owner))
      return sealed === null ? null : creationSchema.parse(JSON.parse(box.open(sealed, keyOf(owner))))
    },
    begin: (owner, member) => write(owner, { wanted: wantedOf(member), isFinished: false }, unfinishedMs),
    finish: (owner, member) => write(owner, { wanted: wantedOf(member), isFinished: true }, finishedMs),
    forget: async (owner) => void (await store.delete(keyOf(owner))),
  }
}

export function wantedOf({ firstName, lastName, role, agent }: NewMember): string {
  return JSON.stringify([firstName, lastName, role, agent ? agentValues(agent) : null])
}
