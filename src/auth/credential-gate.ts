import { LRUCache } from 'lru-cache'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { BestEffort } from '../kernel/best-effort.ts'
import { AppError } from '../kernel/errors.ts'
import { hashOf } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Store } from '../kernel/store.ts'
import { createReservations } from './reservations.ts'

/** One try to prove who one is. `email`: the account, where one is named (null for a token); `address`: the client's, never a header's. */
export type CredentialTry = { readonly email: string | null; readonly address: string; readonly signal: AbortSignal }

/** RIGHT: the platform let them in. WRONG: it refused the credentials. UNKNOWN: it could not say. */
export type TryOutcome = 'RIGHT' | 'WRONG' | 'UNKNOWN'
export type SettleTry = (outcome: TryOutcome) => void

/**
 * The one gate before the platform for credentials: log-in, token exchange, renewal, and the platform's own mutations of that kind sent
 * through us. Only wrong tries count. Per account and 15 minutes at most 10 from its last good address, and 10 from all others together,
 * reach the platform; so a flood from elsewhere does not lock the owner out. Per address at most 5,000: 500 agents behind one never
 * meet it, even when all of them use up their ten.
 */
export interface CredentialGate {
  /** Lets one try pass; call what it answers exactly once, with what became of it. Throws TOO_MANY_TRIES, `data.retryAfterSeconds`. */
  enter(attempt: CredentialTry): Promise<SettleTry>
}

export type CredentialGateOptions = {
  readonly limiterOf: (rule: { readonly name: string; readonly points: number; readonly seconds: number }) => RateLimiterAbstract
  readonly store: Store
  readonly bestEffort: BestEffort
  readonly log: Log
}

const windowSeconds = 900
const accountTries = 10
const addressTries = 5_000
const goodAddressMs = 90 * 24 * 3_600_000

export function createCredentialGate({ limiterOf, store, bestEffort, log }: CredentialGateOptions): CredentialGate {
  const reservationsOf = (name: string, points: number, maxWaiting: number) =>
    createReservations({
      taken: limiterOf({ name: `${name}-taken`, points, seconds: windowSeconds }),
      wrong: limiterOf({ name: `${name}-wrong`, points, seconds: windowSeconds }),
      maxWaiting,
    })
  const accounts = reservationsOf('account', accountTries, 100)
  const addresses = reservationsOf('address', addressTries, 20_000)
  const goodAddresses = createGoodAddresses(store, bestEffort)

  const background = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log.warn({ err: error }, 'a try at signing in could not be counted'))
  }

  return {
    async enter({ email, address, signal }) {
      const account = email === null ? null : hashOf(email.normalize('NFKC').trim().toLowerCase())
      const from = hashOf(address)
      const isKnown = account !== null && (await goodAddresses.of(account)) === from
      const place = account && `${account}:${isKnown ? 'known' : 'other'}`
      if (place) await accounts.take(place, signal)
      try {
        await addresses.take(address, signal)
      } catch (error) {
        if (place) background(accounts.giveBack(place))
        throw error
      }
      return (outcome) => {
        const settle = outcome === 'WRONG' ? 'lose' : 'giveBack'
        background(addresses[settle](address))
        if (place) background(accounts[settle](place))
        if (account && !isKnown && outcome === 'RIGHT') background(goodAddresses.set(account, from))
      }
    },
  }
}

/** From where an account signed in last, as hashes; kept by this process too, for when the store is away. */
function createGoodAddresses(store: Store, bestEffort: BestEffort) {
  const here = new LRUCache<string, string>({ max: 20_000 })
  const keyOf = (account: string): string => `auth:good-address:${account}`
  return {
    of: async (account: string): Promise<string | null> => {
      const shared = await bestEffort(() => store.get(keyOf(account)), null)
      return shared ?? here.get(account) ?? null
    },
    async set(account: string, address: string): Promise<void> {
      here.set(account, address)
      await bestEffort(() => store.set(keyOf(account), address, { ttlMs: goodAddressMs }), undefined)
    },
  }
}

/** What an error of the platform says about the credentials that it was asked about. */
export function outcomeOf(error: unknown): TryOutcome {
  if (!(error instanceof AppError)) return 'UNKNOWN'
  if (error.reason === 'SIGN_IN_REFUSED' || error.reason === 'TOKEN_REFUSED') return 'WRONG'
  return error.reason === 'PLATFORM_REFUSED' ? 'RIGHT' : 'UNKNOWN'
}
