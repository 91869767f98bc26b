import type { GraphQLFormattedError } from 'graphql'
import { z } from 'zod'
import { invalidAnswer } from './invalid-answer.ts'
import type { UpstreamAnswer } from './whole-answer.ts'

export type Answer = { readonly data?: Readonly<Record<string, unknown>> | null; readonly errors?: readonly GraphQLFormattedError[] }

const answerSchema = z.object({
  data: z.record(z.string(), z.unknown()).nullish(),
  errors: z.array(z.looseObject({ message: z.string() })).optional(),
})

/** The platform's answer, with its errors unchanged. Throws PROVIDER_ANSWER_INVALID if it is not a GraphQL answer. */
export function readGraphQL({ body }: Pick<UpstreamAnswer, 'body'>): Answer {
  let parsed: unknown
  try {
    parsed = JSON.parse(body.toString())
  } catch {
    throw invalidAnswer()
  }
  const answer = answerSchema.safeParse(parsed)
  if (!answer.success || (answer.data.data === undefined && !answer.data.errors)) throw invalidAnswer()
  const { data, errors } = answer.data
  return { ...(data !== undefined && { data }), ...(errors && { errors }) }
}
