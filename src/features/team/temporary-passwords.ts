import { z } from 'zod'
import { isoMoment } from '../../kernel/clock.ts'
import { hashOf } from '../../kernel/ids.ts'
import { makeTemporaryPassword } from './make-temporary-password.ts'
import type { PasswordPorts } from './team-ports.ts'
import { Family } from '../../ports/stored/family.ts'

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
/** More than TEMPORARY_PASSWORD_HOURS may be. */
const maxPasswordMs = 31 * 24 * 3_600_000
const byOwner = ({ workspaceId, email }: PasswordOwner): readonly string[] => [workspaceId, hashOf(email)]

export const passwordFacts = new Family({
  name: 'team:*:password',
  key: byOwner,
  schema: factsSchema,
  lifetime: maxPasswordMs + rememberedMs,
  about: 'agent',
  what: 'when a temporary password was made and used',
})

export const temporaryPasswords = new Family({
  name: 'team:*:password:*:sealed',
  key: byOwner,
  schema: z.string(),
  form: 'TEXT',
  sealedBy: ({ teamBox }: Pick<PasswordPorts, 'teamBox'>) => teamBox,
  unreadable: 'ABSENT',
  lifetime: maxPasswordMs,
  about: 'agent',
  what: 'a temporary password, sealed',
})

/**
 * Stores a password for the sign-up and returns it. A valid one is used again, because a sign-up with it may still be running. Passwords are
 * sealed in the store until they expire. All functions of this file throw STORE_UNAVAILABLE.
 */
export async function prepareTemporaryPassword(ports: PasswordPorts, owner: PasswordOwner): Promise<string> {
  const { clock, temporaryPasswordMs } = ports
  const password = (await load(ports, owner)).password ?? makeTemporaryPassword()
  const now = clock.now()
  const facts: Facts = { createdAt: now, expiresAt: now + temporaryPasswordMs, usedAt: null, changedAt: null }
  await temporaryPasswords.write(ports, owner, { value: password, lifetime: temporaryPasswordMs })
  await passwordFacts.write(ports, owner, { value: facts, lifetime: temporaryPasswordMs + rememberedMs })
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
  const { version, facts, password: temporary } = await load(ports, owner)
  if (!facts || temporary === null) return
  const now = ports.clock.now()
  const lifetime = facts.expiresAt - now + rememberedMs
  const change = (value: Facts): Promise<unknown> => passwordFacts.replace(ports, owner, { version, value, lifetime })
  if (password === temporary) {
    if (facts.usedAt === null) await change({ ...facts, usedAt: now })
    return
  }
  await change({ ...facts, changedAt: now })
  await temporaryPasswords.delete(ports, owner)
}

/** Whether each of the owners has a temporary password, in their order. */
export function haveTemporaryPasswords(ports: Pick<PasswordPorts, 'store'>, owners: readonly PasswordOwner[]): Promise<readonly boolean[]> {
  return temporaryPasswords.areStored(ports, owners)
}

export async function deleteTemporaryPassword(ports: Pick<PasswordPorts, 'store'>, owner: PasswordOwner): Promise<void> {
  await temporaryPasswords.delete(ports, owner)
  await passwordFacts.delete(ports, owner)
}

async function load(ports: PasswordPorts, owner: PasswordOwner) {
  const [{ value: facts, version }, sealed] = await passwordFacts.readWith(ports, owner, { family: temporaryPasswords, key: owner })
  // The store forgets the sealed text when the password ends.
  const isValid = facts !== null && facts.changedAt === null
  return { version, facts, password: isValid ? sealed.value : null }
}
