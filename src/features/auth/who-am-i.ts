import type { AgentConfigurations } from '../sessions/agent-record-cache.ts'
import { type AgentProfile, agentProfile } from '../sessions/read-agent.ts'
import type { AgentSession } from '../sessions/agent-session.ts'
import type { CurrentSession } from '../sessions/current-session.ts'
import type { Principal } from '../../access/principal.ts'
import type { Actor } from '../../access/actor.ts'

export type WhoAmI = {
  /** The caller's agent record; null without one. Errors: the platform's. */
  agent(caller: Actor): Promise<AgentProfile | null>
  /** The caller's live session, wherever it was taken. Throws STORE_UNAVAILABLE. */
  session(principal: Principal): Promise<AgentSession | null>
}

export function createWhoAmI({ agents, current }: { agents: AgentConfigurations; current: CurrentSession }): WhoAmI {
  return {
    async agent({ principal, accessToken }) {
      if (principal.agentId === null) return null
      const { agent } = await agents.ofMember(principal, accessToken)
      return agent && agentProfile(agent)
    },
    session: async (principal) => (principal.agentId === null ? null : ((await current(principal))?.session ?? null)),
  }
}
