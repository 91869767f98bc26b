import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { readJson, writeJson } from '../stored-json.ts'
import type { WebhookTarget } from '../webhook-keys.ts'

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

/** Null if nobody has tried. Throws STORE_UNAVAILABLE. */
export function readSubscription({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<Subscription | null> {
  return readJson(store, keyOf(workspaceId), subscriptionSchema)
}

/** Throws STORE_UNAVAILABLE. */
export async function storeSubscription({ store }: Pick<Ports, 'store'>, workspaceId: string, value: Subscription): Promise<void> {
  await writeJson(store, keyOf(workspaceId), { value, ttlMs: thirtyDays })
}

/** The workspace that subscribed an account last; null if none did. Throws STORE_UNAVAILABLE. */
export function readAccountOwner({ store }: Pick<Ports, 'store'>, account: string): Promise<string | null> {
  return store.get(ownerKey(account))
}

/** Throws STORE_UNAVAILABLE. */
export async function storeAccountOwner({ store }: Pick<Ports, 'store'>, account: string, workspaceId: string): Promise<void> {
  await store.set(ownerKey(account), workspaceId, { ttlMs: thirtyDays })
}

/** Stores that a live event has come. Throws STORE_UNAVAILABLE. */
export async function noteLiveEvent({ store, clock }: Pick<Ports, 'store' | 'clock'>, target: WebhookTarget): Promise<void> {
  await store.set(lastEventKey(target), String(clock.now()), { ttlMs: thirtyDays })
}

/** When the last live event came; null if none came in the last 30 days. Throws STORE_UNAVAILABLE. */
export async function readLastLiveEvent({ store }: Pick<Ports, 'store'>, target: WebhookTarget): Promise<number | null> {
  const at = await store.get(lastEventKey(target))
  return at === null ? null : Number(at)
}

const keyOf = (workspaceId: string): string => `live-events:${workspaceId}`
const lastEventKey = ({ workspaceId, provider }: WebhookTarget): string => `live-events-last:${workspaceId}:${provider}`
const ownerKey = (account: string): string => `live-events-account:${account}`
