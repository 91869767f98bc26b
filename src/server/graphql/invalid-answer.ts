import { AppError } from '../../kernel/errors.ts'

/** The platform's answer is not a GraphQL answer. */
export function invalidAnswer(cause?: unknown): AppError {
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The platform gave an answer that cannot be read', cause })
}
