import { setTimeout as delay } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf } from '../../../kernel/ids.ts'
import { createSecretBox, deriveKey, type SecretBox } from '../../../kernel/secrets.ts'
import { Family } from '../../../ports/stored/family.ts'
import { LeaseOf } from '../../../ports/stored/lease-of.ts'
import type { TelephonyDeps } from '../provider.ts'
import { httpRequest } from '../../../kernel/http-client.ts'
import { accountWords, judge, textIn, who } from './answers.ts'
import { ozonetelRefusal } from './refusals.ts'
import type { OzonetelSettings } from './settings.ts'

/**
 * The account's one token. A new token ends the one before, and the provider issues only some ten an hour. So all instances share it
 * through the store, and one of them at a time requests a new one.
 */
export interface Tokens {
  /** The cached token, or a new one if none is cached. */
  current(signal: AbortSignal): Promise<string>
  /** A new token, or one that another instance has requested since; the cached one if the provider issues none, or soon would not. */
  fresh(signal: AbortSignal): Promise<string>
  /** Another token in place of `token`, which the provider has refused; null after `markUseless`. */
  replacement(token: string, signal: AbortSignal): Promise<string | null>
  /** The token that a sign-in has requested since `token`, which the provider has refused; null if none has. Waits for one that is under way. */
  newer(token: string, signal: AbortSignal): Promise<string | null>
  /** The provider has refused a replacement too, so the account is the problem: no replacement is requested for some minutes. */
  markUseless(): Promise<void>
}

const cachedForMs = 10 * 60_000
/** A token leaves the cache this long before it expires, so that running requests can finish. */
const marginMs = 30_000
const leaseMs = 10_000
/** After a refusal, no instance requests a token for this long. */
const refusedForMs = 60_000
const hourMs = 3_600_000
/** The provider's documentation: about ten an hour. */
const maxPerHour = 10
/** A token is cached for ten minutes, so the hour needs the other six. */
const maxForSignIns = 4
/** So that a day of refusals stays within the limit; shorter than the cache, because an empty cache costs one more token. */
const uselessForMs = 8 * 60_000
const pollMs = 40

type Account = Pick<TelephonyDeps, 'store' | 'clock' | 'log' | 'dispatcher'> & {
  readonly settings: OzonetelSettings
  readonly id: string
  readonly box: SecretBox
}

const ofAccount = { scope: 'installation', key: (id: string) => [id], about: 'nothing' } as const
const mark = { schema: z.string(), form: 'TEXT' } as const

const storedToken = new Family({
  name: 'telephony-token',
  ...ofAccount,
  ...mark,
  sealedBy: ({ box }: Pick<Account, 'box'>) => box,
  lifetime: cachedForMs,
  what: 'the token of a telephony provider, sealed',
})
const uselessToken = new Family({
  name: 'telephony-token-useless',
  ...ofAccount,
  ...mark,
  lifetime: uselessForMs,
  what: 'a token that the provider refuses',
})
const refusedRequest = new Family({
  name: 'telephony-token-refused',
  ...ofAccount,
  ...mark,
  lifetime: refusedForMs,
  what: 'a refused request for this token',
})
const requestTimes = new Family({
  name: 'telephony-tokens-requested',
  ...ofAccount,
  schema: z.array(z.number()),
  lifetime: hourMs,
  what: 'when tokens were requested',
})
const requestLease = new LeaseOf({
  name: 'telephony-token-lease',
  ...ofAccount,
  lifetime: leaseMs,
  what: 'a request for this token under way',
})
export const tokenValues = [storedToken, uselessToken, refusedRequest, requestTimes, requestLease]

export function createTokens(settings: OzonetelSettings, ports: Pick<TelephonyDeps, 'store' | 'clock' | 'log' | 'dispatcher'>): Tokens {
  const account: Account = {
    ...ports,
    settings,
    id: hashOf(JSON.stringify([settings.apiUrl, settings.account, settings.apiKey])),
    box: createSecretBox(deriveKey(settings.apiKey, 'telephony token')),
  }
  return {
    async current(signal) {
      const token = (await cachedToken(account)) ?? (await newToken(account, null, signal))
      if (token === null) throw noTokens()
      return token
    },
    async fresh(signal) {
      const old = await cachedToken(account)
      const isSpared = old !== null && (await requestedInHour(account)).length >= maxForSignIns
      const token = isSpared ? old : ((await newToken(account, old, signal)) ?? old)
      if (token === null) throw noTokens()
      return token
    },
    async replacement(token, signal) {
      const isUseless = (await uselessToken.read(account, account.id)) !== null
      const other = isUseless ? await cachedToken(account) : await newToken(account, token, signal)
      if (other === null) throw noTokens()
      return other === token ? null : other
    },
    newer: (token, signal) => newerToken(account, token, signal),
    markUseless: () => uselessToken.write(account, account.id, { value: 'useless' }),
  }
}

