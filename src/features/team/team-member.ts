import type { MemberRecord } from '../../ports/members.ts'
import type { AgentProfile } from '../../ports/records/agent.ts'
import type { ListedSession } from '../sessions/list-sessions.ts'
import type { TeamRole } from './team-input.ts'

/** A member as managers see it. */
export type TeamMember = MemberRecord & {
  /** Null if the member's role on the platform gives nothing here. */
  readonly role: TeamRole | null
  readonly platformRole: string | null
  readonly agentId: string | null
  readonly agent: AgentProfile | null
  /** The live agent session. */
  readonly session: ListedSession | null
  readonly hasTemporaryPassword: boolean
}
