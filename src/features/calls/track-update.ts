import { checkLater, type CheckOutboundPorts } from './check-outbound-calls.ts'
import { trackAgent, type TrackAgentPorts } from './track-agent.ts'
import { trackCall } from './track-call.ts'
import type { ReceivedUpdate } from './webhook-inbox.ts'

/** Processes one webhook update: what it says about a call or an agent, and what follows from it. Repeatable. */
export async function trackUpdate(ports: CheckOutboundPorts & TrackAgentPorts, { update, ...origin }: ReceivedUpdate): Promise<void> {
  if (update.about === 'AGENT') return trackAgent(ports, origin, update)
  await trackCall(ports, origin, update)
  if (update.source === 'RECORD') return
  const { workspaceId, provider } = origin
  const { outbound } = await ports.configuration.read(workspaceId, 'telephony')
  // Also if the answer to the dial was lost, so that nobody else knows the call.
  if (provider === outbound?.id) await checkLater(ports, { workspaceId, ucid: update.ucid })
}