function cachedToken(account: Account): Promise<string | null> {
  return storedToken.read(account, account.id)
}

async function cacheToken(account: Account, token: string): Promise<void> {
  const lifetime = Math.min(cachedForMs, (endOf(token) ?? Number.POSITIVE_INFINITY) - marginMs - account.clock.now())
  if (lifetime > 0) await storedToken.write(account, account.id, { value: token, lifetime })
}

/** One instance requests a token; the others wait and take that one. `old`: the token that cannot be used. Null if the provider issues none. */
async function newToken(account: Account, old: string | null, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    await using lease = await requestLease.acquire(account, account.id, { log: account.log })
    const token = await cachedToken(account)
    if (token !== null && token !== old) return token
    if (lease) return await requestToken(account, AbortSignal.any([signal, lease.lost]))
    await delay(pollMs, undefined, { signal })
  }
}

async function newerToken(account: Account, old: string, signal: AbortSignal): Promise<string | null> {
  for (;;) {
    // Before the cache, which has the new token when the lease ends.
    const isRequested = (await requestLease.holder(account, account.id)) !== null
    const token = await cachedToken(account)
    if (token !== null && token !== old) return token
    if (!isRequested) return null
    await delay(pollMs, undefined, { signal })
  }
}

/** Null if the provider issues none for now. The lease holder alone runs this. */
async function requestToken(account: Account, signal: AbortSignal): Promise<string | null> {
  const { id, clock, log } = account
  const requested = await requestedInHour(account)
  if (requested.length >= maxPerHour || (await refusedRequest.read(account, id)) !== null) return null
  await requestTimes.write(account, id, { value: [...requested, clock.now()] })
  const token = await askForToken(account.settings, { signal, dispatcher: account.dispatcher })
  if (token === null) {
    log.warn('ozonetel.token-refused')
    await refusedRequest.write(account, id, { value: 'refused' })
    return null
  }
  await cacheToken(account, token)
  return token
}

/** When tokens were requested in the last hour, epoch milliseconds. */
async function requestedInHour(account: Account): Promise<readonly number[]> {
  const times = (await requestTimes.read(account, account.id)) ?? []
  return times.filter((at) => at > account.clock.now() - hourMs)
}

type Asking = { readonly signal: AbortSignal; readonly dispatcher: TelephonyDeps['dispatcher'] }

/** Null if the provider's hourly limit is reached. */
async function askForToken(settings: OzonetelSettings, { signal, dispatcher }: Asking): Promise<string | null> {
  const answer = await httpRequest({
    who,
    url: `${settings.apiUrl}/ca_apis/CAToken/generateToken`,
    method: 'POST',
    headers: { 'content-type': 'application/json', apiKey: settings.apiKey },
    body: JSON.stringify({ userName: settings.account }),
    signal,
    dispatcher,
  })
  if (answer.status === 429) return null
  const judged = judge(answer)
  const token = textIn(judged.body, 'token')
  if (token !== '') return token
  if (/limit|too many/i.test(judged.text)) return null
  throw new AppError('PROVIDER_REFUSED', {
    detail: "The telephony provider refuses the account's name or API key",
    cause: ozonetelRefusal('account', accountWords(judged)),
  })
}

function noTokens(): AppError {
  const detail = 'The telephony provider issues no more access tokens for now. Try again later'
  return new AppError('PROVIDER_UNAVAILABLE', { detail, data: { retryAfterSeconds: refusedForMs / 1000 } })
}

/** When the token ends (epoch milliseconds), by its own claim; null if it has none. */
function endOf(token: string): number | null {
  try {
    const { exp } = decodeJwt(token)
    return exp === undefined ? null : exp * 1000
  } catch {
    return null
  }
}
