import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import type { WebhookTarget } from '../webhook-store/webhook-keys.ts'

/** What is stored about the subscription of a workspace to its provider's live events. Times are epoch milliseconds. */

const subscribedSchema = z.object({
  /** Of everything that was subscribed: account, access and address. */
  digest: z.string(),
  provider: z.string(),
  keyHash: z.string(),
  at: z.number(),
})
const lastTrySchema = z.object({
  digest: z.string(),
  at: z.number(),
  /** Failed tries in a row. */
  failures: z.number(),
  /** Why it failed, as text for the manager; null if it succeeded. */
  problem: z.string().nullable(),
  nextTryAt: z.number(),
})
const subscriptionSchema = z.object({ subscribed: subscribedSchema.nullable(), lastTry: lastTrySchema })

/** The last successful subscription, and the last try. */
export type Subscription = z.output<typeof subscriptionSchema>

const thirtyDays = 30 * 86_400_000

export const subscriptions = new Family({
  name: 'live-events',
  key: (workspaceId: string) => [workspaceId],
  schema: subscriptionSchema,
  lifetime: thirtyDays,
  about: 'workspace',
  what: 'the subscription to live events',
})

/** The workspace that subscribed an account of a provider last. */
export const accountOwners = new Family({
  name: 'live-events-account',
  scope: 'installation',
  key: (account: string) => [account],
  schema: z.string(),
  form: 'TEXT',
  lifetime: thirtyDays,
  about: 'workspace',
  what: 'the workspace that subscribed an account',
})

export const subscribingLease = new LeaseOf({
  name: 'live-events-lease',
  scope: 'installation',
  key: (account: string) => [account],
  what: 'a subscription under way',
})

/** Epoch milliseconds. */
export const lastLiveEvents = new Family({
  name: 'live-events-last',
  key: ({ workspaceId, provider }: WebhookTarget) => [workspaceId, provider],
  schema: z.number(),
  lifetime: thirtyDays,
  about: 'workspace',
  what: 'when the last live event came',
})

/** Null if nobody has tried. Throws STORE_UNAVAILABLE. */
export function readSubscription(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<Subscription | null> {
  return subscriptions.read(ports, workspaceId)
}

/** Throws STORE_UNAVAILABLE. */
export async function storeSubscription(ports: Pick<Ports, 'store'>, workspaceId: string, value: Subscription): Promise<void> {
  await subscriptions.write(ports, workspaceId, { value })
}

/** The workspace that subscribed an account last; null if none did. Throws STORE_UNAVAILABLE. */
export function readAccountOwner(ports: Pick<Ports, 'store'>, account: string): Promise<string | null> {
  return accountOwners.read(ports, account)
}

/** Throws STORE_UNAVAILABLE. */
export async function storeAccountOwner(ports: Pick<Ports, 'store'>, account: string, workspaceId: string): Promise<void> {
  await accountOwners.write(ports, account, { value: workspaceId })
}

/** Stores that a live event has come. Throws STORE_UNAVAILABLE. */
export async function noteLiveEvent(ports: Pick<Ports, 'store' | 'clock'>, target: WebhookTarget): Promise<void> {
  await lastLiveEvents.write(ports, target, { value: ports.clock.now() })
}

/** When the last live event came; null if none came in the last 30 days. Throws STORE_UNAVAILABLE. */
export function readLastLiveEvent(ports: Pick<Ports, 'store'>, target: WebhookTarget): Promise<number | null> {
  return lastLiveEvents.read(ports, target)
}
