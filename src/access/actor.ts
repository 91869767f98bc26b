import { memberName, type Principal } from './principal.ts'

/** The signed-in member who performs an operation. */
export type Actor = {
  readonly principal: Principal
  /** The member's own platform token; it goes to the platform and nowhere else. */
  readonly accessToken: string
  /** The IP address of the client, as far as trusted proxies report it. */
  readonly clientAddress: string
}

/** Who acted, as far as the audit log shows it. */
export type NamedActor = Pick<Actor, 'clientAddress'> & {
  readonly principal: Pick<Principal, 'userId' | 'memberId' | 'firstName' | 'lastName' | 'email'>
}

/** The actor as the audit log names them. */
export function auditActor({ principal, clientAddress }: NamedActor) {
  return { userId: principal.userId, memberId: principal.memberId, name: memberName(principal), ip: clientAddress }
}
