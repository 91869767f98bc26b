import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Store } from '../../ports/store.ts'
import { createStoredJson } from './stored-json.ts'

/** Where a callback belongs. */
export type WebhookTarget = { readonly workspaceId: string; readonly provider: string }

/** A key as it is shown once, when it is made. */
export type NewCallbackKey = WebhookTarget & {
  readonly path: string
  readonly createdAt: string
  readonly formerValidUntil: string | null
}
export type CallbackKeyFacts = { readonly provider: string; readonly createdAt: string }

/**
 * The unguessable last part of the addresses that providers call back. Kept as a hash alone: who reads the store learns no key. Errors of
 * all methods: STORE_UNAVAILABLE.
 */
export interface WebhookKeys {
  /** Makes a key; the one before stays valid for a day. */
  rotate(target: WebhookTarget): Promise<NewCallbackKey>
  /** A key for the callbacks of one call, valid for a day beside the lasting one. */
  forOneCall(target: WebhookTarget): Promise<{ readonly path: string }>
  /** Whose key it is; null for an unknown one. */
  targetOf(provider: string, key: string): Promise<WebhookTarget | null>
  /** When the lasting keys were made; never the keys. */
  list(workspaceId: string, providers: readonly string[]): Promise<readonly CallbackKeyFacts[]>
}

const day = 86_400_000
const targetSchema = z.object({ workspaceId: z.string(), provider: z.string() })
const currentSchema = z.object({ hash: z.string(), createdAt: z.string() })
/** Ten years: until it is rotated. */
const lastingMs = 3_650 * day

export function createWebhookKeys(store: Store, clock: Clock): WebhookKeys {
  const targets = createStoredJson(store, { schema: targetSchema, ttlMs: lastingMs })
  const shortTargets = createStoredJson(store, { schema: targetSchema, ttlMs: day })
  const currents = createStoredJson(store, { schema: currentSchema, ttlMs: lastingMs })
  const keyOf = (hash: string): string => `callback-key:${hash}`
  const currentKey = ({ workspaceId, provider }: WebhookTarget): string => `callback-key-current:${workspaceId}:${provider}`

  return {
    async rotate({ workspaceId, provider }) {
      const target = { workspaceId, provider }
      const key = newKey()
      const createdAt = isoMoment(clock.now())
      await targets.write(keyOf(hashOf(key)), target)
      const { before } = await currents.change(currentKey(target), () => ({ hash: hashOf(key), createdAt }))
      if (before) await shortTargets.write(keyOf(before.hash), target)
      return { ...target, path: pathOf(provider, key), createdAt, formerValidUntil: before && isoMoment(clock.now() + day) }
    },
    async forOneCall({ workspaceId, provider }) {
      const key = newKey()
      await shortTargets.write(keyOf(hashOf(key)), { workspaceId, provider })
      return { path: pathOf(provider, key) }
    },
    async targetOf(provider, key) {
      const target = await targets.read(keyOf(hashOf(key)))
      return target?.provider === provider ? target : null
    },
    async list(workspaceId, providers) {
      const known = await currents.readMany(providers.map((provider) => currentKey({ workspaceId, provider })))
      return providers.flatMap((provider, index) => (known[index] ? [{ provider, createdAt: known[index].createdAt }] : []))
    },
  }
}

/** 32 random bytes: nobody guesses it. */
function newKey(): string {
  return randomBytes(32).toString('base64url')
}

function pathOf(provider: string, key: string): string {
  return `/hooks/telephony/${provider}/${key}`
}
