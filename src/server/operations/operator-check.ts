import { LRUCache } from 'lru-cache'
import proxyAddr from 'proxy-addr'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { withDeadline } from '../../kernel/with-fallback.ts'
import { addressOf, hasOwnAddress, type Trust, trustOf } from '../http/client-address.ts'
import type { HttpContext } from '../http/http-context.ts'
import { bearerToken } from '../http/request-context.ts'

export type PrincipalsByToken = {
  /** Whose token it is. Errors: UNAUTHENTICATED, the platform's. */
  resolve(accessToken: string): Promise<Pick<Principal, 'role'>>
}

export type OperatorOptions = {
  /** The addresses and ranges that may read `/metrics` and the parts of `/health`; default: nobody. */
  readonly metricsFrom?: readonly string[] | null
  /** The proxies whose `x-forwarded-for` counts: addresses, ranges, `loopback`, or one whole number of hops. */
  readonly trustProxy: readonly string[]
  /** For managers, who may read the parts of `/health`; default: they may not. */
  readonly principals?: PrincipalsByToken
}

/** For the platform to say whose token it is. */
const patienceMs = 1_000
/** `/health` is answered in an overload too, so its questions to the platform are few. */
const maxLookUps = 8
/** A token of the platform ends before. */
const confirmedForMs = 60 * 60_000

const isLoopback = proxyAddr.compile('loopback')

/** Who may see how the service is. */
export class OperatorCheck {
  private readonly isNamed: (address: string, index: number) => boolean
  private readonly trusted: Trust
  private readonly principals: PrincipalsByToken | null
  /** Hashes of managers' tokens, so that a manager sees why the platform is away, which can confirm nobody then. */
  private readonly managers = new LRUCache<string, true>({ max: 1_000, ttl: confirmedForMs })
  private lookUps = 0

  constructor({ metricsFrom, trustProxy, principals }: OperatorOptions) {
    this.isNamed = proxyAddr.compile([...(metricsFrom ?? [])])
    this.trusted = trustOf(trustProxy)
    this.principals = principals ?? null
  }

  hasNamedAddress({ clientAddress, request }: HttpContext): boolean {
    // The address of a proxy that is not known would make operators of all its clients.
    if (!this.isNamed(clientAddress, 0) || !hasOwnAddress(request, this.trusted)) return false
    // A peer elsewhere speaks for nobody on this machine: somebody has written that address into x-forwarded-for.
    return !isLoopback(clientAddress, 0) || isLoopback(addressOf(request.socket), 0)
  }

  /** Whether the request comes from a named address, or has the token of a manager. */
  async isOperator(ctx: HttpContext): Promise<boolean> {
    if (this.hasNamedAddress(ctx)) return true
    const token = bearerToken(ctx.request.headers.authorization)
    if (token === null || this.principals === null) return false
    const key = hashOf(token)
    if (this.lookUps >= maxLookUps) return this.managers.has(key)
    try {
      return this.note(key, await withDeadline(this.lookUp(token, this.principals), patienceMs))
    } catch (error) {
      if (error instanceof AppError && error.code === 'UNAUTHENTICATED') this.managers.delete(key)
      return this.managers.has(key)
    }
  }

  private async lookUp(token: string, principals: PrincipalsByToken): Promise<Pick<Principal, 'role'>> {
    this.lookUps += 1
    try {
      return await principals.resolve(token)
    } finally {
      this.lookUps -= 1
    }
  }

  private note(key: string, { role }: Pick<Principal, 'role'>): boolean {
    if (role === 'MANAGER') this.managers.set(key, true)
    else this.managers.delete(key)
    return role === 'MANAGER'
  }
}
