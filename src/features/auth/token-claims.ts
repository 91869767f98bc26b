import { decodeJwt } from 'jose'
import { z } from 'zod'

const claimsSchema = z.object({
  exp: z.number().optional().catch(undefined),
  sub: z.string().optional().catch(undefined),
  workspaceId: z.string().optional().catch(undefined),
  workspaceMemberId: z.string().optional().catch(undefined),
})

/**
 * What a token of the platform says of itself, NOT verified: good for refusing early and for when to stop believing it, never for
 * letting anybody in. Null where it is no JWT.
 */
export type TokenClaims = {
  /** Milliseconds since 1970; null where it names no end. */
  readonly expiresAt: number | null
  /** Whom it is about: the user's id in a token of a person. */
  readonly subject: string | null
  readonly workspaceId: string | null
  readonly memberId: string | null
}

export function readClaims(token: string): TokenClaims | null {
  try {
    const { exp, sub, workspaceId, workspaceMemberId } = claimsSchema.parse(decodeJwt(token))
    return {
      expiresAt: exp === undefined ? null : exp * 1_000,
      subject: sub ?? null,
      workspaceId: workspaceId ?? null,
      memberId: workspaceMemberId ?? null,
    }
  } catch {
    return null
  }
}
