import { refusesToken, ServiceError } from '../errors/service-error.ts'
import type { Timers } from '../timers.ts'
import type { SavedAgentSession, SavedSession, SessionStore } from './saved-session.ts'
import { isSameMember, lifetimeMs } from './token-claims.ts'

/** The tokens as the service issues them. */
export interface IssuedTokens {
  readonly accessToken: { readonly token: string; readonly expiresAt: string }
  readonly refreshToken: { readonly token: string }
}

export interface CredentialSource {
  readonly store: SessionStore
  readonly timers: Timers
  /** Renews tokens at the service. */
  readonly renew: (refreshToken: string) => Promise<IssuedTokens>
  /** The tokens are gone: refused by the platform (EXPIRED), or taken away by another tab (ENDED). */
  readonly onLost: (reason: 'EXPIRED' | 'ENDED', error: ServiceError) => void
}

/** A request may take so long to arrive. */
const renewBeforeMs = 60_000

/** The tokens at hand, stored and renewed. */
export class Credentials {
  saved: SavedSession | null = null
  readonly #source: CredentialSource
  #renewing: Promise<string> | null = null

  constructor(source: CredentialSource) {
    this.#source = source
  }

  /** Takes over what the store has, after a reload of the page. */
  async load(): Promise<SavedSession | null> {
    return (this.saved = await this.#source.store.read())
  }

  issue(tokens: IssuedTokens, agentSession: SavedAgentSession | null): Promise<void> {
    const { accessToken, refreshToken } = tokens
    const now = this.#source.timers.now()
    return this.#save({
      accessToken: accessToken.token,
      accessExpiresAt: now + (lifetimeMs(accessToken.token) ?? Date.parse(accessToken.expiresAt) - now),
      refreshToken: refreshToken.token,
      agentSession,
    })
  }

  async keepAgentSession(agentSession: SavedAgentSession | null): Promise<void> {
    if (this.saved) await this.#save({ ...this.saved, agentSession })
  }

  clear(): Promise<void> {
    return this.#save(null)
  }

  /** A token that is good for a while: one that ends soon is renewed first. Null without a sign-in. */
  async access(): Promise<string | null> {
    if (!this.saved) return null
    const { accessToken, accessExpiresAt } = this.saved
    const leftMs = accessExpiresAt - this.#source.timers.now()
    if (leftMs > renewBeforeMs) return accessToken
    try {
      return await this.renew(accessToken)
    } catch (error) {
      if (leftMs > 0 && error instanceof ServiceError && error.retryable) return accessToken
      throw error
    }
  }

  /** A token other than the refused one. Requests at the same time get the same. */
  async renew(refused: string): Promise<string> {
    if (!this.saved) throw signedOut()
    if (this.saved.accessToken !== refused) return this.saved.accessToken
    this.#renewing ??= this.#renewNow(this.saved).finally(() => (this.#renewing = null))
    return this.#renewing
  }

  async #renewNow(own: SavedSession): Promise<string> {
    const { store, timers } = this.#source
    const stored = await store.read()
    if (!stored || !isSameMember(stored.accessToken, own.accessToken)) throw this.#lose('ENDED', signedOut())
    // Another tab may have renewed them: a refresh token can be used once.
    if (stored.accessToken !== own.accessToken && stored.accessExpiresAt - timers.now() > renewBeforeMs) {
      this.saved = stored
      return stored.accessToken
    }
    // After a sign-out or the sign-in of somebody else meanwhile, the outcome concerns nobody.
    const isCurrent = (): boolean => this.saved !== null && isSameMember(this.saved.accessToken, own.accessToken)
    const tokens = await this.#source.renew(stored.refreshToken).catch(async (error: unknown) => {
      if (!(error instanceof ServiceError) || !refusesToken(error) || !isCurrent()) throw error
      await store.write(null)
      throw this.#lose('EXPIRED', error)
    })
    if (!isCurrent()) throw signedOut()
    await this.issue(tokens, this.saved?.agentSession ?? null)
    return tokens.accessToken.token
  }

  async #save(changed: SavedSession | null): Promise<void> {
    this.saved = changed
    await this.#source.store.write(changed)
  }

  #lose(reason: 'EXPIRED' | 'ENDED', error: ServiceError): ServiceError {
    this.saved = null
    this.#source.onLost(reason, error)
    return error
  }
}

function signedOut(): ServiceError {
  return new ServiceError({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING', message: 'Signed out; sign in again' })
}
