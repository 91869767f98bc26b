import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'
import type { NewMember } from './team-input.ts'
import { agentValues } from './agent-of-member.ts'
import type { TeamPorts } from './team-ports.ts'
import type { PasswordOwner } from './temporary-passwords.ts'

const creationSchema = z.object({
  /** The request, without its passwords. */
  wanted: z.string(),
  isFinished: z.boolean(),
})
export type Creation = z.output<typeof creationSchema>

type CreationPorts = Pick<TeamPorts, 'store' | 'teamBox'>

const unfinishedMs = 90 * 24 * 3_600_000
/** How long an equal request gets an equal answer. */
const finishedMs = 24 * 3_600_000

/**
 * The creation of a member that began here; null if there is none. With it an unfinished creation is finished by an equal request, and
 * a person who is a member anyway is not changed by a creation. All functions of this file throw STORE_UNAVAILABLE.
 */
export async function readCreation({ store, teamBox }: CreationPorts, owner: PasswordOwner): Promise<Creation | null> {
  const key = keyOf(owner)
  const sealed = await store.get(key)
  return sealed === null ? null : creationSchema.parse(JSON.parse(teamBox.open(sealed, key)))
}

export async function beginCreation(ports: CreationPorts, owner: PasswordOwner, member: NewMember): Promise<void> {
  await write(ports, owner, { creation: { wanted: wantedOf(member), isFinished: false }, ttlMs: unfinishedMs })
}

export async function finishCreation(ports: CreationPorts, owner: PasswordOwner, member: NewMember): Promise<void> {
  await write(ports, owner, { creation: { wanted: wantedOf(member), isFinished: true }, ttlMs: finishedMs })
}

/** For a member who was changed or removed: the next equal request is a new one. */
export async function forgetCreation({ store }: Pick<CreationPorts, 'store'>, owner: PasswordOwner): Promise<void> {
  await store.delete(keyOf(owner))
}

export function wantedOf({ firstName, lastName, role, agent }: NewMember): string {
  return JSON.stringify([firstName, lastName, role, agent ? agentValues(agent) : null])
}

type Entry = { readonly creation: Creation; readonly ttlMs: number }

async function write({ store, teamBox }: CreationPorts, owner: PasswordOwner, { creation, ttlMs }: Entry): Promise<void> {
  const key = keyOf(owner)
  await store.set(key, teamBox.seal(JSON.stringify(creation), key), { ttlMs })
}

function keyOf({ workspaceId, email }: PasswordOwner): string {
  return `team:${workspaceId}:creation:${hashOf(email)}`
}
