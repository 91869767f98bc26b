import { setTimeout as delay } from 'node:timers/promises'
import { decodeJwt } from 'jose'
import { AppError } from '../../../kernel/errors.ts'
import { hashOf, newId } from '../../../kernel/ids.ts'
import { createSecretBox, deriveKey } from '../../../kernel/secrets.ts'
import type { TelephonyDeps } from '../provider.ts'
import { exchange } from '../../../kernel/http-client.ts'
import { judge, textIn, who } from './answers.ts'
import type { OzonetelSettings } from './settings.ts'

/**
 * The account's one token. A new one ends the one before it, and only some ten are minted an hour: so it is shared by all instances
 * through the store, and minted by one of them at a time.
 */
export interface Tokens {
  /** The cached token, or a new one where none is cached. */
  current(signal: AbortSignal): Promise<string>
  /** A newly minted token, or one that another has minted since; where the provider refuses to mint, the cached one. */
  fresh(signal: AbortSignal): Promise<string>
  /** The provider has refused `token`: it is forgotten, unless another stands there by now. */
  drop(token: string): Promise<void>
}

const keepMs = 10 * 60_000
/** Kept this long before a token's own end, for requests under way. */
const marginMs = 30_000
const mintTurnMs = 10_000
/** After a refusal to mint, nobody asks again for this long. */
const refusedMs = 60_000
const lookEveryMs = 40

export function createTokens(
  settings: OzonetelSettings,
  { store, clock, log, dispatcher }: Pick<TelephonyDeps, 'store' | 'clock' | 'log' | 'dispatcher'>,
): Tokens {
  const account = hashOf(JSON.stringify([settings.apiUrl, settings.account, settings.apiKey]))
  const keys = {
    token: `telephony-token:${account}`,
    turn: `telephony-token-turn:${account}`,
    refused: `telephony-token-refused:${account}`,
  }
  const box = createSecretBox(deriveKey(settings.apiKey, 'telephony token'))

  const cached = async (): Promise<{ sealed: string; token: string } | null> => {
    const sealed = await store.get(keys.token)
    return sealed === null ? null : { sealed, token: box.open(sealed, keys.token) }
  }

  const keep = async (token: string): Promise<void> => {
    const ttlMs = Math.min(keepMs, (endOf(token) ?? Number.POSITIVE_INFINITY) - marginMs - clock.now())
    if (ttlMs > 0) await store.set(keys.token, box.seal(token, keys.token), { ttlMs })
  }

  /** Null where the provider refuses to mint. */
  const mint = async (signal: AbortSignal): Promise<string | null> => {
    if ((await store.get(keys.refused)) !== null) return null
    const answer = await askForToken(settings, { signal, dispatcher })
    if (answer === null) {
      log.warn('the telephony provider refuses to mint another token for now')
      await store.set(keys.refused, 'refused', { ttlMs: refusedMs })
      return null
    }
    await keep(answer)
    return answer
  }

  /** Mints in turn; whoever waits meanwhile takes the token that came of it. `old`: the token that will not do. */
  const mintInTurn = async (old: string | null, signal: AbortSignal): Promise<string | null> => {
    const turn = newId()
    while (!(await store.setIfAbsent(keys.turn, turn, { ttlMs: mintTurnMs }))) {
      await delay(lookEveryMs, undefined, { signal })
      const token = (await cached())?.token ?? null
      if (token !== null && token !== old) return token
    }
    try {
      const token = (await cached())?.token ?? null
      return token !== null && token !== old ? token : await mint(signal)
    } finally {
      await store.compareAndDelete(keys.turn, turn)
    }
  }

  return {
    async current(signal) {
      const token = (await cached())?.token ?? (await mintInTurn(null, signal))
      if (token === null) throw mintingRefused()
      return token
    },
    async fresh(signal) {
      const old = (await cached())?.token ?? null
      const token = (await mintInTurn(old, signal)) ?? old
      if (token === null) throw mintingRefused()
      return token
    },
    async drop(token) {
      const standing = await cached()
      if (standing?.token === token) await store.compareAndDelete(keys.token, standing.sealed)
    },
  }
}

type Asking = { readonly signal: AbortSignal; readonly dispatcher: TelephonyDeps['dispatcher'] }

/** Null where the provider's hourly limit is reached. */
async function askForToken(settings: OzonetelSettings, { signal, dispatcher }: Asking): Promise<string | null> {
  const answer = await exchange({
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
  throw new AppError('PROVIDER_REFUSED', { detail: "The telephony provider refuses the account's name or API key" })
}

function mintingRefused(): AppError {
  const detail = 'The telephony provider gives out no more access tokens at the moment'
  return new AppError('PROVIDER_UNAVAILABLE', { detail, data: { retryAfterSeconds: refusedMs / 1000 } })
}

/** When the token ends by its own claim; null where it does not say. */
function endOf(token: string): number | null {
  try {
    const { exp } = decodeJwt(token)
    return exp === undefined ? null : exp * 1000
  } catch {
    return null
  }
}
