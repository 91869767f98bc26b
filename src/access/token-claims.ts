import { decodeJwt } from 'jose'
import { z } from 'zod'
import { hashOf } from '../kernel/ids.ts'

const claimsSchema = z.object({
  exp: z.number().optional().catch(undefined),
  iat: z.number().optional().catch(undefined),
  sub: z.string().optional().catch(undefined),
  type: z.string().optional().catch(undefined),
  workspaceId: z.string().optional().catch(undefined),
  workspaceMemberId: z.string().optional().catch(undefined),
  isImpersonating: z.boolean().optional().catch(undefined),
})

/** Longer than any token of the platform. */
export const maxTokenChars = 8_192
export const tokenInput = z.string().min(1, 'must not be empty').max(maxTokenChars, 'is too long for a token')

/** The claims of a platform token, NOT verified: they may be used to refuse early, never to let anybody in. */
export type TokenClaims = {
  /** Milliseconds since 1970; null if the token names no end. */
  readonly expiresAt: number | null
  /** Seconds since 1970; null if the token does not say when it was issued. */
  readonly issuedAt: number | null
  /** The user's id in a token of a person. */
  readonly subject: string | null
  /** ACCESS, REFRESH, LOGIN, API_KEY ...; null if the token does not say. */
  readonly type: string | null
  readonly workspaceId: string | null
  readonly memberId: string | null
  /** An administrator of the platform acts as this member (Twenty's claim `isImpersonating`). */
  readonly isImpersonated: boolean
}

/** Null if the text is no JWT, or longer than any. */
export function readClaims(token: string): TokenClaims | null {
  if (token.length > maxTokenChars) return null
  try {
    const { exp, iat, sub, type, workspaceId, workspaceMemberId, isImpersonating } = claimsSchema.parse(decodeJwt(token))
    return {
      expiresAt: exp === undefined ? null : exp * 1_000,
      issuedAt: iat ?? null,
      subject: sub ?? null,
      type: type ?? null,
      workspaceId: workspaceId ?? null,
      memberId: workspaceMemberId ?? null,
      isImpersonated: isImpersonating ?? false,
    }
  } catch {
    return null
  }
}

/** 132 bits: no two tokens have the same. */
const markChars = 22

/**
 * Identifies a token without storing it: a digest of what its issuer signed. Without the signature, because a person who has a token can write the same
 * signature in other ways (unused bits of base64, the second form of ECDSA).
 */
export function tokenMark(token: string): string {
  return hashOf(token.split('.', 2).join('.')).slice(0, markChars)
}
