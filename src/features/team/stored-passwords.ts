import { z } from 'zod'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { SecretBox } from '../../kernel/secrets.ts'
import type { Store } from '../../ports/store.ts'
import { makeTemporaryPassword } from './temporary-password.ts'

/** Whose password: one member of one workspace, by e-mail, because it is made before the member is. */
export type PasswordOwner = { readonly workspaceId: string; readonly email: string }

/** A temporary password as its manager may read it; moments in ISO 8601. `usedAt`: when it first signed in. */
export type KeptPassword = {
  readonly password: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly usedAt: string | null
}
export type NoPassword = 'NEVER_KEPT' | 'EXPIRED' | 'CHANGED'

/** Temporary passwords, sealed in the store until they expire. All methods throw STORE_UNAVAILABLE. */
export interface KeptPasswords {
  /** The password to sign up with, kept from now on; one that stands is taken again, because a sign-up with it may be under way. */
  prepare(owner: PasswordOwner): Promise<string>
  read(owner: PasswordOwner): Promise<KeptPassword | NoPassword>
  /** The owner signed in with this password, which is right: it was the temporary one, or that is over. */
  signedIn(owner: PasswordOwner, password: string): Promise<void>
  areKept(owners: readonly PasswordOwner[]): Promise<readonly boolean[]>
  forget(owner: PasswordOwner): Promise<void>
}

export type KeptPasswordsOptions = { readonly store: Store; readonly box: SecretBox; readonly clock: Clock; readonly lifetimeMs: number }

const factsSchema = z.object({
  createdAt: z.number(),
  expiresAt: z.number(),
  usedAt: z.number().nullable(),
  changedAt: z.number().nullable(),
})
type Facts = z.output<typeof factsSchema>

/** How long it can be said why there is no password any more. */
const rememberedMs = 90 * 24 * 3_600_000

export function createKeptPasswords({ store, box, clock, lifetimeMs }: KeptPasswordsOptions): KeptPasswords {
  const factsKey = ({ workspaceId, email }: PasswordOwner): string => `team:${workspaceId}:password:${hashOf(email)}`
  const sealedKey = (owner: PasswordOwner): string => `${factsKey(owner)}:sealed`

  const open = (owner: PasswordOwner, sealed: string): string | null => {
    try {
      return box.open(sealed, sealedKey(owner))
    } catch {
      return null
    }
  }
  const load = async (owner: PasswordOwner) => {
    const [text, sealed] = await store.getMany([factsKey(owner), sealedKey(owner)])
    const facts = text === null || text === undefined ? null : factsSchema.parse(JSON.parse(text))
    const password = sealed === null || sealed === undefined ? null : open(owner, sealed)
    return { text, facts, password: facts && facts.expiresAt > clock.now() && facts.changedAt === null ? password : null }
  }
  const change = (owner: PasswordOwner, expected: string, facts: Facts): Promise<boolean> =>
    store.compareAndSet(factsKey(owner), { expected, value: JSON.stringify(facts), ttlMs: facts.expiresAt - clock.now() + rememberedMs })

  return {
    async prepare(owner) {
      const password = (await load(owner)).password ?? makeTemporaryPassword()
      const now = clock.now()
      const facts: Facts = { createdAt: now, expiresAt: now + lifetimeMs, usedAt: null, changedAt: null }
      await store.set(sealedKey(owner), box.seal(password, sealedKey(owner)), { ttlMs: lifetimeMs })
      await store.set(factsKey(owner), JSON.stringify(facts), { ttlMs: lifetimeMs + rememberedMs })
      return password
    },
    async read(owner) {
      const { facts, password } = await load(owner)
      if (!facts) return 'NEVER_KEPT'
      if (facts.changedAt !== null) return 'CHANGED'
      if (password === null) return 'EXPIRED'
      const { createdAt, expiresAt, usedAt } = facts
      return {
        password,
        createdAt: isoMoment(createdAt),
        expiresAt: isoMoment(expiresAt),
        usedAt: usedAt === null ? null : isoMoment(usedAt),
      }
    },
    async signedIn(owner, password) {
      const { text, facts, password: kept } = await load(owner)
      if (!text || !facts || kept === null) return
      if (password === kept) {
        if (facts.usedAt === null) await change(owner, text, { ...facts, usedAt: clock.now() })
        return
      }
      await change(owner, text, { ...facts, changedAt: clock.now() })
      await store.delete(sealedKey(owner))
    },
    async areKept(owners) {
      if (owners.length === 0) return []
      const sealed = await store.getMany(owners.map(sealedKey))
      return sealed.map((text) => text !== null)
    },
    async forget(owner) {
      await store.delete(sealedKey(owner))
      await store.delete(factsKey(owner))
    },
  }
}
