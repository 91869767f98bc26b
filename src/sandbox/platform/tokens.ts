import { compactVerify, decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, type JWK, SignJWT } from 'jose'
import { LRUCache } from 'lru-cache'
import { z } from 'zod'
import type { Clock } from '../clock.ts'
import { newId } from '../ids.ts'
import { invalidTokenType, unauthenticated } from './errors.ts'
import type { KeptMap } from './storage.ts'
import type { Version } from './workspace-model.ts'

export const tokenTypes = ['LOGIN', 'ACCESS', 'REFRESH', 'WORKSPACE_AGNOSTIC', 'API_KEY'] as const
export type TokenType = (typeof tokenTypes)[number]

const claimsSchema = z.object({
  type: z.enum(tokenTypes),
  sub: z.string(),
  iat: z.number(),
  exp: z.number(),
  jti: z.string(),
  /** The stand-in's own count of tokens, so that a command can expire all that exist. */
  serial: z.number(),
  userId: z.string().optional(),
  workspaceId: z.string().optional(),
  workspaceMemberId: z.string().optional(),
  userWorkspaceId: z.string().optional(),
})
export type Claims = z.output<typeof claimsSchema>

/** What a token says beside its type, time and id. */
type OwnClaims = Omit<Claims, 'type' | 'iat' | 'exp' | 'jti' | 'serial'>

export type IssuedToken = { readonly token: string; readonly expiresAt: string; readonly id: string }

/** How long tokens live, in milliseconds. */
export type Lifetimes = { loginMs: number; accessMs: number; refreshMs: number; refreshGraceMs: number }
const platformLifetimes: Lifetimes = { loginMs: 900_000, accessMs: 1_800_000, refreshMs: 5_184_000_000, refreshGraceMs: 60_000 }

export interface Tokens {
  readonly lifetimes: Lifetimes
  issue(type: TokenType, claims: OwnClaims, life: { lifetimeMs: number; id?: string }): Promise<IssuedToken>
  /** The claims of a good token; throws "Token invalid." (1.3: "No payload") or "Token has expired.". */
  verify(token: string): Promise<Claims>
  /** Makes every token of these types that exists expire. */
  expire(types: readonly TokenType[]): void
}

/** Signs with ES256, like the platform; the key is stored, so that tokens stay valid after a restart. */
export async function openTokens(texts: KeptMap<string>, clock: Clock, version: Version): Promise<Tokens> {
  const keys = await signingKeys(texts)
  const lifetimes = { ...platformLifetimes }
  const malformed = version === '1.3' ? 'No payload' : 'Token invalid.'
  // By size: `max` would allocate all places at once.
  const known = new LRUCache<string, Claims>({ maxSize: 20_000, sizeCalculation: () => 1 })
  const expiredUpTo = new Map<TokenType, number>()
  let serial = Number(texts.get('tokenSerial') ?? 0)

  return {
    lifetimes,
    async issue(type, claims, { lifetimeMs, id = newId() }) {
      const now = clock.now()
      serial += 1
      texts.set('tokenSerial', String(serial))
      const payload = { ...claims, type, serial, authProvider: 'password' }
      const token = await new SignJWT(payload)
        .setProtectedHeader({ alg: 'ES256', typ: 'JWT' })
        .setIssuedAt(Math.floor(now / 1000))
        .setExpirationTime(Math.floor((now + lifetimeMs) / 1000))
        .setJti(id)
        .sign(keys.privateKey)
      return { token, id, expiresAt: new Date(now + lifetimeMs).toISOString() }
    },
    async verify(token) {
      const claims = known.get(token) ?? (await readClaims(token, keys.publicKey))
      if (!claims) throw version !== '1.3' && isOtherSignature(token) ? invalidTokenType('Invalid token type') : unauthenticated(malformed)
      known.set(token, claims)
      const isExpired = claims.exp * 1000 <= clock.now() || claims.serial <= (expiredUpTo.get(claims.type) ?? 0)
      if (isExpired) throw unauthenticated('Token has expired.')
      return claims
    },
    expire(types) {
      for (const type of types) expiredUpTo.set(type, serial)
    },
  }
}

function isOtherSignature(token: string): boolean {
  try {
    return decodeProtectedHeader(token).alg !== 'ES256'
  } catch {
    return false
  }
}

async function readClaims(token: string, key: CryptoKey): Promise<Claims | null> {
  try {
    const { payload } = await compactVerify(token, key)
    return claimsSchema.parse(JSON.parse(Buffer.from(payload).toString('utf8')))
  } catch {
    return null
  }
}

type SigningKeys = { readonly privateKey: CryptoKey; readonly publicKey: CryptoKey }

const jwkSchema = z.object({ kty: z.literal('EC'), crv: z.string(), x: z.string(), y: z.string(), d: z.string() })

async function signingKeys(texts: KeptMap<string>): Promise<SigningKeys> {
  const kept = texts.get('signingKey')
  if (kept === undefined) {
    const pair = await generateKeyPair('ES256', { extractable: true })
    texts.set('signingKey', JSON.stringify(await exportJWK(pair.privateKey)))
    return pair
  }
  const jwk = jwkSchema.parse(JSON.parse(kept))
  const { d: _private, ...open } = jwk
  return { privateKey: await importKey(jwk), publicKey: await importKey(open) }
}

async function importKey(jwk: JWK): Promise<CryptoKey> {
  const key = await importJWK(jwk, 'ES256')
  if (key instanceof Uint8Array) throw new Error('the signing key is no key pair')
  return key
}
