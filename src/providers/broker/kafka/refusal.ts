/** What the brokers refused, as Kafka names it, for example `TOPIC_AUTHORIZATION_FAILED`; null if it is no answer of theirs. */
export function refusalOf(error: unknown): string | null {
  if (!(error instanceof Error)) return null
  // The client names it so when a broker takes no user name or mechanism.
  if (error.name === 'KafkaJSSASLAuthenticationError') return 'SASL_AUTHENTICATION_FAILED'
  if ('type' in error && typeof error.type === 'string') return error.type
  // Of several topics: the first refusal.
  const first: unknown = 'errors' in error && Array.isArray(error.errors) ? error.errors[0] : null
  return refusalOf(first ?? error.cause)
}
