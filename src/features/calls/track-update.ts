import { trackAgent, type TrackAgentPorts } from './track-agent.ts'
import { trackCall, type TrackCallPorts } from './track-call.ts'
import type { ReceivedUpdate } from './webhook-inbox.ts'

/** Processes one webhook update: what it says about a call or an agent, and what follows from it. Repeatable. */
export async function trackUpdate(ports: TrackCallPorts & TrackAgentPorts, { update, ...origin }: ReceivedUpdate): Promise<void> {
  if (update.about === 'AGENT') await trackAgent(ports, origin, update)
  else await trackCall(ports, origin, update)
}
