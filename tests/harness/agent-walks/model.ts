import type { AgentStatus } from '../../../src/sandbox/telephony/account.ts'
import type { DeviceName } from './world.ts'

/** What a walk knows about the world: which steps can be taken. */
export type Model = {
  readonly tabs: Record<DeviceName, number>
  readonly online: Record<DeviceName, boolean>
  /** The device that has the session: where a person asked for it last. */
  holder: DeviceName
  isServiceUp: boolean
  isPhoneServerUp: boolean
  delivery: 'works' | 'late' | 'lost'
  hasLostReports: boolean
  /** The agent's state at the provider about which the service may have learned nothing, because reports were lost. */
  unreported: AgentStatus | null
  /** As the provider has the agent. */
  agent: AgentStatus
}

export function firstModel(): Model {
  return {
    tabs: { A: 0, B: 0 },
    online: { A: true, B: true },
    holder: 'A',
    isServiceUp: true,
    isPhoneServerUp: true,
    delivery: 'works',
    hasLostReports: false,
    unreported: null,
    agent: 'loggedOut',
  }
}
