import type { AuthPorts } from '../features/auth/auth-ports.ts'
import { watchActor } from '../features/auth/watch-actor.ts'
import { type Calls, createCalls } from '../features/calls/calls.ts'
import type { CallAgentOf } from '../features/calls/call-agent.ts'
import { outboundProviders } from '../providers/outbound/registry.ts'
import { telephonyProviders } from '../providers/telephony/registry.ts'
import { currentSession } from '../features/sessions/current-session.ts'
import { readAgent } from '../features/sessions/read-agent.ts'
import type { Settings } from '../settings/settings.ts'
import type { Infrastructure } from './infrastructure.ts'
import type { WiredPorts } from './ports.ts'

export type CallPartners = { readonly ports: WiredPorts; readonly authPorts: AuthPorts }

/** What happens on a call, and what follows from it. */
export function createCallCenter(settings: Settings, infrastructure: Infrastructure, { ports, authPorts }: CallPartners): Calls {
  const agentOf: CallAgentOf = async (actor) => {
    const agent = await readAgent(authPorts, actor)
    if (!agent) return null
    const { record, providerAgentId, campaignName } = agent
    return { id: record.id, providerAgentId, phoneNumber: record.sipExtension, campaignName }
  }
  return createCalls({
    ...infrastructure,
    ...ports,
    agentOf,
    hasSession: async ({ principal }) => (await currentSession(authPorts, principal)) !== null,
    watchCaller: (actor) => watchActor(authPorts, actor),
    webhookProviders: [...telephonyProviders, ...outboundProviders].map(({ id }) => id),
    publicUrl: settings.http.publicUrl,
  })
}
