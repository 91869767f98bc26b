import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import type { Ports } from '../../../ports/ports.ts'
import type { Version } from '../../../ports/store.ts'
import { Family } from '../../../ports/stored/family.ts'
import { type MarkedToken, tokenLifeMs } from './refused-tokens.ts'

/** Whose sign-ins: the two claims that access tokens and refresh tokens both have. */
export type Owner = { readonly workspaceId: string; readonly userId: string }

/** Mark, expiry (epoch milliseconds), 1 for an access token. */
const tokensSchema = z.array(z.tuple([z.string(), z.number(), z.union([z.literal(0), z.literal(1)])]))
type StoredTokens = z.output<typeof tokensSchema>
const storedSchema = z.array(
  z.object({
    id: z.string(),
    /** When the first access token was issued (seconds), if it was not issued through this service: its refresh token is not known. */
    at: z.number().optional(),
    tokens: tokensSchema,
  }),
)

/** One sign-in and its tokens that have not expired. */
export type SignIn = { readonly id: string; readonly at?: number | undefined; readonly tokens: readonly MarkedToken[] }
/** `version`: null if nothing is stored. */
type StoredSignIns = { readonly version: Version | null; readonly signIns: readonly SignIn[] }

/** Of one member; of those who never sign out, the oldest are given up. */
const maxSignIns = 50
/** Of one sign-in: a client renews every half hour, and the value must not grow with one that does nothing else. */
export const maxTokens = 100

export const storedSignIns = new Family({
  name: 'auth:sign-ins',
  key: ({ workspaceId, userId }: Owner) => [workspaceId, userId],
  schema: storedSchema,
  unreadable: 'ABSENT',
  lifetime: tokenLifeMs,
  about: 'agent',
  what: 'the sign-ins of a member: hashes of their tokens, until they expire',
})

export async function readSignIns(ports: Pick<Ports, 'store'>, owner: Owner): Promise<StoredSignIns> {
  const { value, version } = await storedSignIns.readStored(ports, owner)
  const tokensOf = (tokens: StoredTokens): MarkedToken[] =>
    tokens.map(([mark, expiresAt, isAccess]) => ({ mark, expiresAt, isAccess: isAccess === 1 }))
  return { version, signIns: (value ?? []).map(({ id, at, tokens }) => ({ id, at, tokens: tokensOf(tokens) })) }
}

/** Replaces exactly what was read; false if another process was faster. */
export async function writeSignIns(
  ports: Pick<Ports, 'store'>,
  owner: Owner,
  { from, signIns, now }: { readonly from: Version | null; readonly signIns: readonly SignIn[]; readonly now: number },
): Promise<boolean> {
  const live = signIns
    .map((signIn) => ({ ...signIn, tokens: signIn.tokens.filter(({ expiresAt }) => expiresAt > now).slice(-maxTokens) }))
    .filter(({ tokens }) => tokens.length > 0)
    .slice(-maxSignIns)
  if (live.length === 0) return from === null || storedSignIns.deleteVersion(ports, owner, from)
  const rowsOf = (tokens: readonly MarkedToken[]): StoredTokens =>
    tokens.map(({ mark, expiresAt, isAccess }) => [mark, expiresAt, isAccess ? 1 : 0])
  const value = live.map(({ id, at, tokens }) => ({ id, at, tokens: rowsOf(tokens) }))
  const last = Math.max(...live.flatMap(({ tokens }) => tokens.map(({ expiresAt }) => expiresAt)))
  const lifetime = Math.min(last - now, tokenLifeMs)
  return (await storedSignIns.replace(ports, owner, { version: from, value, lifetime })) !== null
}

/** Runs a step that reads and writes until nobody was faster. Throws OVERLOADED. */
export async function untilWritten(step: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 50; tries += 1) if (await step()) return
  throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 1 } })
}
