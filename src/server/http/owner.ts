import type { IncomingMessage } from 'node:http'
import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { Owner } from '../../kernel/fair-queue.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'
import type { KnownRequesters } from './request-log.ts'
import { bearerToken } from './request-context.ts'

/** Requests of nobody known, by network: one workspace of its own in the division. */
const unconfirmed = ''
/** Nobody is known to whom it belongs, but its network. */
export const isUnconfirmed = ({ workspaceId }: Owner): boolean => workspaceId === unconfirmed
const rememberedMs = 10 * 60_000

/**
 * Whose request it is, without asking anybody: the member's whose token the platform has confirmed, else the network's. The answer only divides slots, so a token
 * that was confirmed is remembered for longer than it opens anything: else its next request would wait among those of its network.
 */
export class Owners {
  private readonly addressOf: (request: IncomingMessage) => string
  private readonly principals: KnownRequesters | null
  private readonly remembered = new LRUCache<string, Owner>({ ...atMost(20_000), ttl: rememberedMs })

  /** Without `principals` all requests belong to their networks. */
  constructor(addressOf: (request: IncomingMessage) => string, principals: KnownRequesters | null = null) {
    this.addressOf = addressOf
    this.principals = principals
  }

  of(request: IncomingMessage): Owner {
    const accessToken = this.principals && bearerToken(request.headers.authorization)
    const member = accessToken === null ? null : this.memberOf(accessToken)
    return member ?? { workspaceId: unconfirmed, memberId: networkOf(this.addressOf(request)) }
  }

  private memberOf(accessToken: string): Owner | null {
    const key = hashOf(accessToken)
    const known = this.principals?.known(accessToken)
    if (!known) return this.remembered.get(key) ?? null
    const owner = { workspaceId: known.workspaceId, memberId: known.memberId }
    this.remembered.set(key, owner)
    return owner
  }
}
