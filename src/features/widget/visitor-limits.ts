import { type RateLimiterAbstract, RateLimiterRes } from 'rate-limiter-flexible'
import { AppError } from '../../kernel/errors.ts'
import { givePointBack } from '../../kernel/give-point-back.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'

/** Rate limits for visitors. Each throws TOO_MANY_TRIES with `data.retryAfterSeconds`. IPv6 addresses count by network (/64). */
export interface VisitorLimits {
  /** One request: 300 a minute from an address, 12,000 a minute with a key. */
  request(visitor: { readonly clientAddress: string; readonly key: string }): Promise<void>
  /** One message to the assistant: 20 a minute from an address. */
  message(clientAddress: string): Promise<void>
  /** One hand-off to a human: 5 an hour from an address. */
  handOff(clientAddress: string): Promise<void>
  /** One more slot held: 10 in 5 minutes from an address. */
  hold(clientAddress: string): Promise<void>
  /** One more visit with a phone number: 4 a day. A refused one counts for nothing, and a failed booking gives it back. */
  readonly booking: { take(phoneHash: string): Promise<void>; giveBack(phoneHash: string): Promise<void> }
}

export type LimiterOf = (rule: { readonly name: string; readonly points: number; readonly seconds: number }) => RateLimiterAbstract

export function createVisitorLimits(limiterOf: LimiterOf): VisitorLimits {
  const addresses = limiterOf({ name: 'widget-address', points: 300, seconds: 60 })
  const keys = limiterOf({ name: 'widget-key', points: 12_000, seconds: 60 })
  const messages = limiterOf({ name: 'widget-messages', points: 20, seconds: 60 })
  const handOffs = limiterOf({ name: 'widget-hand-offs', points: 5, seconds: 3_600 })
  const holds = limiterOf({ name: 'widget-holds', points: 10, seconds: 300 })
  const phones = limiterOf({ name: 'widget-phone', points: 4, seconds: 86_400 })
  return {
    message: (clientAddress) => consume(messages, networkOf(clientAddress)),
    handOff: (clientAddress) => consume(handOffs, networkOf(clientAddress)),
    hold: (clientAddress) => consume(holds, networkOf(clientAddress)),
    booking: {
      take: (phoneHash) => takePoint(phones, phoneHash),
      giveBack: (phoneHash) => givePointBack(phones, phoneHash),
    },
    async request({ clientAddress, key }) {
      await consume(addresses, networkOf(clientAddress))
      await consume(keys, hashOf(key))
    },
  }
}

/** Points are given back, so a refused attempt must count for nothing. */
async function takePoint(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await consume(limiter, key)
  } catch (error) {
    if (error instanceof AppError) await givePointBack(limiter, key)
    throw error
  }
}

async function consume(limiter: RateLimiterAbstract, key: string): Promise<void> {
  try {
    await limiter.consume(key)
  } catch (refusal) {
    if (!(refusal instanceof RateLimiterRes)) throw refusal
    const retryAfterSeconds = Math.max(1, Math.ceil(refusal.msBeforeNext / 1_000))
    throw new AppError('TOO_MANY_TRIES', { detail: 'Too many requests: wait a moment', data: { retryAfterSeconds } })
  }
}
