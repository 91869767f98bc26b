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

/** The platform has no answer in a form that the client accepts. It is answered with status 406. */
export class NotAcceptable extends AppError {
  constructor() {
    super('INVALID_INPUT', { detail: `The Accept header must allow ${acceptable}` })
  }
}
const acceptable = 'application/json or application/graphql-response+json, or text/event-stream for a stream'
