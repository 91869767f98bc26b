import { LRUCache } from 'lru-cache'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import type { WithFallback } from '../../kernel/with-fallback.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import type { Store } from '../../ports/store.ts'
import { createReservations } from './attempt-permits.ts'

/**
 * One try to prove who one is. `account`: whose, by e-mail or by whatever names it, null for a token that names none; `address`: the
 * client's, never a header's.
 */
export type CredentialTry = { readonly account: string | null; readonly address: string; readonly signal: AbortSignal }

/** RIGHT: the platform let them in. WRONG: it refused the credentials. UNKNOWN: it could not say. */
export type TryOutcome = 'RIGHT' | 'WRONG' | 'UNKNOWN'
/** `proof`: with RIGHT, the password that was proved, where no sign-in of ours tells of it. */
export type SettleTry = (outcome: TryOutcome, proof?: PasswordProof) => void
export type PasswordProof = { readonly workspaceId: string; readonly email: string; readonly password: string }

/**
 * The one gate before the platform for credentials: log-in, token exchange, renewal, and the platform's own mutations of that kind sent
 * through us. Only wrong tries count. Per account and 15 minutes at most 10 from its last good addresses, and 10 from all others together,
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
  readonly withFallback: WithFallback
  readonly log: Log
  /** Told of every password that was proved without a sign-in of ours. */
  readonly onProved?: (owner: Pick<PasswordProof, 'workspaceId' | 'email'>, password: string) => Promise<void>
}

const windowSeconds = 900
const accountTries = 10
const addressTries = 5_000
/** A phone, a desk at work, one at home, and some to spare. */
const mostGoodAddresses = 5
const goodAddressMs = 90 * 24 * 3_600_000

export function createCredentialGate({ limiterOf, store, withFallback, log, onProved }: CredentialGateOptions): CredentialGate {
  const reservationsOf = (name: string, points: number, maxWaiting: number) =>
    createReservations({
      taken: limiterOf({ name: `${name}-taken`, points, seconds: windowSeconds }),
      wrong: limiterOf({ name: `${name}-wrong`, points, seconds: windowSeconds }),
      maxWaiting,
    })
  const accounts = reservationsOf('account', accountTries, 100)
  const addresses = reservationsOf('address', addressTries, 20_000)
  const goodAddresses = createGoodAddresses(store, withFallback)

  const background = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => log.warn({ err: error }, 'what became of a try at signing in could not be kept'))
  }

  return {
    async enter({ account: named, address, signal }) {
      const account = named === null ? null : hashOf(named.normalize('NFKC').trim().toLowerCase())
      const from = hashOf(address)
      const isKnown = account !== null && (await goodAddresses.of(account)).includes(from)
      const place = account && `${account}:${isKnown ? 'known' : 'other'}`
      if (place) await accounts.take(place, signal)
      try {
        await addresses.take(address, signal)
      } catch (error) {
        if (place) background(accounts.giveBack(place))
        throw error
      }
      return (outcome, proof) => {
        const settle = outcome === 'WRONG' ? 'lose' : 'giveBack'
        background(addresses[settle](address))
        if (place) background(accounts[settle](place))
        if (account && !isKnown && outcome === 'RIGHT') background(goodAddresses.add(account, from))
        if (proof && onProved) background(onProved(proof, proof.password))
      }
    },
  }
}

/** From where an account signed in last, the newest first, as hashes; kept by this process too, for when the store is away. */
function createGoodAddresses(store: Store, withFallback: WithFallback) {
  const here = new LRUCache<string, readonly string[]>({ max: 20_000 })
  const keyOf = (account: string): string => `auth:good-address:${account}`
  const of = async (account: string): Promise<readonly string[]> => {
    const shared = await withFallback(() => store.get(keyOf(account)), null)
    return shared?.split(',') ?? here.get(account) ?? []
  }
  return {
    of,
    async add(account: string, address: string): Promise<void> {
      const known = [address, ...(await of(account)).filter((one) => one !== address)].slice(0, mostGoodAddresses)
      here.set(account, known)
      await withFallback(() => store.set(keyOf(account), known.join(','), { ttlMs: goodAddressMs }), undefined)
    },
  }
}

/** What an error of the platform says about the credentials that it was asked about. */
export function outcomeOf(error: unknown): TryOutcome {
  if (!(error instanceof AppError)) return 'UNKNOWN'
  if (error.reason === 'SIGN_IN_REFUSED' || error.reason === 'TOKEN_REFUSED') return 'WRONG'
  return error.reason === 'PLATFORM_REFUSED' ? 'RIGHT' : 'UNKNOWN'
}
