import { createGraphQLError } from '@graphql-tools/utils'
import type { GraphQLError } from 'graphql'

const transportErrors = {
  PROVIDER_ANSWER_INVALID: {
    message: 'The platform gave an answer that cannot be read',
    extensions: { code: 'UPSTREAM_FAILED', reason: 'PROVIDER_ANSWER_INVALID', retryable: true },
  },
  PROVIDER_UNAVAILABLE: {
    message: 'The platform is not available',
    extensions: { code: 'UPSTREAM_UNAVAILABLE', reason: 'PROVIDER_UNAVAILABLE', retryable: true },
  },
} as const

/** Why there is no answer of the platform that can be used. */
export type TransportReason = keyof typeof transportErrors

export function transportError(reason: TransportReason): GraphQLError {
  const { message, extensions } = transportErrors[reason]
  return createGraphQLError(message, { extensions: { ...extensions } })
}
