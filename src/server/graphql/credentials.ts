import { type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import type { RootField } from './root-selections.ts'

/** What somebody tries with one of the platform's own credential operations. */
export type CredentialKind = 'SIGN_IN' | 'SIGN_UP' | 'EXCHANGE' | 'RENEW' | 'RECOVER'

/** The platform's operations that take or give credentials (all versions up to 2.21); each meets the limits of `/auth`. */
const kinds: Readonly<Record<string, CredentialKind>> = {
  getLoginTokenFromCredentials: 'SIGN_IN',
  challenge: 'SIGN_IN',
  signIn: 'SIGN_IN',
  getAuthTokensFromOTP: 'SIGN_IN',
  signUp: 'SIGN_UP',
  signUpInWorkspace: 'SIGN_UP',
  signUpInNewWorkspace: 'SIGN_UP',
  getAuthTokensFromLoginToken: 'EXCHANGE',
  verify: 'EXCHANGE',
  exchangeAuthorizationCode: 'EXCHANGE',
  verifyEmailAndGetLoginToken: 'EXCHANGE',
  verifyEmailAndGetWorkspaceAgnosticToken: 'EXCHANGE',
  getLoginTokenFromEmailVerificationToken: 'EXCHANGE',
  getWorkspaceAgnosticTokenFromEmailVerificationToken: 'EXCHANGE',
  initiateOTPProvisioning: 'EXCHANGE',
  renewToken: 'RENEW',
  renewApplicationToken: 'RENEW',
  emailPasswordResetLink: 'RECOVER',
  resendEmailVerificationToken: 'RECOVER',
  updatePasswordViaResetToken: 'RECOVER',
  validatePasswordResetToken: 'RECOVER',
  checkUserExists: 'RECOVER',
}

/** The names of those operations. */
export const credentialNames: ReadonlySet<string> = new Set(Object.keys(kinds))

/** One credential field of one operation; its arguments are known once the variables are. */
export type CredentialField = { readonly name: string; readonly key: string; readonly argumentsOf: (variables: Variables) => Variables }
type Variables = Readonly<Record<string, unknown>>

/** One try, as the gate sees it. */
export type CredentialAttempt = {
  readonly kind: CredentialKind
  /** The platform's name of the operation. */
  readonly mutation: string
  /** The account it is about, trimmed and in small letters; null where the operation names none (tokens). */
  readonly email: string | null
  /** The `origin` argument: the workspace's frontend. */
  readonly origin: string | null
  /** The token that is exchanged or renewed. Never to be kept or logged as it is. */
  readonly token: string | null
}

/** What became of a try; UNKNOWN where the platform's answer did not come or cannot be read. */
export type CredentialOutcome = 'ACCEPTED' | 'REFUSED' | 'UNKNOWN'

/**
 * Meets each request that carries credential operations before the platform does, by whichever endpoint, alias or fragment they came.
 * Throws RATE_LIMITED where one of them may not be tried now; then none is. Afterwards it is told what became of each, in their order.
 */
export type CredentialGate = (request: CredentialRequest) => Promise<CredentialPass>
export type CredentialRequest = {
  readonly attempts: readonly CredentialAttempt[]
  readonly clientAddress: string
  readonly signal: AbortSignal
}
export type CredentialPass = (outcomes: readonly CredentialOutcome[]) => Promise<void> | void

export function credentialField({ node, key }: RootField, operation: OperationDefinitionNode): CredentialField {
  const defaults: Record<string, unknown> = {}
  for (const { variable, defaultValue } of operation.variableDefinitions ?? []) {
    if (defaultValue) defaults[variable.name.value] = valueFromASTUntyped(defaultValue)
  }
  return {
    name: node.name.value,
    key,
    argumentsOf(variables) {
      const given = { ...defaults, ...variables }
      const entries = (node.arguments ?? []).map(({ name, value }) => [name.value, valueFromASTUntyped(value, given)] as const)
      return Object.fromEntries(entries)
    },
  }
}

export function attemptOf(field: CredentialField, variables: Variables): CredentialAttempt {
  const given = field.argumentsOf(variables)
  const text = (...names: readonly string[]): string | null => {
    const value = names.map((name) => given[name]).find((one) => typeof one === 'string')
    return typeof value === 'string' ? value : null
  }
  return {
    kind: kinds[field.name] ?? 'SIGN_IN',
    mutation: field.name,
    email: text('email')?.trim().toLowerCase() ?? null,
    origin: text('origin'),
    token: text('appToken', 'loginToken', 'emailVerificationToken', 'passwordResetToken', 'applicationRefreshToken'),
  }
}

type AnswerLike = {
  readonly data?: Variables | null
  readonly errors?: readonly { readonly path?: readonly (string | number)[] | undefined }[]
}

/** An answer without errors that has the field accepts; the platform's refusals come with `data: null` and mostly without a path. */
export function outcomeOf(field: CredentialField, answer: AnswerLike | null): CredentialOutcome {
  if (answer === null) return 'UNKNOWN'
  const value = answer.data?.[field.key]
  return value === null || value === undefined ? 'REFUSED' : 'ACCEPTED'
}
