import { isoMoment } from '../../../kernel/clock.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { checkLater, type CheckOutboundPorts } from './check-outbound-calls.ts'
import { trackAgent, type TrackAgentPorts } from './track-agent.ts'
import { trackCall } from './track-call.ts'
import type { ReceivedUpdate } from '../webhook-store/webhook-inbox.ts'

/** Clocks differ by minutes, time zones by more. */
const toleranceMs = 600_000
const moments = ['startedAt', 'answeredAt', 'endedAt', 'transferredAt'] as const

/** Processes one webhook update: what it says about a call or an agent, and what follows from it. Repeatable. */
export async function trackUpdate(ports: CheckOutboundPorts & TrackAgentPorts, received: ReceivedUpdate): Promise<void> {
  const { update: _, ...origin } = received
  const update = withoutFuture(received)
  if (update.about === 'AGENT') return trackAgent(ports, origin, update)
  await trackCall(ports, origin, update)
  if (update.source === 'RECORD') return
  const { workspaceId, provider } = origin
  const { outbound } = await ports.configuration.read(workspaceId, 'telephony')
  // Also if the answer to the dial was lost, so that nobody else knows the call.
  if (provider === outbound?.id) await checkLater(ports, { workspaceId, ucid: update.ucid })
}

/**
 * What is reported has happened: a moment of the future, by another time zone or a wrong clock, is none. A live event is of the time of its receipt:
 * otherwise it would be the agent's latest state until then, whatever is reported meanwhile. A record comes later, and says nothing.
 */
function withoutFuture({ update, receivedAt }: ReceivedUpdate): WebhookUpdate {
  // Whole seconds, as the provider's times of the agent's states.
  const receipt = isoMoment(receivedAt - (receivedAt % 1_000))
  const isFuture = (moment: string): boolean => Date.parse(moment) > receivedAt + toleranceMs
  if (update.about === 'AGENT') return isFuture(update.at) ? { ...update, at: receipt } : update
  const wrong = moments.filter((name) => isFuture(update.facts[name] ?? ''))
  return {
    ...update,
    facts: { ...update.facts, ...Object.fromEntries(wrong.map((name) => [name, update.source === 'LIVE' ? receipt : null])) },
  }
}
