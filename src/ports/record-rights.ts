/** The names that an object has on the platform. */
type ObjectNames = { readonly singular: string; readonly plural: string }

/**
 * What the holder of a token may do with the records of an object. Changes nothing. Errors: TOKEN_REFUSED, PROVIDER_REFUSED (it
 * does not know the object), PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, OVERLOADED, DEADLINE_PASSED.
 */
export type RecordRights = {
  readonly mayRead: (accessToken: string, object: ObjectNames) => Promise<boolean>
  readonly mayChange: (accessToken: string, object: ObjectNames) => Promise<boolean>
}
