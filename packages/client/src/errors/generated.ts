// Made from the table of errors by `npm run codegen`.
/** The kind of an error. */
export type ErrorCode =
  | 'UNAUTHENTICATED'
  | 'FORBIDDEN'
  | 'BAD_USER_INPUT'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'NOT_FOUND'
  | 'CONFLICT'
  | 'RATE_LIMITED'
  | 'NOT_CONFIGURED'
  | 'UPSTREAM_FAILED'
  | 'UPSTREAM_UNAVAILABLE'
  | 'TIMEOUT'
  | 'INTERNAL_SERVER_ERROR'

/**
 * What exactly happened:
 *
 * - `TOKEN_MISSING` (`UNAUTHENTICATED`): Sign in first
 * - `TOKEN_REFUSED` (`UNAUTHENTICATED`): The token was refused; refresh it or sign in again
 * - `SIGN_IN_REFUSED` (`UNAUTHENTICATED`): E-mail or password is wrong
 * - `WIDGET_KEY_REFUSED` (`UNAUTHENTICATED`): The widget key is missing or not known
 * - `WEBHOOK_REFUSED` (`UNAUTHENTICATED`): The webhook is not of this account
 * - `ORIGIN_REFUSED` (`FORBIDDEN`): Pages of this site are not allowed here
 * - `ROLE_MISSING` (`FORBIDDEN`): Not allowed for this role
 * - `PLATFORM_REFUSED` (`FORBIDDEN`): The platform does not allow this
 * - `WORKSPACE_NOT_SERVED` (`FORBIDDEN`): This workspace is not served here
 * - `NOT_YOURS` (`FORBIDDEN`): This belongs to somebody else
 * - `INVALID_INPUT` (`BAD_USER_INPUT`): The input is not valid
 * - `PERSISTED_QUERY_NOT_SUPPORTED` (`PERSISTED_QUERY_NOT_SUPPORTED`): PersistedQueryNotSupported
 * - `NOT_FOUND` (`NOT_FOUND`): Not found
 * - `SESSION_GONE` (`NOT_FOUND`): There is no agent session; sign in again
 * - `SESSION_LOCKED` (`CONFLICT`): The agent is already signed in
 * - `SESSION_TAKEN_OVER` (`CONFLICT`): Another device has taken over your agent session
 * - `SLOT_TAKEN` (`CONFLICT`): This time is taken
 * - `ALREADY_CLAIMED` (`CONFLICT`): Another agent has claimed this
 * - `CHANGED_MEANWHILE` (`CONFLICT`): Somebody else changed this in the meantime
 * - `WRONG_STATE` (`CONFLICT`): Not possible in the current state
 * - `TOO_MANY_TRIES` (`RATE_LIMITED`): Too many attempts; try again later
 * - `TOO_MANY_CONNECTIONS` (`RATE_LIMITED`): Too many connections
 * - `TOO_MANY_SEARCHES` (`RATE_LIMITED`): Too many searches at once
 * - `TOO_MANY_STREAMS` (`RATE_LIMITED`): Too many event streams
 * - `NOT_CONFIGURED` (`NOT_CONFIGURED`): This is not configured yet
 * - `NOT_SUPPORTED` (`NOT_CONFIGURED`): The provider cannot do this
 * - `ASSISTANT_MISSING` (`NOT_CONFIGURED`): There is no assistant here
 * - `PROVIDER_REFUSED` (`UPSTREAM_FAILED`): The provider refused the request
 * - `PROVIDER_ANSWER_INVALID` (`UPSTREAM_FAILED`): The provider gave an answer that cannot be read
 * - `PROVIDER_UNAVAILABLE` (`UPSTREAM_UNAVAILABLE`): The provider is not available
 * - `STORE_UNAVAILABLE` (`UPSTREAM_UNAVAILABLE`): The store is not available
 * - `OVERLOADED` (`UPSTREAM_UNAVAILABLE`): The service is too busy; try again later
 * - `STOPPING` (`UPSTREAM_UNAVAILABLE`): The service restarts: subscribe again
 * - `DEADLINE_PASSED` (`TIMEOUT`): It took too long
 * - `UNKNOWN` (`INTERNAL_SERVER_ERROR`): Something went wrong here
 */
export type ErrorReason =
  | 'TOKEN_MISSING'
  | 'TOKEN_REFUSED'
  | 'SIGN_IN_REFUSED'
  | 'WIDGET_KEY_REFUSED'
  | 'WEBHOOK_REFUSED'
  | 'ORIGIN_REFUSED'
  | 'ROLE_MISSING'
  | 'PLATFORM_REFUSED'
  | 'WORKSPACE_NOT_SERVED'
  | 'NOT_YOURS'
  | 'INVALID_INPUT'
  | 'PERSISTED_QUERY_NOT_SUPPORTED'
  | 'NOT_FOUND'
  | 'SESSION_GONE'
  | 'SESSION_LOCKED'
  | 'SESSION_TAKEN_OVER'
  | 'SLOT_TAKEN'
  | 'ALREADY_CLAIMED'
  | 'CHANGED_MEANWHILE'
  | 'WRONG_STATE'
  | 'TOO_MANY_TRIES'
  | 'TOO_MANY_CONNECTIONS'
  | 'TOO_MANY_SEARCHES'
  | 'TOO_MANY_STREAMS'
  | 'NOT_CONFIGURED'
  | 'NOT_SUPPORTED'
  | 'ASSISTANT_MISSING'
  | 'PROVIDER_REFUSED'
  | 'PROVIDER_ANSWER_INVALID'
  | 'PROVIDER_UNAVAILABLE'
  | 'STORE_UNAVAILABLE'
  | 'OVERLOADED'
  | 'STOPPING'
  | 'DEADLINE_PASSED'
  | 'UNKNOWN'
