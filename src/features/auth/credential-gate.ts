import { LRUCache } from 'lru-cache'
import { atMost } from '../../kernel/at-most.ts'
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { z } from 'zod'
import type { Principal } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import { hashOf } from '../../kernel/ids.ts'
import { networkOf } from '../../kernel/network.ts'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
import { type AttemptPermits, createAttemptPermits, type Patience } from './attempt-permits.ts'

/**
 * One attempt to sign in. `account`: whose, by e-mail or another name, null for a token that names none. `address`: the client's IP address,
 * as far as trusted proxies report it.
 */
export type SignInAttempt = Patience & { readonly account: string | null; readonly address: string }

/** RIGHT: the platform accepted the credentials. WRONG: it refused them. UNKNOWN: it could not decide. */
export type AttemptOutcome = 'RIGHT' | 'WRONG' | 'UNKNOWN'
/** `proof`: with RIGHT, the password that was accepted, if the sign-in was not one of ours. */
export type SettleAttempt = (outcome: AttemptOutcome, proof?: PasswordProof) => void
export type PasswordProof = { readonly workspaceId: string; readonly email: string; readonly password: string }

/**
 * The one gate in front of the platform for credentials: log-in, token exchange, renewal, and the platform's own mutations of that kind sent
 * through us. Only wrong attempts count. Per account and 15 minutes at most 10 from its last good addresses, and 10 from all others together,
 * reach the platform; so a flood from elsewhere does not lock the owner out. Per address at most 5,000: 500 agents behind one never
 * reach it, even when all of them use up their ten. IPv6 addresses count by network (/64).
 */
export interface CredentialGate {
  /** Lets one attempt pass; call the returned function exactly once with its outcome. Throws TOO_MANY_TRIES, `data.retryAfterSeconds`. */
  enter(attempt: SignInAttempt): Promise<SettleAttempt>
}

export type LimiterOf = (rule: { readonly name: string; readonly points: number; readonly seconds: number }) => RateLimiterAbstract

const windowSeconds = 900
const maxAccountAttempts = 10
const maxAddressAttempts = 5_000
/** A phone, a desk at work, one at home, and some to spare. */
const maxGoodAddresses = 5

/** `account`: its hash. The hashes of addresses, with commas. */
export const goodAddresses = new Family({
  name: 'auth:good-address',
  scope: 'installation',
  key: (account: string) => [account],
  schema: z.string(),
  form: 'TEXT',
  lifetime: 90 * 24 * 3_600_000,
  about: 'agent',
  what: 'hashes of the addresses from which an account signed in',
})

export function createCredentialGate(
  ports: Pick<Ports, 'store' | 'withFallback' | 'log'> & {
    readonly onPasswordProved: (owner: Pick<Principal, 'workspaceId' | 'email'>, password: string) => Promise<void>
  },
  limiterOf: LimiterOf,
): CredentialGate {
  const accounts = createPermits(limiterOf, { name: 'account', points: maxAccountAttempts, maxWaiting: 100 })
  const addresses = createPermits(limiterOf, { name: 'address', points: maxAddressAttempts, maxWaiting: 20_000 })
  const knownAddresses = createGoodAddresses(ports)

  const inBackground = (work: Promise<unknown>): void => {
    work.catch((error: unknown) => ports.log.warn({ err: error }, 'sign-in.outcome-not-stored'))
  }

  return {
    async enter({ account: named, address: client, ...patience }) {
      const account = named === null ? null : hashOf(named.normalize('NFKC').trim().toLowerCase())
      const address = networkOf(client)
      const from = hashOf(address)
      const isKnown = account !== null && (await knownAddresses.of(account)).includes(from)
      const permit = account && `${account}:${isKnown ? 'known' : 'other'}`
      if (permit) await accounts.take(permit, patience)
      try {
        await addresses.take(address, patience)
      } catch (error) {
        if (permit) inBackground(accounts.giveBack(permit))
        throw error
      }
      return (outcome, proof) => {
        const settle = outcome === 'WRONG' ? 'useUp' : 'giveBack'
        inBackground(addresses[settle](address))
        if (permit) inBackground(accounts[settle](permit))
        if (account && !isKnown && outcome === 'RIGHT') inBackground(knownAddresses.add(account, from))
        if (proof) inBackground(ports.onPasswordProved(proof, proof.password))
      }
    },
  }
}

type PermitRule = { readonly name: string; readonly points: number; readonly maxWaiting: number }

function createPermits(limiterOf: LimiterOf, { name, points, maxWaiting }: PermitRule): AttemptPermits {
  return createAttemptPermits({
    taken: limiterOf({ name: `${name}-taken`, points, seconds: windowSeconds }),
    wrong: limiterOf({ name: `${name}-wrong`, points, seconds: windowSeconds }),
    maxWaiting,
  })
}

/** The addresses of an account's last sign-ins, newest first, as hashes; also cached in this process for when the store is away. */
function createGoodAddresses(ports: Pick<Ports, 'store' | 'withFallback'>) {
  const cached = new LRUCache<string, readonly string[]>(atMost(20_000))
  const of = async (account: string): Promise<readonly string[]> => {
    const shared = await ports.withFallback(() => goodAddresses.read(ports, account), null)
    return shared?.split(',') ?? cached.get(account) ?? []
  }
  return {
    of,
    async add(account: string, address: string): Promise<void> {
      const known = [address, ...(await of(account)).filter((one) => one !== address)].slice(0, maxGoodAddresses)
      cached.set(account, known)
      await ports.withFallback(() => goodAddresses.write(ports, account, { value: known.join(',') }), undefined)
    },
  }
}

/** What an error of the platform says about the credentials that it was asked about. */
export function outcomeOf(error: unknown): AttemptOutcome {
  if (!(error instanceof AppError)) return 'UNKNOWN'
  if (error.reason === 'SIGN_IN_REFUSED' || error.reason === 'TOKEN_REFUSED') return 'WRONG'
  return error.reason === 'PLATFORM_REFUSED' ? 'RIGHT' : 'UNKNOWN'
}
