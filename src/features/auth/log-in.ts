import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import type { Actor } from '../../access/actor.ts'
import type { Principal } from '../../access/principal.ts'
import type { RequestContext } from '../../access/request-context.ts'
import { AppError } from '../../kernel/errors.ts'
import { emailInput, parseInput } from '../../kernel/input.ts'
import type { Log } from '../../kernel/log.ts'
import { type IssuedTokens, tokenTexts } from '../../ports/identity.ts'
import { type StartedSession, startSession } from '../sessions/start-session.ts'
import type { AuthPorts } from './auth-ports.ts'
import { outcomeOf } from './credential-gate.ts'
import { limitSignIns } from './limit-sign-ins.ts'
import { lookUpPrincipal } from './look-up-principal.ts'
import { workspaceToSignInTo } from './workspace.ts'

export type LogInContext = Pick<RequestContext, 'clientAddress' | 'origin' | 'signal' | 'log' | 'afterAnswer' | 'allowAtLeast' | 'pausing'>

export type LogInResult = {
  readonly tokens: IssuedTokens
  readonly principal: Principal
  /** Null for members without an agent record. */
  readonly started: Pick<StartedSession, 'session' | 'agent' | 'sip' | 'telephony'> | null
  readonly wizardRequired: boolean
}

const inputSchema = z.strictObject({
  email: emailInput,
  password: z.string(),
  workspace: z.string().nullish(),
})

/**
 * Signs a member in: credentials, tokens, profile and agent record (at the same time), session lock, provider, answer, in this order. Errors:
 * INVALID_INPUT, WORKSPACE_NOT_SERVED, TOO_MANY_TRIES, SIGN_IN_REFUSED (the same answer, after the same time, for a wrong password and an unknown e-mail),
 * SESSION_LOCKED, STORE_UNAVAILABLE (agents only), OVERLOADED, those of the platform.
 */
export async function logIn(ports: AuthPorts, context: LogInContext, input: unknown): Promise<LogInResult> {
  const { email, password, workspace: named } = parseInput(inputSchema, input, 'input')
  const workspace = workspaceToSignInTo({ named, origin: context.origin, field: 'input.workspace' }, ports.servedWorkspaces)
  const credentials = { email, password, workspace }
  const startedAt = performance.now()
  try {
    return await limitSignIns(ports, context, async () => {
      const tokens = await proveCredentials(ports, context, credentials)
      return signIn(ports, context, { tokens, password, workspace })
    })
  } catch (error) {
    if (outcomeOf(error) === 'WRONG') await context.pausing(() => hideDuration(startedAt))
    throw error
  }
}

type Credentials = { readonly email: string; readonly password: string; readonly workspace: string }

async function proveCredentials(
  { credentialGate, identity }: AuthPorts,
  { clientAddress, signal, pausing }: LogInContext,
  credentials: Credentials,
): Promise<IssuedTokens> {
  const settle = await credentialGate.enter({ account: credentials.email, address: clientAddress, signal, pausing })
  const loginToken = await identity.logIn(credentials).catch((error: unknown) => {
    settle(outcomeOf(error))
    throw error
  })
  settle('RIGHT')
  return identity.exchange({ loginToken, workspace: credentials.workspace })
}

/**
 * The platform answers sooner for an unknown e-mail than for a wrong password, because then it compares no password. So refusals wait for the
 * next half second, and the time of an answer reveals nothing.
 */
async function hideDuration(startedAt: number): Promise<void> {
  const stepMs = 500
  const passed = performance.now() - startedAt
  await pause(Math.ceil(passed / stepMs) * stepMs - passed)
}

type Proved = { readonly tokens: IssuedTokens; readonly password: string; readonly workspace: string }

async function signIn(ports: AuthPorts, context: LogInContext, { tokens, password, workspace }: Proved): Promise<LogInResult> {
  const { clientAddress, signal, log } = context
  const accessToken = tokens.accessToken.token
  const begun = ports.signIns.begin(tokenTexts(tokens))
  const { principal } = await ports.principals.learn(accessToken, async () => {
    const found = await lookUpPrincipal(ports, accessToken, { isJustIssued: true })
    assertSignedInTo(workspace, found.principal)
    return found
  })
  const { record } = await ports.agentRecordCache.ofMember(principal, accessToken)
  const wizardRequired = principal.role === 'MANAGER' && (await isWizardRequired(ports, log, { principal, accessToken, clientAddress }))
  // Last, so that nothing of ours can fail between the lock and the answer.
  const started = record && (await startSession(ports, { principal, accessToken, clientAddress }, { record, signal }))
  await begun.note()
  if (started) context.afterAnswer((sent) => void (sent ? started.confirm() : started.abandon()))
  void ports.onPasswordProved(principal, password).catch((error: unknown) => log.warn({ err: error }, 'sign-in.password-not-noted'))
  return { tokens, principal, started, wizardRequired }
}

/** A platform that serves one workspace ignores the name of the workspace. */
function assertSignedInTo(workspace: string, { workspace: actual }: Pick<Principal, 'workspace'>): void {
  if (actual === workspace) return
  throw new AppError('WORKSPACE_NOT_SERVED', {
    detail: `The platform signed in to the workspace "${actual}", not to "${workspace}": name that one`,
  })
}

/** A failure to read the state of the wizard keeps nobody out. */
async function isWizardRequired({ wizardRequired }: AuthPorts, log: Log, actor: Actor): Promise<boolean> {
  return wizardRequired(actor).catch((error: unknown) => {
    log.warn({ err: error, workspaceId: actor.principal.workspaceId }, 'sign-in.wizard-state-not-read')
    return false
  })
}
