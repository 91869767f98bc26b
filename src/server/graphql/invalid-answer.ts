import { AppError } from '../../kernel/errors.ts'

/** The platform's answer is not a GraphQL answer. */
export function invalidAnswer(cause?: unknown): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that cannot be read', cause })
}

/** Of an answer that is held whole: to merge it takes several times as much memory. An operation of the platform alone is streamed, and has no such limit. */
export const maxWholeAnswerBytes = 16 * 1_048_576

export function answerTooLarge(): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that is too large; ask for less at once' })
}
