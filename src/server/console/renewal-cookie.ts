import type { IncomingHttpHeaders } from 'node:http'
import { readClaims } from '../../access/token-claims.ts'
import { AppError } from '../../kernel/errors.ts'

/** The console's paths that read and set the cookie; browsers send it to no other. */
export const sessionPath = '/console/session'
/** A page of another site cannot set it without a preflight, which is refused. */
const ownHeader = 'x-console-session'

/** Whose sign-in the page shows. */
export type CookieOwner = { readonly userId: string; readonly workspaceId: string }

/**
 * Throws ORIGIN_REFUSED unless a page of this very origin has sent the request. Browsers say so (`Sec-Fetch-Site`); without encryption they do not, then
 * the Origin must be the address that was asked or the public one. SameSite alone is not enough: a page of a sibling domain is of the same site.
 */
export function requireOwnPage(headers: IncomingHttpHeaders, publicUrl: string | null): void {
  const { origin, host, 'sec-fetch-site': site } = headers
  const own = [host, publicUrl && new URL(publicUrl).host]
  const isOwn =
    origin !== undefined && URL.canParse(origin) && (site === undefined ? own.includes(new URL(origin).host) : site === 'same-origin')
  if (isOwn && headers[ownHeader] === '1') return
  throw new AppError('ORIGIN_REFUSED', { detail: 'Only the console itself may use this path; other programs sign in at /auth/login' })
}

/** The renewal token of this member in the Cookie header; null if there is none. Another site of the domain may have set cookies of the same name. */
export function renewalToken(headers: IncomingHttpHeaders, owner: CookieOwner): string | null {
  const pairs = (headers.cookie ?? '').split(/; */).map((pair) => pair.split('=', 2))
  const isOwn = ([name, token = '']: readonly string[]): boolean => {
    const claims = name === nameFor(headers) ? readClaims(token) : null
    return claims?.subject === owner.userId && claims.workspaceId === owner.workspaceId
  }
  return pairs.find(isOwn)?.[1] ?? null
}

/** It lives as long as the token. In seconds from now, because the clock of the device may be wrong. */
export function renewalCookie(headers: IncomingHttpHeaders, token: string): string {
  const { expiresAt, issuedAt } = readClaims(token) ?? { expiresAt: null, issuedAt: null }
  const seconds = expiresAt === null || issuedAt === null ? null : Math.round(expiresAt / 1_000 - issuedAt)
  return cookie(headers, { token, seconds })
}

export function noRenewalCookie(headers: IncomingHttpHeaders): string {
  return cookie(headers, { token: '', seconds: 0 })
}

/** `seconds`: null, until the browser is closed. */
function cookie(headers: IncomingHttpHeaders, { token, seconds }: { readonly token: string; readonly seconds: number | null }): string {
  const life = seconds === null ? '' : `; Max-Age=${seconds}`
  const secure = isEncrypted(headers) ? '; Secure' : ''
  return `${nameFor(headers)}=${token}; Path=${sessionPath}${life}; HttpOnly; SameSite=Strict${secure}`
}

/** A browser takes a name with this prefix only over https. */
function nameFor(headers: IncomingHttpHeaders): string {
  return isEncrypted(headers) ? '__Secure-console-renewal' : 'console-renewal'
}

/** By the Origin, because a proxy ends the encryption. */
function isEncrypted({ origin }: IncomingHttpHeaders): boolean {
  return origin?.startsWith('https:') ?? false
}
