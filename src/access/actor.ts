import type { Principal } from './principal.ts'

/** The signed-in member who performs an operation. */
export type Actor = {
  readonly principal: Principal
  /** The member's own platform token; it goes to the platform and nowhere else. */
  readonly accessToken: string
  /** The IP address of the client, as far as trusted proxies report it. */
  readonly clientAddress: string
}

/** The actor as the audit log names it. */
export function auditActor({
  principal,
  clientAddress,
}: Pick<Actor, 'clientAddress'> & { readonly principal: Pick<Principal, 'userId' | 'memberId'> }) {
  return { userId: principal.userId, memberId: principal.memberId, ip: clientAddress }
}
