import { refusesToken, ServiceError } from '../errors/service-error.ts'
import type { AgentLoginInput, AgentLogout, LoginTokenInput } from '../graphql/generated.ts'
import { operationOf, requestData, type TypedOperation, typed } from '../graphql/request.ts'
import type { Connection } from '../transport.ts'
import { Credentials } from './credentials.ts'
import { type Heartbeat, createHeartbeat, lossBehind, type LossReason, type Renewed } from './heartbeat.ts'
import type { Issuer } from './issuers.ts'
import type { SavedAgentSession, SessionStore } from './saved-session.ts'
import {
  type Member,
  type OwnAgentSession,
  savedSessionOf,
  sessionFields,
  type SignedIn,
  type StartedSession,
  startFields,
  viewerFields,
} from './sign-in.ts'
import { isSameMember } from './token-claims.ts'

export type SessionLost = { readonly reason: LossReason; readonly error: ServiceError }

/** The sign-in of a member and, for an agent, the agent session, which is renewed by itself. */
export class Session {
  /** The agent session of this device. */
  agentSession: OwnAgentSession | null = null
  readonly credentials: Credentials
  readonly #connection: Connection
  readonly #issuer: Issuer
  readonly #heartbeat: Heartbeat
  readonly #onSignIn: () => void
  readonly #listeners = new Set<(lost: SessionLost) => void>()

  /** `onSignIn`: what was begun before belongs to another sign-in. */
  constructor(connection: Connection, { store, issuer }: { readonly store: SessionStore; readonly issuer: Issuer }, onSignIn: () => void) {
    const { timers } = connection
    const onLost = (reason: LossReason, error: ServiceError): void => this.#lose(reason, error)
    this.#connection = connection
    this.#issuer = issuer
    this.#heartbeat = createHeartbeat(timers, {
      onLost,
      send: (session) => this.#sendHeartbeat(session),
      onRenewed: ({ session, saved }) => {
        this.agentSession = session
        return this.credentials.keepAgentSession(saved)
      },
    })
    this.#onSignIn = onSignIn
    this.credentials = new Credentials({ store, timers, onLost, renew: (used) => issuer.renew(used) })
  }

  async signIn(input: AgentLoginInput): Promise<SignedIn> {
    const signedIn = await this.#issuer.signIn(input)
    this.#onSignIn()
    await this.credentials.issue(signedIn.tokens, this.#begin(signedIn.session))
    return signedIn
  }

  async exchangeLoginToken(input: LoginTokenInput): Promise<void> {
    const tokens = await this.#issuer.exchange(input)
    this.#onSignIn()
    await this.credentials.issue(tokens, this.#begin(null))
  }

  async restartAgentSession(): Promise<StartedSession> {
    const own = await this.credentials.storedAgentSession()
    return this.startAgentSession(own ? { takeOver: true, lockedAt: own.lockedAt } : { takeOver: false })
  }

  async startAgentSession(wanted: { readonly takeOver: boolean; readonly lockedAt?: string }): Promise<StartedSession> {
    const operation = operationOf('mutation', { startAgentSession: { $: wanted, ...startFields } })
    const { startAgentSession } = await this.#runAuthorized(operation)
    await this.credentials.keepAgentSession(this.#begin(startAgentSession.session))
    return startAgentSession
  }

  async resume(): Promise<Member | null> {
    const before = this.credentials.saved
    const saved = await this.credentials.load()
    if (before && !(saved && isSameMember(before.accessToken, saved.accessToken))) {
      this.#begin(null)
      this.#onSignIn()
    }
    if (!saved) return null
    const me = await this.#runAuthorized(operationOf('query', { me: viewerFields })).then((data) => data.me, nullIfRefused)
    if (!me || !saved.agentSession) return me
    this.agentSession = me.session?.lockedAt === saved.agentSession.lockedAt ? me.session : null
    this.#heartbeat.start(saved.agentSession)
    await this.#heartbeat.beat()
    return me
  }

  async signOut(): Promise<Omit<AgentLogout, '__typename'>> {
    const { saved } = this.credentials
    if (!saved) return { released: false, providerSignedOut: false }
    const lockedAt = this.agentSession?.lockedAt ?? null
    this.#heartbeat.stop()
    try {
      const operation = operationOf('mutation', { agentLogout: { $: { lockedAt }, released: true, providerSignedOut: true } })
      return (await this.#runAuthorized(operation)).agentLogout
    } catch (error) {
      // Taken over; or signed out before, and the answer was lost.
      if (error instanceof ServiceError && (error.reason === 'SESSION_TAKEN_OVER' || refusesToken(error)))
        return { released: false, providerSignedOut: false }
      throw error
    } finally {
      if ((this.agentSession?.lockedAt ?? null) === lockedAt) this.agentSession = null
      await this.credentials.clear(saved)
      await this.#issuer.forget(saved).catch(() => undefined)
    }
  }

  /** Stops the heartbeats. */
  stop(): void {
    this.#heartbeat.stop()
  }

  onLost(listener: (lost: SessionLost) => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /** For the error that ends a stream: it may say that the session is lost. */
  checkLoss(error: ServiceError): void {
    const own = this.credentials.saved?.agentSession
    const loss = own ? lossBehind(error, own, this.#connection.timers.now()) : null
    if (loss) this.#lose(loss, error)
  }

  isOwnTakeOver({ reason, data }: ServiceError): boolean {
    return reason === 'SESSION_TAKEN_OVER' && this.agentSession !== null && data?.['lockedAt'] === this.agentSession.lockedAt
  }

  /** Runs a request with a token, and once more with a renewed one if the token was refused. */
  async authorized<Result>(run: (token: string | null) => Promise<Result>): Promise<Result> {
    const token = await this.credentials.access()
    try {
      return await run(token)
    } catch (error) {
      if (token === null || !refusesToken(error) || hasData(error)) throw error
      return run(await this.credentials.renew(token, error))
    }
  }

  #begin(session: OwnAgentSession | null): SavedAgentSession | null {
    this.#heartbeat.stop()
    this.agentSession = session
    const saved = session && savedSessionOf(session, this.#connection.timers.now())
    if (saved) this.#heartbeat.start(saved)
    return saved
  }

  async #sendHeartbeat({ lockedAt, lifetimeMs }: SavedAgentSession): Promise<Renewed> {
    const { heartbeat } = await this.#runAuthorized(operationOf('mutation', { heartbeat: { $: { lockedAt }, ...sessionFields } }))
    return { session: heartbeat, saved: savedSessionOf(heartbeat, this.#connection.timers.now(), lifetimeMs) }
  }

  #runAuthorized<Data>({ operation }: TypedOperation<Data>): Promise<Data> {
    return this.authorized(async (token) => typed<Data>(await requestData(this.#connection, { operation, token })))
  }

  #lose(reason: LossReason, error: ServiceError): void {
    const ended = this.credentials.saved?.agentSession
    // A store that cannot be read must not hide the loss.
    if (ended) this.credentials.keepAgentSession(null, ended).catch(() => undefined)
    this.agentSession = null
    this.#heartbeat.stop()
    for (const listener of this.#listeners) listener({ reason, error })
  }
}

/** Part of the operation was executed. */
function hasData(error: unknown): boolean {
  const data = error instanceof ServiceError ? error.partial : null
  return typeof data === 'object' && data !== null && Object.values(data).some((value) => value !== null)
}

function nullIfRefused(error: unknown): null {
  if (refusesToken(error)) return null
  throw error
}
