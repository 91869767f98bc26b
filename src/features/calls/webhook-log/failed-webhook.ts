import { z } from 'zod'
import type { SecretBox } from '../../../kernel/secrets.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { SortedEntry } from '../../../ports/store.ts'
import type { WebhookUpdate } from '../../../ports/telephony-webhooks.ts'
import { readJson, readManyJson, writeJson } from '../stored-json.ts'
import { webhookUpdateSchema } from '../webhook-update.ts'
import { failedKey, failedWebhookKey, webhookLogDays } from './entry.ts'

/**
 * What a failed webhook reported, sealed, so that it can be processed later. It is what would have become of the call's record: the body itself,
 * which has a secret of the provider, is not stored. Errors of all functions: STORE_UNAVAILABLE.
 */

export type FailedWebhook = {
  readonly provider: string
  /** Epoch milliseconds. */
  readonly receivedAt: number
  readonly updates: readonly WebhookUpdate[]
}

const storedSchema = z.object({ sealed: z.string(), replayedAt: z.string().nullable() })
const failedSchema = z.object({ provider: z.string(), receivedAt: z.number(), updates: z.array(webhookUpdateSchema) })
const ttlMs = webhookLogDays * 86_400_000

type FailedId = { readonly workspaceId: string; readonly id: string }

export async function storeFailedWebhook(
  { store, webhookBox }: Pick<Ports, 'store'> & { readonly webhookBox: SecretBox },
  { workspaceId, id, at }: FailedId & { readonly at: number },
  webhook: FailedWebhook,
): Promise<void> {
  const key = failedWebhookKey(workspaceId, id)
  await writeJson(store, key, { value: { sealed: webhookBox.seal(JSON.stringify(webhook), key), replayedAt: null }, ttlMs })
  await store.sortedAdd(failedKey(workspaceId), id, at)
}

/** Null if there is none, or if it cannot be opened any more. */
export async function readFailedWebhook(
  { store, webhookBox }: Pick<Ports, 'store'> & { readonly webhookBox: SecretBox },
  { workspaceId, id }: FailedId,
): Promise<(FailedWebhook & { readonly replayedAt: string | null }) | null> {
  const key = failedWebhookKey(workspaceId, id)
  const stored = await readJson(store, key, storedSchema)
  const webhook = stored && opened(webhookBox, stored.sealed, key)
  return webhook && { ...webhook, replayedAt: stored.replayedAt }
}

type Replayed = { readonly replayedAt: string; /** Stored with the mark. */ readonly audit: () => SortedEntry }

/** After its updates are durable. False if another replay was first, which alone is audited. A webhook that has just expired is audited without a mark. */
export async function markReplayed(
  { store }: Pick<Ports, 'store'>,
  { workspaceId, id }: FailedId,
  { replayedAt, audit }: Replayed,
): Promise<boolean> {
  const key = failedWebhookKey(workspaceId, id)
  const expected = await store.get(key)
  const stored = expected === null ? null : storedSchema.parse(JSON.parse(expected))
  // Nothing but a replay changes it.
  const isFirst =
    expected !== null &&
    stored?.replayedAt === null &&
    (await store.compareAndSet(key, { expected, value: JSON.stringify({ ...stored, replayedAt }), ttlMs, add: audit() }))
  const isGone = !isFirst && (await store.get(key)) === null
  if (isGone) {
    const { list, member, score } = audit()
    await store.sortedAdd(list, member, score)
  }
  await store.sortedRemove(failedKey(workspaceId), id)
  return isFirst || isGone
}

/** For each id whether it can be sent again, and when it was. Null for one that is not stored. */
export async function replayStates({ store }: Pick<Ports, 'store'>, workspaceId: string, ids: readonly string[]) {
  const keys = ids.map((id) => failedWebhookKey(workspaceId, id))
  return readManyJson(store, keys, storedSchema.pick({ replayedAt: true }))
}

function opened(box: SecretBox, sealed: string, key: string): FailedWebhook | null {
  try {
    return failedSchema.parse(JSON.parse(box.open(sealed, key)))
  } catch {
    return null
  }
}
