import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, readJson, readManyJson, writeJson } from './stored-json.ts'

/**
 * The unguessable last part of the webhook addresses that we give to providers. Only hashes are stored, so that reading the store
 * reveals no key. Errors of all functions: STORE_UNAVAILABLE.
 */

const targetSchema = z.object({ workspaceId: z.string(), provider: z.string() })
/** Whose webhooks come to an address. */
export type WebhookTarget = z.output<typeof targetSchema>

/** A new key, as it is shown once. */
export type NewWebhookKey = WebhookTarget & {
  /** The path of the webhook address, with the key. */
  readonly path: string
  readonly createdAt: string
  /** Null if there was no key before. */
  readonly formerValidUntil: string | null
}
export type WebhookKeyInfo = { readonly provider: string; readonly createdAt: string }

const day = 86_400_000
const currentSchema = z.object({ hash: z.string(), createdAt: z.string() })
/** Ten years: a key is valid until it is rotated. */
const lastingMs = 3_650 * day

/**
 * Creates a key; the former one stays valid for a day, also if this fails: then repeat it. The end of the former key comes first, because a
 * repetition no longer knows a key that was replaced.
 */
export async function replaceWebhookKey({ store, clock }: Pick<Ports, 'store' | 'clock'>, target: WebhookTarget): Promise<NewWebhookKey> {
  const { workspaceId, provider } = target
  const key = newKey()
  const createdAt = isoMoment(clock.now())
  const validFor = (hash: string, ttlMs: number): Promise<void> =>
    writeJson(store, targetKey(hash), { value: { workspaceId, provider }, ttlMs })
  const former = await readJson(store, currentKey(target), currentSchema)
  if (former) await validFor(former.hash, day)
  await validFor(hashOf(key), lastingMs)
  const next = () => ({ hash: hashOf(key), createdAt })
  const { before } = await changeJson(store, currentKey(target), { schema: currentSchema, ttlMs: lastingMs, next })
  // Another rotation came in between.
  if (before && before.hash !== former?.hash) await validFor(before.hash, day)
  const formerValidUntil = before && isoMoment(clock.now() + day)
  return { workspaceId, provider, path: pathOf(provider, key), createdAt, formerValidUntil }
}

/** Creates a key for the webhooks of one call, valid for a day, and returns its path. The lasting key stays valid. */
export async function createCallWebhookPath({ store }: Pick<Ports, 'store'>, { workspaceId, provider }: WebhookTarget): Promise<string> {
  const key = newKey()
  await writeJson(store, targetKey(hashOf(key)), { value: { workspaceId, provider }, ttlMs: day })
  return pathOf(provider, key)
}

/** The address of a provider's live events: its path, and the hash by which the store knows its key. */
export type LiveEventsAddress = { readonly path: string; readonly keyHash: string }

/**
 * The address that the service itself gives to the provider. Its key is computed from the service's secret, so that every instance gives the
 * same one, and a restart too. Another account or a new webhook key gives another address.
 */
export async function readLiveEventsAddress(
  { store, liveEventsSecret }: Pick<Ports, 'store'> & { readonly liveEventsSecret: Uint8Array },
  { account, ...target }: WebhookTarget & { readonly account: string },
): Promise<LiveEventsAddress> {
  const webhookKey = await readJson(store, currentKey(target), currentSchema)
  const parts = JSON.stringify([target.workspaceId, target.provider, account, webhookKey?.hash ?? null])
  const key = createHmac('sha256', liveEventsSecret).update(parts).digest('base64url')
  return { path: pathOf(target.provider, key), keyHash: hashOf(key) }
}

/** Makes the key of a live events address valid for 30 days, or, once another one has replaced it, for one more day. */
export async function storeLiveEventsKey(
  { store }: Pick<Ports, 'store'>,
  { workspaceId, provider }: WebhookTarget,
  { keyHash, isReplaced = false }: { readonly keyHash: string; readonly isReplaced?: boolean },
): Promise<void> {
  await writeJson(store, targetKey(keyHash), { value: { workspaceId, provider }, ttlMs: isReplaced ? day : 30 * day })
}

/** Null for an unknown key, or a key of another provider. */
export async function readWebhookTarget({ store }: Pick<Ports, 'store'>, provider: string, key: string): Promise<WebhookTarget | null> {
  const target = await readJson(store, targetKey(hashOf(key)), targetSchema)
  return target?.provider === provider ? target : null
}

/** The creation times of the lasting keys; never the keys. */
export async function listWebhookKeys(
  { store }: Pick<Ports, 'store'>,
  workspaceId: string,
  providers: readonly string[],
): Promise<readonly WebhookKeyInfo[]> {
  const keys = providers.map((provider) => currentKey({ workspaceId, provider }))
  const known = await readManyJson(store, keys, currentSchema)
  return providers.flatMap((provider, index) => (known[index] ? [{ provider, createdAt: known[index].createdAt }] : []))
}

/** 32 random bytes. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}

function pathOf(provider: string, key: string): string {
  return `/hooks/telephony/${provider}/${key}`
}

const targetKey = (hash: string): string => `webhook-key:${hash}`
const currentKey = ({ workspaceId, provider }: WebhookTarget): string => `webhook-key-current:${workspaceId}:${provider}`
