import { AppError, type ErrorReason, invalidInput } from './errors.ts'
import type { LogLine } from './log-events.ts'

/** Who refused, and the codes of the refusal: identifiers that a program compares, never values or messages. */
export type RefusalFacts = { readonly provider: string; readonly code: string | null; readonly subCode: string | null }

const identifier = /^[\w.:-]{1,80}$/

/** How another system refused a request; the cause of an AppError. It has no text of the other system, which can quote a person. */
export class Refusal extends Error {
  readonly provider: string
  readonly code: string | null
  readonly subCode: string | null

  constructor({ provider, code, subCode }: RefusalFacts) {
    super(`${provider} refused: ${codeText({ code, subCode })}`)
    this.name = 'Refusal'
    this.provider = provider
    this.code = identifierIn(code)
    this.subCode = identifierIn(subCode)
  }
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
  const reason = error instanceof AppError ? error.reason : 'UNKNOWN'
  log[usual.has(reason) ? 'info' : 'warn']({ operation, provider, code, subCode, reason }, 'provider.refused')
}

function identifierIn(text: string | null): string | null {
  return text !== null && identifier.test(text) ? text : null
}
