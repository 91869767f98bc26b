import { createHmac, randomBytes } from 'node:crypto'
import { z } from 'zod'
import { isoMoment } from '../../../kernel/clock.ts'
import { hashOf } from '../../../kernel/ids.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'

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

/** Whose webhooks come with a key, by the hash of the key. */
export const webhookTargets = new Family({
  name: 'webhook-key',
  scope: 'installation',
  key: (keyHash: string) => [keyHash],
  schema: targetSchema,
  lifetime: lastingMs,
  about: 'workspace',
  what: 'the hash of a webhook key, until it is replaced',
})

export const currentWebhookKeys = new Family({
  name: 'webhook-key-current',
  key: ({ workspaceId, provider }: WebhookTarget) => [workspaceId, provider],
  schema: currentSchema,
  lifetime: lastingMs,
  about: 'workspace',
  what: 'the hash of the newest webhook key',
})

/**
 * Creates a key; the former one stays valid for a day, also if this fails: then repeat it. The end of the former key comes first, because a
 * repetition no longer knows a key that was replaced.
 */
export async function replaceWebhookKey(ports: Pick<Ports, 'store' | 'clock'>, target: WebhookTarget): Promise<NewWebhookKey> {
  const { clock } = ports
  const { workspaceId, provider } = target
  const key = newKey()
  const createdAt = isoMoment(clock.now())
  const validFor = (hash: string, lifetime: number): Promise<void> =>
    webhookTargets.write(ports, hash, { value: { workspaceId, provider }, lifetime })
  const former = await currentWebhookKeys.read(ports, target)
  if (former) await validFor(former.hash, day)
  await validFor(hashOf(key), lastingMs)
  const next = () => ({ hash: hashOf(key), createdAt })
  const { before } = await currentWebhookKeys.change(ports, target, { next })
  // Another rotation came in between.
  if (before && before.hash !== former?.hash) await validFor(before.hash, day)
  const formerValidUntil = before && isoMoment(clock.now() + day)
  return { workspaceId, provider, path: pathOf(provider, key), createdAt, formerValidUntil }
}

/** Creates a key for the webhooks of one call, valid for a day, and returns its path. The lasting key stays valid. */
export async function createCallWebhookPath(ports: Pick<Ports, 'store'>, { workspaceId, provider }: WebhookTarget): Promise<string> {
  const key = newKey()
  await webhookTargets.write(ports, hashOf(key), { value: { workspaceId, provider }, lifetime: day })
  return pathOf(provider, key)
}

/** The address of a provider's live events: its path, and the hash by which the store knows its key. */
export type LiveEventsAddress = { readonly path: string; readonly keyHash: string }

/**
 * The address that the service itself gives to the provider. Its key is computed from the service's secret, so that every instance gives the
 * same one, and a restart too. Another account or a new webhook key gives another address.
 */
export async function readLiveEventsAddress(
  ports: Pick<Ports, 'store'> & { readonly liveEventsSecret: Uint8Array },
  { account, ...target }: WebhookTarget & { readonly account: string },
): Promise<LiveEventsAddress> {
  const webhookKey = await currentWebhookKeys.read(ports, target)
  const parts = JSON.stringify([target.workspaceId, target.provider, account, webhookKey?.hash ?? null])
  const key = createHmac('sha256', ports.liveEventsSecret).update(parts).digest('base64url')
  return { path: pathOf(target.provider, key), keyHash: hashOf(key) }
}

/** Makes the key of a live events address valid for 30 days, or, once another one has replaced it, for one more day. */
export async function storeLiveEventsKey(
  ports: Pick<Ports, 'store'>,
  { workspaceId, provider }: WebhookTarget,
  { keyHash, isReplaced = false }: { readonly keyHash: string; readonly isReplaced?: boolean },
): Promise<void> {
  await webhookTargets.write(ports, keyHash, { value: { workspaceId, provider }, lifetime: isReplaced ? day : 30 * day })
}

/** Null for an unknown key, or a key of another provider. */
export async function readWebhookTarget(ports: Pick<Ports, 'store'>, provider: string, key: string): Promise<WebhookTarget | null> {
  const target = await webhookTargets.read(ports, hashOf(key))
  return target?.provider === provider ? target : null
}

/** The creation times of the lasting keys; never the keys. */
export async function listWebhookKeys(
  ports: Pick<Ports, 'store'>,
  workspaceId: string,
  providers: readonly string[],
): Promise<readonly WebhookKeyInfo[]> {
  const known = await currentWebhookKeys.readMany(
    ports,
    providers.map((provider) => ({ workspaceId, provider })),
  )
  return providers.flatMap((provider, index) => (known[index] ? [{ provider, createdAt: known[index].createdAt }] : []))
}

/** 32 random bytes. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}

function pathOf(provider: string, key: string): string {
  return `/hooks/telephony/${provider}/${key}`
}
