import { isJson, type Json } from '../errors/read-errors.ts'

/** How long an access token lives after it was issued, by its own claims: the clock of this device may be wrong. Null if it does not say. */
export function lifetimeMs(token: string): number | null {
  const { iat, exp } = claimsOf(token)
  return typeof iat === 'number' && typeof exp === 'number' && exp > iat ? (exp - iat) * 1_000 : null
}

/** Whether two access tokens are those of the same member. */
export function isSameMember(one: string, other: string): boolean {
  const [a, b] = [claimsOf(one), claimsOf(other)]
  return a['sub'] === b['sub'] && a['workspaceId'] === b['workspaceId']
}

/** Whose access token it is, as the service's pages name it. */
export function ownerOf(token: string): { readonly userId: unknown; readonly workspaceId: unknown } {
  const { sub, workspaceId } = claimsOf(token)
  return { userId: sub, workspaceId }
}

function claimsOf(token: string): Json {
  try {
    const payload = token.split('.')[1] ?? ''
    const claims: unknown = JSON.parse(atob(payload.replaceAll('-', '+').replaceAll('_', '/')))
    return isJson(claims) ? claims : {}
  } catch {
    return {}
  }
}
