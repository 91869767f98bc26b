import { setTimeout as pause } from 'node:timers/promises'
import { BulkheadRejectedError, bulkhead } from 'cockatiel'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { parseInput } from '../../kernel/input.ts'
import type { Log } from '../../kernel/log.ts'
import type { AgentConfigurations } from '../sessions/agent-record-cache.ts'
import type { StartSession, StartedSession } from '../sessions/start-session.ts'
import { type CredentialGate, outcomeOf } from './credential-gate.ts'
import type { LookUpPrincipal } from './look-up-principal.ts'
import type { Identity, IssuedTokens } from '../../ports/identity.ts'
import type { Principal } from '../../access/principal.ts'
import type { Principals } from './principals.ts'
import { type ServedWorkspaces, workspaceToSignInTo } from './workspace.ts'

export type SigningIn = {
  readonly clientAddress: string
  readonly origin: string | null
  readonly signal: AbortSignal
  readonly log: Log
  afterAnswer(then: (sent: boolean) => void): void
  allowAtLeast(ms: number): void
}

export type SignIn = {
  readonly tokens: IssuedTokens
  readonly principal: Principal
  /** Null for members without an agent record. */
  readonly started: Pick<StartedSession, 'session' | 'agent' | 'sip' | 'telephony'> | null
  readonly wizardRequired: boolean
}

/**
 * Signs a member in: credentials, tokens, profile, agent configuration, lock, the provider, answer, in this order. Errors: INVALID_INPUT,
 * WORKSPACE_NOT_SERVED, TOO_MANY_TRIES, SIGN_IN_REFUSED (one answer for a wrong password and an unknown e-mail, also in time),
 * SESSION_LOCKED, STORE_UNAVAILABLE (for agents alone), OVERLOADED, those of the platform.
 */
export type LogIn = (input: unknown, signingIn: SigningIn) => Promise<SignIn>

export type LogInOptions = {
  readonly identity: Identity
  readonly gate: CredentialGate
  readonly served: ServedWorkspaces
  readonly lookUp: LookUpPrincipal
  readonly principals: Principals
  readonly agents: AgentConfigurations
  readonly startSession: StartSession
  /** Whether the setup wizard is still to be done; asked for managers alone. */
  readonly wizardRequired: (workspaceId: string) => Promise<boolean>
  /** Told of every sign-in with a right password; what it throws goes to the log. */
  readonly onSignedIn?: (owner: Pick<Principal, 'workspaceId' | 'email'>, password: string) => Promise<void>
}

const inputSchema = z.strictObject({
  email: z.email('must be an e-mail address').max(320, 'is too long for an e-mail address'),
  password: z.string().min(1, 'must not be empty').max(1_024, 'must have at most 1024 characters'),
  workspace: z.string().max(253, 'is too long for a workspace').nullish(),
})

/** At once in this process; more wait. So a thousand who begin their shift together are served one after the other, none refused. */
const atOnce = 100
const maxWaiting = 20_000
const waitMs = 60_000

export function createLogIn(options: LogInOptions): LogIn {
  const doorway = bulkhead(atOnce, maxWaiting)
  return async (input, signingIn) => {
    const { email, password, workspace: named } = parseInput(inputSchema, input, 'input')
    const workspace = workspaceToSignInTo({ named, origin: signingIn.origin, field: 'input.workspace' }, options.served)
    const startedAt = performance.now()
    signingIn.allowAtLeast(waitMs)
    try {
      return await doorway.execute(async () => {
        const tokens = await proveCredentials(options, { email, password, workspace }, signingIn)
        return enter(options, { tokens, password, workspace }, signingIn)
      })
    } catch (error) {
      if (error instanceof BulkheadRejectedError) throw new AppError('OVERLOADED', { data: { retryAfterSeconds: 10 } })
      if (outcomeOf(error) === 'WRONG') await untilAnswerTellsNothing(startedAt)
      throw error
    }
  }
}

type Credentials = { readonly email: string; readonly password: string; readonly workspace: string }

async function proveCredentials(
  { gate, identity }: LogInOptions,
  credentials: Credentials,
  { clientAddress, signal }: SigningIn,
): Promise<IssuedTokens> {
  const settle = await gate.enter({ account: credentials.email, address: clientAddress, signal })
  const loginToken = await identity.logIn(credentials).catch((error: unknown) => {
    settle(outcomeOf(error))
    throw error
  })
  settle('RIGHT')
  return identity.exchange({ loginToken, workspace: credentials.workspace })
}

/**
 * The platform answers "unknown" sooner than "wrong password", because it compares no password then; our refusals go out on a coarse
 * grid of time instead.
 */
async function untilAnswerTellsNothing(startedAt: number): Promise<void> {
  const gridMs = 500
  const passed = performance.now() - startedAt
  await pause(Math.ceil(passed / gridMs) * gridMs - passed)
}

type Proven = { readonly tokens: IssuedTokens; readonly password: string; readonly workspace: string }

async function enter(options: LogInOptions, { tokens, password, workspace }: Proven, signingIn: SigningIn): Promise<SignIn> {
  const accessToken = tokens.accessToken.token
  const found = await options.lookUp(accessToken)
  const { principal } = found
  // A platform that serves one workspace ignores the name that it was given.
  if (principal.workspace !== workspace)
    throw new AppError('WORKSPACE_NOT_SERVED', { detail: 'The platform signed in to another workspace' })
  options.principals.learn(accessToken, found)
  const { agent } = await options.agents.ofMember(principal, accessToken)
  const wizardRequired = principal.role === 'MANAGER' && (await wizard(options, principal, signingIn.log))
  // Last, so that nothing of ours can fail between the lock and the answer.
  const started = agent && (await options.startSession({ member: principal, agent, ip: signingIn.clientAddress, signal: signingIn.signal }))
  if (started) signingIn.afterAnswer((sent) => void (sent ? started.confirm() : started.abandon()))
  void options.onSignedIn?.(principal, password).catch((error: unknown) => signingIn.log.warn({ err: error }, 'after a sign-in'))
  return { tokens, principal, started, wizardRequired }
}

/** Nobody is kept out because the state of the wizard cannot be read. */
async function wizard({ wizardRequired }: LogInOptions, { workspaceId }: Principal, log: Log): Promise<boolean> {
  return wizardRequired(workspaceId).catch((error: unknown) => {
    log.warn({ err: error, workspaceId }, 'the state of the setup wizard could not be read')
    return false
  })
}
