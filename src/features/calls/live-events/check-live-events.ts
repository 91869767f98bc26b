import { isDeepStrictEqual } from 'node:util'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { Check } from '../../configuration/connection-test.ts'
import { type LiveEventsView, readLiveEvents } from './read-live-events.ts'
import { subscribeLiveEvents } from './subscribe-live-events.ts'

/**
 * The connection test's check of live events: whether they are subscribed, and when the last one came. For values that are not saved yet it
 * changes nothing. For saved values it does at once what the service would do a little later. Errors: STORE_UNAVAILABLE.
 */
export async function checkLiveEvents(
  ports: Parameters<typeof subscribeLiveEvents>[0],
  section: TelephonySection,
  workspaceId: string,
): Promise<Check> {
  const facts = { name: 'telephony.liveEvents', tried: "Checked whether the provider sends this service the account's live events" }
  if (section.provider === null) return { ...facts, ok: false, found: 'No telephony provider is chosen', advice: 'Choose one' }
  const { provider } = await ports.configuration.read(workspaceId, 'telephony')
  if (!isDeepStrictEqual(provider, section.provider)) {
    return { ...facts, ok: true, found: 'They are subscribed as soon as these values are saved', advice: null }
  }
  await subscribeLiveEvents(ports, workspaceId, true)
  const view = await readLiveEvents(ports, workspaceId)
  return { ...facts, ok: view.status === 'SUBSCRIBED' || view.status === 'NOT_SUPPORTED', ...resultOf(view) }
}

function resultOf({ status, subscribedAt, lastEventAt, problem }: LiveEventsView): Pick<Check, 'found' | 'advice'> {
  const last = lastEventAt === null ? 'No event has come yet' : `The last event came at ${lastEventAt}`
  switch (status) {
    case 'SUBSCRIBED':
      return {
        found: `Subscribed at ${subscribedAt}. ${last}`,
        advice: lastEventAt === null ? 'Sign an agent in and test again: an event must have come then' : null,
      }
    case 'PENDING':
      return { found: `Not subscribed yet. ${last}`, advice: 'Test again in a few seconds' }
    case 'FAILED':
      return { found: `The subscription failed: ${problem}. ${last}`, advice: 'Correct the cause; the service also tries again by itself' }
    case 'NOT_CONFIGURED':
    case 'NOT_SUPPORTED':
    case 'NO_PUBLIC_ADDRESS':
      return { found: 'Not subscribed', advice: problem }
  }
}
