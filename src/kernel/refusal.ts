import { AppError, type ErrorReason, invalidInput } from './errors.ts'
import type { LogLine } from './log-events.ts'

/** Who refused, and the codes of the refusal: identifiers that a program compares, never values or messages. */
export type RefusalFacts = { readonly provider: string; readonly code: string | null; readonly subCode: string | null }

/** Why no request of the account will work until somebody mends it: its credit is used up, or the provider refuses its key or knows no such model. */
export type AccountFault = 'credit' | 'key' | 'model'

type RefusalOptions = RefusalFacts & { readonly accountFault?: AccountFault }

const identifier = /^[\w.:-]{1,80}$/

/** How another system refused a request; the cause of an AppError. It has no text of the other system, which can quote a person. */
export class Refusal extends Error {
  readonly provider: string
  readonly code: string | null
  readonly subCode: string | null
  readonly accountFault: AccountFault | null

  constructor({ provider, code, subCode, accountFault }: RefusalOptions) {
    super(`${provider} refused: ${codeText({ code, subCode })}`)
    this.name = 'Refusal'
    this.provider = provider
    this.code = identifierIn(code)
    this.subCode = identifierIn(subCode)
    this.accountFault = accountFault ?? null
  }
}

/** No request will work until somebody tops up the account. Not a rate limit, which passes. `who`: `OpenAI`. */
export function creditUsedUp(who: string, facts: RefusalFacts): AppError {
  const detail = `The credit of the account at ${who} is used up: top it up, or raise its limit`
  return new AppError('NOT_CONFIGURED', { detail, cause: new Refusal({ ...facts, accountFault: 'credit' }) })
}

/** Whether an error is that of `creditUsedUp`. */
export function isCreditUsedUp(error: unknown): boolean {
  return refusalOf(error)?.accountFault === 'credit'
}

/** The refusal behind an error; null if no other system refused. */
export function refusalOf(error: unknown): Refusal | null {
  const cause: unknown = error instanceof Error ? error.cause : null
  return cause instanceof Refusal ? cause : null
}

/** `BAD_USER_INPUT / INVALID_URL`. */
export function codeText({ code, subCode }: Pick<RefusalFacts, 'code' | 'subCode'>): string {
  return [identifierIn(code), identifierIn(subCode)].filter((text) => text !== null).join(' / ') || 'without a code'
}

/** Bad input that the other system refused. */
export function refusedInput(cause: Refusal, path: string, message: string): AppError {
  const { message: detail, data } = invalidInput(path, message)
  return new AppError('INVALID_INPUT', { detail, cause, ...(data && { data }) })
}

/** What happens every day: a token that has ended, a wrong password, a record that is gone or exists. */
const usual: ReadonlySet<ErrorReason> = new Set(['TOKEN_REFUSED', 'SIGN_IN_REFUSED', 'NOT_FOUND'])

/** Logs what another system refused; nothing for every other error. `operation` has no values: `mutation createCalls`, `telephony.dial`. */
export function logRefusal(log: Record<'info' | 'warn', LogLine>, operation: string, error: unknown): void {
  const refusal = refusalOf(error)
  if (!refusal) return
  const { provider, code, subCode } = refusal
  const credit = refusal.accountFault === 'credit' ? { isCreditUsedUp: true } : {}
  const reason = error instanceof AppError ? error.reason : 'UNKNOWN'
  log[usual.has(reason) ? 'info' : 'warn']({ operation, provider, code, subCode, reason, ...credit }, 'provider.refused')
}

function identifierIn(text: string | null): string | null {
  return text !== null && identifier.test(text) ? text : null
}
