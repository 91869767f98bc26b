import { type GraphQLFormattedError, Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import type { CredentialGate, SettleTry, TryOutcome } from '../../auth/credential-gate.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { Exchange } from '../exchange.ts'
import type { RootField } from './root-selections.ts'

/** The platform's operations that take credentials or tell of accounts, in all versions up to 2.21; each meets the limits of `/auth`. */
export const credentialNames: ReadonlySet<string> = new Set([
  'getLoginTokenFromCredentials',
  'challenge',
  'signIn',
  'signUp',
  'signUpInWorkspace',
  'signUpInNewWorkspace',
  'getAuthTokensFromOTP',
  'initiateOTPProvisioning',
  'getAuthTokensFromLoginToken',
  'verify',
  'exchangeAuthorizationCode',
  'verifyEmailAndGetLoginToken',
  'verifyEmailAndGetWorkspaceAgnosticToken',
  'getLoginTokenFromEmailVerificationToken',
  'getWorkspaceAgnosticTokenFromEmailVerificationToken',
  'renewToken',
  'renewApplicationToken',
  'emailPasswordResetLink',
  'resendEmailVerificationToken',
  'updatePasswordViaResetToken',
  'validatePasswordResetToken',
  'checkUserExists',
])

/** Those that prove a password: where one of them succeeds, its address is one of the owner's. */
const passwordNames: ReadonlySet<string> = new Set(['getLoginTokenFromCredentials', 'challenge', 'signIn'])
/** Those that prove a token. The others tell of accounts, or make them: each of these counts, whatever its answer. */
const tokenNames: ReadonlySet<string> = new Set([
  'getAuthTokensFromOTP',
  'getAuthTokensFromLoginToken',
  'verify',
  'exchangeAuthorizationCode',
  'verifyEmailAndGetLoginToken',
  'verifyEmailAndGetWorkspaceAgnosticToken',
  'getLoginTokenFromEmailVerificationToken',
  'getWorkspaceAgnosticTokenFromEmailVerificationToken',
  'renewToken',
  'renewApplicationToken',
  'updatePasswordViaResetToken',
])

/**
 * One credential field of an operation. `emailOf`: the account it is about once the variables are known; null where it names none,
 * INVALID_INPUT where what it names is no text. `accepted`: what it means that the platform took it.
 */
export type CredentialField = {
  readonly key: string
  readonly emailOf: (variables: Variables) => string | null
  readonly accepted: TryOutcome
}
type Variables = Readonly<Record<string, unknown>>

export function credentialField({ node, key }: RootField, operation: OperationDefinitionNode): CredentialField {
  const defaults = (operation.variableDefinitions ?? []).flatMap(({ variable, defaultValue }): [string, unknown][] =>
    defaultValue ? [[variable.name.value, valueFromASTUntyped(defaultValue)]] : [],
  )
  const email = node.arguments?.find(({ name }) => name.value === 'email')?.value
  return {
    key,
    accepted: acceptedOutcome(node.name.value),
    emailOf(variables) {
      if (!email) return null
      // A map, because a variable may be called `__proto__`.
      const given = new Map([...defaults, ...Object.entries(variables)])
      const value: unknown = email.kind === Kind.VARIABLE ? given.get(email.name.value) : valueFromASTUntyped(email)
      if (typeof value !== 'string') throw invalidInput('email', 'must be a text')
      return value
    },
  }
}

function acceptedOutcome(name: string): TryOutcome {
  if (passwordNames.has(name)) return 'RIGHT'
  return tokenNames.has(name) ? 'UNKNOWN' : 'WRONG'
}

/** What the platform answered; null where no answer came. */
export type GatedAnswer = { readonly data?: Variables | null; readonly errors?: readonly GraphQLFormattedError[] } | null

/**
 * Passes the gate once for each credential field, or throws TOO_MANY_TRIES; then no field reaches the platform. What is answered takes
 * the platform's answer and tells the gate what became of each.
 */
export async function enterGate(
  gate: CredentialGate,
  { exchange, credentials, variables }: { exchange: Exchange; credentials: readonly CredentialField[]; variables: Variables },
): Promise<(answer: GatedAnswer) => void> {
  const settles: SettleTry[] = []
  try {
    for (const field of credentials) {
      settles.push(await gate.enter({ email: field.emailOf(variables), address: exchange.clientAddress, signal: exchange.signal }))
    }
  } catch (error) {
    for (const settle of settles) settle('UNKNOWN')
    throw error
  }
  return (answer) => {
    for (const [index, field] of credentials.entries()) settles[index]?.(outcomeOf(field, answer))
  }
}

function outcomeOf({ key, accepted }: CredentialField, answer: GatedAnswer): TryOutcome {
  if (answer === null) return 'UNKNOWN'
  const value = answer.data?.[key]
  if (value !== undefined && value !== null) return accepted
  const error = answer.errors?.find(({ path }) => path === undefined || path[0] === key)
  const { code, subCode } = error?.extensions ?? {}
  if (code !== 'UNAUTHENTICATED' && code !== 'FORBIDDEN') return 'UNKNOWN'
  // These come after the password was seen to be right.
  return subCode === 'EMAIL_NOT_VERIFIED' || String(subCode).startsWith('TWO_FACTOR_AUTHENTICATION_') ? accepted : 'WRONG'
}
