import { type GraphQLFormattedError, Kind, type OperationDefinitionNode, valueFromASTUntyped } from 'graphql'
import type { CredentialGate, PasswordProof, SettleAttempt, AttemptOutcome } from '../../features/auth/credential-gate.ts'
import { maxTokenChars, readClaims } from '../../access/token-claims.ts'
import { invalidInput } from '../../kernel/errors.ts'
import type { HttpContext } from '../http/http-context.ts'
import { unprefixedFieldName } from './prefixed-names.ts'
import type { RootField } from './root-selections.ts'

/** Operations that prove a password. If one succeeds, the client's address belongs to the account's owner. */
const passwordNames: ReadonlySet<string> = new Set(['getLoginTokenFromCredentials', 'challenge', 'signIn'])
/** Proves a second factor of the account that its login token names. */
const secondFactor = 'getAuthTokensFromOTP'
/** Operations that prove a token. */
const tokenNames: ReadonlySet<string> = new Set([
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
/** Operations that reveal or create accounts. Each counts as an attempt, whatever its answer. */
const accountNames: ReadonlySet<string> = new Set([
  'signUp',
  'signUpInWorkspace',
  'signUpInNewWorkspace',
  'initiateOTPProvisioning',
  'emailPasswordResetLink',
  'resendEmailVerificationToken',
  'validatePasswordResetToken',
  'checkUserExists',
])

/** The platform's operations that take credentials or reveal accounts, in all versions up to 2.21. The limits of `/auth` apply to each. */
export const credentialNames: ReadonlySet<string> = new Set([...passwordNames, secondFactor, ...tokenNames, ...accountNames])

/**
 * One credential field of an operation. `accountOf`: its account, from the variables; null if it names none; throws INVALID_INPUT if the
 * name is not a text. `accepted`: the outcome if the platform accepts it. `passwordOf`: the password that it proves then, with its account;
 * null if it proves none.
 */
export type CredentialField = {
  readonly key: string
  readonly accountOf: (variables: Variables) => string | null
  readonly accepted: AttemptOutcome
  /** The codes with which the platform refuses wrong credentials. */
  readonly refused: readonly string[]
  readonly passwordOf: (variables: Variables) => Password | null
  /** The refresh token that it renews; null if it renews none. */
  readonly renewedOf: (variables: Variables) => string | null
}
type Variables = Readonly<Record<string, unknown>>
type Password = { readonly email: string; readonly password: string }

export function credentialField({ node, key }: RootField, operation: OperationDefinitionNode): CredentialField {
  const name = unprefixedFieldName(node.name.value)
  const defaultOf = (variable: string): unknown => {
    const value = operation.variableDefinitions?.find((definition) => definition.variable.name.value === variable)?.defaultValue
    return value && valueFromASTUntyped(value)
  }
  const valueOf = (argument: string, variables: Variables): unknown => {
    const value = node.arguments?.find((given) => given.name.value === argument)?.value
    if (value?.kind !== Kind.VARIABLE) return value && valueFromASTUntyped(value)
    const { value: variable } = value.name
    // A variable may be called `__proto__`. Null, because the argument is there.
    return (Object.hasOwn(variables, variable) ? variables[variable] : defaultOf(variable)) ?? null
  }
  const textOf = (argument: string, variables: Variables): string | null => {
    const value = valueOf(argument, variables)
    if (value !== undefined && typeof value !== 'string') throw invalidInput(argument, 'must be a text')
    return value ?? null
  }
  return {
    key,
    accepted: acceptedOutcome(name),
    // A wrong code is INVALID_OTP under BAD_USER_INPUT; other codes mean that the login token is not valid.
    refused: name === secondFactor ? ['BAD_USER_INPUT'] : ['UNAUTHENTICATED', 'FORBIDDEN'],
    accountOf: (variables) => (name === secondFactor ? challengedBy(textOf('loginToken', variables)) : textOf('email', variables)),
    renewedOf: (variables) => (name === 'renewToken' ? textOf('appToken', variables) : null),
    passwordOf(variables) {
      const [email, password] = ['email', 'password'].map((argument) => valueOf(argument, variables))
      return passwordNames.has(name) && typeof email === 'string' && typeof password === 'string' ? { email, password } : null
    },
  }
}

/** The account of a login token. Not verified here: a code counts as wrong only after the platform accepted the token. */
function challengedBy(loginToken: string | null): string | null {
  // Its claims would not be read, so that each such token would be an account of its own.
  if (loginToken !== null && loginToken.length > maxTokenChars) throw invalidInput('loginToken', 'is too long for a token')
  return loginToken === null ? null : `second factor of ${readClaims(loginToken)?.subject ?? loginToken}`
}

function acceptedOutcome(name: string): AttemptOutcome {
  if (passwordNames.has(name) || name === secondFactor) return 'RIGHT'
  return tokenNames.has(name) ? 'UNKNOWN' : 'WRONG'
}

/** The platform's answer; null if there is none. */
export type GatedAnswer = { readonly data?: Variables | null; readonly errors?: readonly GraphQLFormattedError[] } | null

/**
 * Passes the gate once for each credential field, or throws TOO_MANY_TRIES; then no field reaches the platform. The returned function takes
 * the platform's answer and reports the outcome of each field to the gate.
 */
export async function enterGate(
  gate: CredentialGate,
  { ctx, credentials, variables }: { ctx: HttpContext; credentials: readonly CredentialField[]; variables: Variables },
): Promise<(answer: GatedAnswer) => void> {
  const settles: SettleAttempt[] = []
  try {
    for (const field of credentials) {
      const patience = { signal: ctx.signal, pausing: <Result>(wait: () => Promise<Result>) => ctx.pausing(wait) }
      settles.push(await gate.enter({ account: field.accountOf(variables), address: ctx.clientAddress, ...patience }))
    }
  } catch (error) {
    for (const settle of settles) settle('UNKNOWN')
    throw error
  }
  return (answer) => {
    for (const [index, field] of credentials.entries()) {
      const outcome = outcomeOf(field, { answer, left: ctx.aborted !== null })
      settles[index]?.(outcome, outcome === 'RIGHT' ? proofOf(field, { variables, answer }) : undefined)
    }
  }
}

/** The password that the platform has just accepted, with the workspace of the login token in its answer. */
function proofOf(
  { key, passwordOf }: CredentialField,
  { variables, answer }: { variables: Variables; answer: GatedAnswer },
): PasswordProof | undefined {
  const password = passwordOf(variables)
  const workspaceId = password && workspaceIn(valueIn(answer, key))
  return password && workspaceId ? { ...password, workspaceId } : undefined
}

/** The client chooses names and order of the answer's fields. */
function workspaceIn(answered: unknown): string | null {
  if (typeof answered === 'string') return readClaims(answered)?.workspaceId ?? null
  const parts = typeof answered === 'object' && answered !== null ? Object.values(answered) : []
  return parts.reduce<string | null>((found, part) => found ?? workspaceIn(part), null)
}

type Answered = {
  readonly answer: GatedAnswer
  /** The client did not wait for the answer, but the platform got the request. */
  readonly left: boolean
}

function outcomeOf({ key, accepted, refused }: CredentialField, { answer, left }: Answered): AttemptOutcome {
  // Another field's error may have made the whole `data` null, so a missing value proves nothing.
  if (accepted === 'WRONG') return answer === null && !left ? 'UNKNOWN' : 'WRONG'
  if (answer === null) return 'UNKNOWN'
  const value = valueIn(answer, key)
  if (value !== undefined && value !== null) return accepted
  // Errors without a path may be of any field: other fields' errors must not hide the refusal.
  const refusals = (answer.errors ?? []).filter(({ path, extensions: { code } = {} }) => {
    return (!path || path[0] === key) && typeof code === 'string' && refused.includes(code)
  })
  if (refusals.length === 0) return 'UNKNOWN'
  return refusals.every(({ extensions }) => isAfterPassword(String(extensions?.['subCode']))) ? accepted : 'WRONG'
}

/** The platform reports these only after the password was right. */
function isAfterPassword(subCode: string): boolean {
  return subCode === 'EMAIL_NOT_VERIFIED' || subCode.startsWith('TWO_FACTOR_AUTHENTICATION_')
}

/** The client names the fields, and may use a name that every object inherits. */
export function valueIn(answer: GatedAnswer, key: string): unknown {
  return answer?.data && Object.hasOwn(answer.data, key) ? answer.data[key] : undefined
}
