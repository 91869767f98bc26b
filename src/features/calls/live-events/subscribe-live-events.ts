import { AppError } from '../../../kernel/errors.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { storeLiveEventsKey } from '../webhook-store/webhook-keys.ts'
import {
  readAccountOwner,
  readSubscription,
  storeAccountOwner,
  storeSubscription,
  subscribingLease,
  type Subscription,
} from './subscription.ts'
import { accountOf, type WantedSubscription, wantedSubscription } from './wanted-subscription.ts'

type SubscribePorts = Pick<
  CallPorts,
  'clock' | 'configuration' | 'liveEventsSecret' | 'log' | 'publicAddress' | 'schemas' | 'store' | 'telephonyOf'
>

/** A subscription is sent again after this time, in case the provider has lost it or somebody has replaced it. */
const renewAfterMs = 15 * 60_000
/** The least time between two tries: also for instances that disagree, for example about their public address. */
const pauseMs = 5_000
const longestPauseMs = 10 * 60_000
/** How long a person waits for an instance that subscribes just now. */
const urgentWaitMs = 10_000

/**
 * Has the provider send the workspace's live events to this service, if it does not do so yet: nothing was subscribed, something else was, or
 * the last time is too long ago. Once per account among all instances. Repeatable at any time. A failure is stored and logged, and tried again
 * after a growing pause. `isUrgent`: waits for no pause, because a person asks. Errors: STORE_UNAVAILABLE.
 */
export async function subscribeLiveEvents(ports: SubscribePorts, workspaceId: string, isUrgent = false): Promise<void> {
  const wanted = await wantedSubscription(ports, workspaceId)
  if (typeof wanted === 'string') return
  const isDue = async (): Promise<boolean> =>
    isTime(await readSubscription(ports, workspaceId), wanted, { now: ports.clock.now(), isUrgent })
  if (!(await isDue())) return
  const waitMs = isUrgent ? urgentWaitMs : 0
  await using lease = await subscribingLease.acquire(ports, wanted.account, { waitMs, log: ports.log })
  // Another instance may have subscribed meanwhile.
  if (lease && (await isDue())) await subscribe(ports, wanted)
}

/** `now`: epoch milliseconds. */
function isTime(
  subscription: Subscription | null,
  { digest }: WantedSubscription,
  { now, isUrgent }: { readonly now: number; readonly isUrgent: boolean },
): boolean {
  if (subscription === null) return true
  const { subscribed, lastTry } = subscription
  if (!isUrgent && now < lastTry.at + pauseMs) return false
  if (lastTry.digest !== digest) return true
  if (lastTry.failures > 0) return isUrgent || now >= lastTry.nextTryAt
  return subscribed?.digest !== digest || now >= lastTry.nextTryAt
}

async function subscribe(ports: SubscribePorts, wanted: WantedSubscription): Promise<void> {
  const { workspaceId, provider, digest, keyHash } = wanted
  const before = await readSubscription(ports, workspaceId)
  const at = ports.clock.now()
  const problem = await tryToSubscribe(ports, wanted)
  if (problem !== null) {
    const failures = (before?.lastTry.failures ?? 0) + 1
    const waitMs = Math.min(pauseMs * 2 ** Math.min(failures - 1, 20), longestPauseMs)
    const lastTry = { digest, at, failures, problem, nextTryAt: at + waitMs }
    await storeSubscription(ports, workspaceId, { subscribed: before?.subscribed ?? null, lastTry })
    ports.log.warn({ workspaceId, provider, failures, problem, retryInSeconds: waitMs / 1000 }, 'live-events.not-subscribed')
    return
  }
  const lastTry = { digest, at, failures: 0, problem: null, nextTryAt: at + renewAfterMs }
  await storeSubscription(ports, workspaceId, { subscribed: { digest, provider, keyHash, at }, lastTry })
  if (before?.subscribed?.digest === digest) return
  ports.log.info({ workspaceId, provider }, 'live-events.subscribed')
  const former = before?.subscribed
  if (former && former.keyHash !== keyHash) {
    await storeLiveEventsKey(ports, { workspaceId, provider: former.provider }, { keyHash: former.keyHash, isReplaced: true })
  }
}

/** Resolves to null, or to why it failed. Errors: STORE_UNAVAILABLE. */
async function tryToSubscribe(ports: SubscribePorts, wanted: WantedSubscription): Promise<string | null> {
  const { workspaceId, account, url, keyHash } = wanted
  if (await isUsedByAnother(ports, wanted)) {
    return "Another workspace of this service receives this account's live events. An account can serve one workspace only"
  }
  // Before the provider knows the address: the first event may come at once.
  await storeLiveEventsKey(ports, wanted, { keyHash })
  try {
    const telephony = await ports.telephonyOf(workspaceId)
    await telephony.subscribe({ callEventsUrl: url, agentEventsUrl: url })
  } catch (error) {
    if (error instanceof AppError && error.reason !== 'STORE_UNAVAILABLE') return error.message
    throw error
  }
  await storeAccountOwner(ports, account, workspaceId)
  return null
}

/** Whether another workspace has subscribed this account and is still configured to use it. */
async function isUsedByAnother(ports: SubscribePorts, { workspaceId, account }: WantedSubscription): Promise<boolean> {
  const owner = await readAccountOwner(ports, account)
  if (owner === null || owner === workspaceId) return false
  try {
    return (await accountOf(ports, owner)) === account
  } catch (error) {
    if (error instanceof AppError && error.reason === 'NOT_CONFIGURED') return false
    throw error
  }
}
