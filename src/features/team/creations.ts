import { z } from 'zod'
import { hashOf } from '../../kernel/ids.ts'
import { Family } from '../../ports/stored/family.ts'
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

export const creations = new Family({
  name: 'team:*:creation',
  key: ({ workspaceId, email }: PasswordOwner) => [workspaceId, hashOf(email)],
  schema: creationSchema,
  sealedBy: ({ teamBox }: Pick<TeamPorts, 'teamBox'>) => teamBox,
  lifetime: unfinishedMs,
  about: 'agent',
  what: 'a member whose creation is not finished, sealed',
})

/**
 * The creation of a member that began here; null if there is none. With it an unfinished creation is finished by an equal request, and
 * a person who is a member anyway is not changed by a creation. All functions of this file throw STORE_UNAVAILABLE.
 */
export function readCreation(ports: CreationPorts, owner: PasswordOwner): Promise<Creation | null> {
  return creations.read(ports, owner)
}

export function beginCreation(ports: CreationPorts, owner: PasswordOwner, member: NewMember): Promise<void> {
  return creations.write(ports, owner, { value: { wanted: wantedOf(member), isFinished: false } })
}

export function finishCreation(ports: CreationPorts, owner: PasswordOwner, member: NewMember): Promise<void> {
  return creations.write(ports, owner, { value: { wanted: wantedOf(member), isFinished: true }, lifetime: finishedMs })
}

/** For a member who was changed or removed: the next equal request is a new one. */
export async function forgetCreation(ports: Pick<CreationPorts, 'store'>, owner: PasswordOwner): Promise<void> {
  await creations.delete(ports, owner)
}

export function wantedOf({ firstName, lastName, role, agent }: NewMember): string {
  return JSON.stringify([firstName, lastName, role, agent ? agentValues(agent) : null])
}
