import { isoMoment } from '../../../kernel/clock.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readLastLiveEvent, readSubscription } from './subscription.ts'
import { type Obstacle, wantedSubscription } from './wanted-subscription.ts'

export type LiveEventsStatus = Obstacle | 'SUBSCRIBED' | 'PENDING' | 'FAILED'

/** Whether a workspace gets the live events of its telephony provider. Times are ISO 8601. */
export type LiveEventsView = {
  readonly status: LiveEventsStatus
  readonly subscribedAt: string | null
  readonly lastEventAt: string | null
  /** For the manager: what is wrong and what to do; null if nothing is. */
  readonly problem: string | null
  readonly nextTryAt: string | null
}

type ReadPorts = Parameters<typeof wantedSubscription>[0]

/** Errors: STORE_UNAVAILABLE. */
export async function readLiveEvents(ports: ReadPorts & Pick<CallPorts, 'store'>, workspaceId: string): Promise<LiveEventsView> {
  const wanted = await wantedSubscription(ports, workspaceId)
  if (typeof wanted === 'string') {
    return { status: wanted, subscribedAt: null, lastEventAt: null, problem: problems[wanted], nextTryAt: null }
  }
  const subscription = await readSubscription(ports, workspaceId)
  const subscribed = subscription?.subscribed ?? null
  const lastTry = subscription?.lastTry.digest === wanted.digest ? subscription.lastTry : null
  const isSubscribed = subscribed?.digest === wanted.digest
  const problem = lastTry?.problem ?? null
  return {
    status: problem === null ? (isSubscribed ? 'SUBSCRIBED' : 'PENDING') : 'FAILED',
    subscribedAt: isSubscribed ? momentOf(subscribed.at) : null,
    lastEventAt: momentOf(await readLastLiveEvent(ports, wanted)),
    problem,
    nextTryAt: problem === null ? null : momentOf(lastTry?.nextTryAt ?? null),
  }
}

const problems: { readonly [Reason in Obstacle]: string } = {
  NOT_CONFIGURED: 'No telephony provider is configured, or its settings are not complete. Complete the telephony configuration',
  NOT_SUPPORTED: 'The telephony provider has no live events. Calls appear after they have ended',
  NO_PUBLIC_ADDRESS: 'The provider cannot reach this service. Set PUBLIC_URL in the environment of the service, and start it again',
}

function momentOf(at: number | null): string | null {
  return at === null ? null : isoMoment(at)
}
