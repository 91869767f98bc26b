import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/ids.ts'
import { makeTemporaryPassword } from './make-temporary-password.ts'
import type { PasswordPorts } from './team-ports.ts'

/** Whose password: one member of one workspace. By e-mail (lower case), because the password is made before the member. */
export type PasswordOwner = { readonly workspaceId: string; readonly email: string }

/** A temporary password for the manager; times in ISO 8601. `usedAt`: when the member first signed in with it. */
export type TemporaryPassword = {
  readonly password: string
  readonly createdAt: string
  readonly expiresAt: string
  readonly usedAt: string | null
}
export type NoPassword = 'NEVER_STORED' | 'EXPIRED' | 'CHANGED'

const factsSchema = z.object({
  createdAt: z.number(),
  expiresAt: z.number(),
  usedAt: z.number().nullable(),
  changedAt: z.number().nullable(),
})
type Facts = z.output<typeof factsSchema>

/** How long after its end the service knows why there is no password. */
const rememberedMs = 90 * 24 * 3_600_000

/**
 * Stores a password for the sign-up and returns it. A valid one is used again, because a sign-up with it may still be running. Passwords are
 * sealed in the store until they expire. All functions of this file throw STORE_UNAVAILABLE.
 */
export async function prepareTemporaryPassword(ports: PasswordPorts, owner: PasswordOwner): Promise<string> {
  const { store, clock, teamBox, temporaryPasswordMs } = ports
  const password = (await load(ports, owner)).password ?? makeTemporaryPassword()
  const now = clock.now()
  const facts: Facts = { createdAt: now, expiresAt: now + temporaryPasswordMs, usedAt: null, changedAt: null }
  const key = sealedKey(owner)
  await store.set(key, teamBox.seal(password, key), { ttlMs: temporaryPasswordMs })
  await store.set(factsKey(owner), JSON.stringify(facts), { ttlMs: temporaryPasswordMs + rememberedMs })
  return password
}

export async function findTemporaryPassword(ports: PasswordPorts, owner: PasswordOwner): Promise<TemporaryPassword | NoPassword> {
  const { facts, password } = await load(ports, owner)
  if (!facts) return 'NEVER_STORED'
  if (facts.changedAt !== null) return 'CHANGED'
  if (password === null) return 'EXPIRED'
  const { createdAt, expiresAt, usedAt } = facts
  return {
    password,
    createdAt: isoMoment(createdAt),
    expiresAt: isoMoment(expiresAt),
    usedAt: usedAt === null ? null : isoMoment(usedAt),
  }
}

/** The platform accepted this password of the owner: the temporary one was used, or the owner has another one now. */
export async function notePassword(ports: PasswordPorts, { workspaceId, email }: PasswordOwner, password: string): Promise<void> {
  const owner = { workspaceId, email: email.toLowerCase() }
  const { text, facts, password: temporary } = await load(ports, owner)
  if (!text || !facts || temporary === null) return
  const now = ports.clock.now()
  const change = (changed: Facts): Promise<boolean> =>
    ports.store.compareAndSet(factsKey(owner), {
      expected: text,
      value: JSON.stringify(changed),
      ttlMs: facts.expiresAt - now + rememberedMs,
    })
  if (password === temporary) {
    if (facts.usedAt === null) await change({ ...facts, usedAt: now })
    return
  }
  await change({ ...facts, changedAt: now })
  await ports.store.delete(sealedKey(owner))
}

/** Whether each of the owners has a temporary password, in their order. */
export async function haveTemporaryPasswords(
  { store }: Pick<PasswordPorts, 'store'>,
  owners: readonly PasswordOwner[],
): Promise<readonly boolean[]> {
  if (owners.length === 0) return []
  const sealed = await store.getMany(owners.map(sealedKey))
  return sealed.map((text) => text !== null)
}

export async function deleteTemporaryPassword({ store }: Pick<PasswordPorts, 'store'>, owner: PasswordOwner): Promise<void> {
  await store.delete(sealedKey(owner))
  await store.delete(factsKey(owner))
}

async function load({ store, teamBox }: PasswordPorts, owner: PasswordOwner) {
  const [text, sealed] = await store.getMany([factsKey(owner), sealedKey(owner)])
  const facts = text === null || text === undefined ? null : factsSchema.parse(JSON.parse(text))
  // The store forgets the sealed text when the password ends.
  const isValid = facts !== null && facts.changedAt === null
  return { text, facts, password: sealed && isValid ? openSealed(teamBox, owner, sealed) : null }
}

/** Null if the password was sealed with another key. */
function openSealed(box: PasswordPorts['teamBox'], owner: PasswordOwner, sealed: string): string | null {
  try {
    return box.open(sealed, sealedKey(owner))
  } catch {
    return null
  }
}

function factsKey({ workspaceId, email }: PasswordOwner): string {
  return `team:${workspaceId}:password:${hashOf(email)}`
}

function sealedKey(owner: PasswordOwner): string {
  return `${factsKey(owner)}:sealed`
}
