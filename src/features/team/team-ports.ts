import { createKeyedMutex, type KeyedMutex } from '../../kernel/keyed-mutex.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import { createSingleFlight, type SingleFlight } from '../../kernel/single-flight.ts'
import type { Ports } from '../../ports/ports.ts'
import type { Principals } from '../auth/principals.ts'
import type { SessionPorts } from '../sessions/session-ports.ts'
import type { TeamMember } from './team-member.ts'

/** What temporary passwords are stored with. */
export type PasswordPorts = Pick<Ports, 'store' | 'clock'> & {
  /** Seals passwords and unfinished creations in the store. */
  readonly teamBox: SecretBox
  readonly temporaryPasswordMs: number
}

/** The objects of the team that hold state. */
export type TeamState = {
  /** One change of a team at a time, per workspace, in this process. */
  readonly teamMutex: KeyedMutex
  /** Equal requests to create a member that arrive at the same time. */
  readonly memberCreations: SingleFlight<TeamMember>
}

/** What the use cases of the team need. */
export type TeamPorts = SessionPorts &
  Pick<Ports, 'members' | 'teamAgents' | 'identity' | 'installedRoles'> &
  PasswordPorts &
  TeamState & {
    readonly principals: Pick<Principals, 'forget'>
    /** Whether other instances use the same store. */
    readonly isShared: boolean
  }

export function createTeamState(): TeamState {
  return { teamMutex: createKeyedMutex(), memberCreations: createSingleFlight() }
}
