import { refusesToken, ServiceError } from '../errors/service-error.ts'
import type { Timers } from '../timers.ts'
import { type LossReason, lossOfTokens } from './heartbeat.ts'
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
  readonly renew: (used: SavedSession) => Promise<IssuedTokens>
  /** The tokens are gone: refused by the platform (EXPIRED), taken away by another tab (ENDED), or the service says what ended the sign-in. */
  readonly onLost: (reason: LossReason, error: ServiceError) => void
}

/** A request may take so long to arrive. */
const renewBeforeMs = 60_000

/**
 * The tokens at hand, stored and renewed. Other tabs may share the store: what it has is read before it is changed, and what belongs to another
 * member stays.
 */
export class Credentials {
  saved: SavedSession | null = null
  readonly #source: CredentialSource
  #renewing: Promise<string> | null = null
  #lastChange: Promise<void> = Promise.resolve()
  /** The store could not be written to: until the next sign-in, the session is only here. */
  #isInMemory = false

  constructor(source: CredentialSource) {
    this.#source = source
  }

  /** Takes over what the store has, after a reload of the page. */
  async load(): Promise<SavedSession | null> {
    return (this.saved = this.#isInMemory ? this.saved : await this.#source.store.read())
  }

  /** The tokens of a sign-in. They replace what the store has, also the tokens of another member. */
  issue(tokens: IssuedTokens, agentSession: SavedAgentSession | null): Promise<void> {
    const signedIn = this.#savedOf(tokens, agentSession)
    this.saved = signedIn
    this.#isInMemory = false
    this.#renewing = null
    return this.#inTurn(() => this.#write(signedIn))
  }

  /** `ended` is forgotten only if it is still the stored one: another tab may have started the next. */
  async keepAgentSession(agentSession: SavedAgentSession | null, ended?: SavedAgentSession): Promise<void> {
    const own = this.saved
    if (!own) return
    this.saved = { ...own, agentSession }
    await this.#inTurn(async () => {
      const stored = await this.#stored(own)
      if (!stored || !this.#isCurrent(own)) return
      this.saved = { ...stored, agentSession }
      if (!ended || ended.lockedAt === stored.agentSession?.lockedAt) await this.#write(this.saved)
    })
  }

  /** The one that this browser has: another tab may have started it. */
  async storedAgentSession(): Promise<SavedAgentSession | null> {
    return (this.saved && (await this.#stored(this.saved)))?.agentSession ?? null
  }

  /** Forgets the tokens of this member. */
  async clear(own: SavedSession): Promise<void> {
    if (this.#isCurrent(own)) this.saved = null
    await this.#inTurn(async () => {
      this.#isInMemory = false
      if (await this.#stored(own)) await this.#write(null)
    })
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

  /** A token of the same member other than the refused one; `refusal`: what the service said of that. Requests at the same time get the same. */
  async renew(refused: string, refusal?: ServiceError): Promise<string> {
    if (!this.saved || !isSameMember(refused, this.saved.accessToken)) throw signedOut()
    if (this.saved.accessToken !== refused) return this.saved.accessToken
    if (this.#renewing) return this.#renewing
    const renewing = this.#renewNow(this.saved, refusal).finally(() => {
      if (this.#renewing === renewing) this.#renewing = null
    })
    this.#renewing = renewing
    return renewing
  }

  async #renewNow(own: SavedSession, refusal?: ServiceError): Promise<string> {
    const stored = await this.#storedOrLost(own, refusal)
    // Another tab may have renewed them: a refresh token can be used once.
    if (stored.accessToken !== own.accessToken && stored.accessExpiresAt - this.#source.timers.now() > renewBeforeMs) {
      return this.#takeOver(stored)
    }
    const tokens = await this.#source.renew(stored).catch((error: unknown) => this.#afterRefusal(stored, error))
    if (!tokens) return this.#takeOver(await this.#storedOrLost(own))
    await this.#inTurn(async () => {
      const { agentSession } = await this.#storedOrLost(own)
      this.saved = this.#savedOf(tokens, agentSession)
      await this.#write(this.saved)
    })
    return tokens.accessToken.token
  }

  /** Null if another tab was faster with the same refresh token. */
  async #afterRefusal(used: SavedSession, error: unknown): Promise<null> {
    if (!(error instanceof ServiceError) || !refusesToken(error) || !this.#isCurrent(used)) throw error
    const stored = await this.#storedOrLost(used)
    if (stored.refreshToken !== used.refreshToken || stored.accessToken !== used.accessToken) return null
    await this.clear(used)
    this.#source.onLost(lossOfTokens(error), error)
    throw error
  }

  #takeOver(stored: SavedSession): string {
    this.saved = stored
    return stored.accessToken
  }

  /** What is stored of this member. Throws if this client or another tab has signed out, or somebody else has signed in. */
  async #storedOrLost(own: SavedSession, refusal?: ServiceError): Promise<SavedSession> {
    const stored = await this.#stored(own)
    if (stored && this.#isCurrent(own)) return stored
    const error = refusal?.data?.['endedBy'] === undefined ? signedOut() : refusal
    if (this.#isCurrent(own)) {
      this.saved = null
      this.#source.onLost(error === refusal ? lossOfTokens(error) : 'ENDED', error)
    }
    throw error
  }

  async #stored(own: SavedSession): Promise<SavedSession | null> {
    const stored = this.#isInMemory ? this.saved : await this.#source.store.read()
    return stored && isSameMember(stored.accessToken, own.accessToken) ? stored : null
  }

  #isCurrent(own: SavedSession): boolean {
    return this.saved !== null && isSameMember(this.saved.accessToken, own.accessToken)
  }

  async #write(changed: SavedSession | null): Promise<void> {
    if (this.#isInMemory) return
    try {
      await this.#source.store.write(changed)
    } catch {
      this.#isInMemory = true
    }
  }

  /** Changes of the store follow each other: each reads what the one before has written. */
  #inTurn(change: () => Promise<void>): Promise<void> {
    const done = this.#lastChange.then(change)
    this.#lastChange = done.catch(() => undefined)
    return done
  }

  #savedOf({ accessToken, refreshToken }: IssuedTokens, agentSession: SavedAgentSession | null): SavedSession {
    const now = this.#source.timers.now()
    return {
      accessToken: accessToken.token,
      accessExpiresAt: now + (lifetimeMs(accessToken.token) ?? Date.parse(accessToken.expiresAt) - now),
      refreshToken: refreshToken.token,
      agentSession,
    }
  }
}

function signedOut(): ServiceError {
  return new ServiceError({ code: 'UNAUTHENTICATED', reason: 'TOKEN_MISSING', message: 'Signed out; sign in again' })
}
