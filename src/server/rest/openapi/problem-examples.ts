import { AppError, type ErrorData, type ErrorReason, invalidInput, isErrorReason } from '../../../kernel/errors.ts'
import { type Problem, problemOf } from '../../http/problem.ts'

export type ProblemExample = { readonly summary: string; readonly value: Problem }

const requestId = 'e7f8a9b0-1c2d-4e3f-8a4b-5c6d7e8f9071'
const folder = '#/components/examples/'
const lockedAt = '2026-11-22T08:55:00.000Z'
const later = { retryAfterSeconds: 5 }
const dataOf: Readonly<Partial<Record<ErrorReason, ErrorData>>> = {
  SESSION_LOCKED: { ip: '203.0.113.24', lockedAt, own: false },
  SESSION_TAKEN_OVER: { lockedAt },
  ALREADY_CLAIMED: { claimedBy: { agentId: '5f0c6f0e-6a1c-4b7e-9a53-2f7f1f0f7a11', name: 'Asha Rao' }, until: '2026-11-22T10:00:00.000Z' },
  TOO_MANY_TRIES: later,
  OVERLOADED: later,
  STORE_UNAVAILABLE: later,
}

/** An error with each reason that an answer refers to, by `exampleReference`. */
export function problemExamples(paths: object): Readonly<Record<string, ProblemExample>> {
  const [, ...references] = JSON.stringify(paths).split(folder)
  const reasons = [...new Set(references.map((text) => text.slice(0, text.indexOf('"'))))].filter(isErrorReason)
  return Object.fromEntries(reasons.toSorted().map((reason) => [reason, exampleOf(reason)]))
}

export function exampleReference(reason: ErrorReason): { readonly $ref: string } {
  return { $ref: `${folder}${reason}` }
}

function exampleOf(reason: ErrorReason): ProblemExample {
  const data = dataOf[reason]
  const error =
    reason === 'INVALID_INPUT'
      ? invalidInput('phoneNumber', 'must be a valid phone number, such as +919876543210')
      : new AppError(reason, data ? { data } : {})
  return { summary: error.title, value: problemOf(error, requestId) }
}
