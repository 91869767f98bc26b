import type { Identity } from '../../ports/identity.ts'
import type { Principal } from '../../access/principal.ts'
import type { Principals } from '../auth/principals.ts'
import type { Configuration } from '../../ports/configuration/configuration.ts'
import type { Audit } from '../../ports/audit.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import { createCloseLeftOpen } from './close-left-open.ts'
import { createCreateTeamMember } from './create-team-member.ts'
import { createCreations } from './creations.ts'
import { createDeactivateTeamMember } from './deactivate-team-member.ts'
import { createInviteLinks } from './invite-link.ts'
import type { KeptPasswords } from './stored-passwords.ts'
import { createListTeamMembers } from './list-team-members.ts'
import type { MemberDirectory, TeamAgents } from '../../ports/members.ts'
import { createReadTemporaryPassword } from './read-temporary-password.ts'
import { createSignUpMember } from './sign-up-member.ts'
import { createDescribeMembers } from './team-member.ts'
import { createReadRoles } from './team-roles.ts'
import { createUpdateTeamMember } from './update-team-member.ts'
import { createWorkspaceTurns } from './workspace-lease.ts'
import { createAgentDesk } from './write-agent.ts'

export type TeamOptions = {
  readonly directory: MemberDirectory
  readonly agents: TeamAgents
  readonly identity: Identity
  readonly sessionPorts: SessionPorts
  readonly principals: Principals
  readonly configuration: Configuration
  readonly passwords: KeptPasswords
  readonly store: Store
  /** Whether other instances work on the same store. */
  readonly isShared: boolean
  readonly box: SecretBox
  readonly audit: Audit
  readonly clock: Clock
  readonly log: Log
}

/** Who works here: the use cases of the team, put together. */
export type Team = ReturnType<typeof createTeam>

export function createTeam(options: TeamOptions) {
  const { directory, agents, sessionPorts, passwords, store, isShared, box, clock, log } = options
  const turns = createWorkspaceTurns({ sharedStore: isShared ? store : null })
  const links = createInviteLinks({ directory, store, clock, log })
  const creations = createCreations(store, box)
  const readRoles = createReadRoles(options)
  const describe = createDescribeMembers({ readRoles, agents, passwords, sessionPorts })
  const agentDesk = createAgentDesk({ agents, sessionPorts })
  const { closeLeftOpen, seen } = createCloseLeftOpen({ links, turns, clock, log })
  const parts = { ...options, readRoles, agentDesk, creations, turns, describe, agentRecordCache: sessionPorts.agentRecordCache }
  return {
    create: createCreateTeamMember({ ...parts, signUpMember: createSignUpMember({ directory, links, passwords, creations }) }),
    update: createUpdateTeamMember(parts),
    deactivate: createDeactivateTeamMember(parts),
    list: createListTeamMembers({ directory, describe, links, closeLeftOpen }),
    readTemporaryPassword: createReadTemporaryPassword(options),
    /** For every request of a member: an invite link that a crash left open is closed with a manager's token. */
    seen,
    /** Says in the log which links are open that should not be. */
    async reportLeftOpen(): Promise<void> {
      for (const { workspaceId, since } of await links.leftOpen()) {
        if (clock.now() - since > reportAfterMs) {
          log.error({ workspaceId, since }, 'a public invite link was left open; the next request of a manager closes it')
        }
      }
    },
  }
}

const reportAfterMs = 60_000

/** After every sign-in with a right password: the temporary one has been used, or is over. */
export function createNotePassword(passwords: KeptPasswords) {
  return ({ workspaceId, email }: Pick<Principal, 'workspaceId' | 'email'>, password: string): Promise<void> =>
    passwords.signedIn({ workspaceId, email: email.toLowerCase() }, password)
}
