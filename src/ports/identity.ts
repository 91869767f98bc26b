/** A token of the platform and when it expires (ISO 8601, UTC). */
export type IssuedToken = { readonly token: string; readonly expiresAt: string }
export type IssuedTokens = { readonly accessToken: IssuedToken; readonly refreshToken: IssuedToken }

export function tokenTexts({ accessToken, refreshToken }: IssuedTokens) {
  return { accessToken: accessToken.token, refreshToken: refreshToken.token }
}

/** The platform's data of the member that an access token belongs to. */
export type Profile = {
  readonly userId: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly memberId: string
  readonly workspace: { readonly id: string; readonly subdomain: string }
  /** The member's platform roles. Labels are free text. `mayChangeSettings`: all settings of the workspace. */
  readonly roles: readonly { readonly label: string; readonly mayChangeSettings: boolean }[]
}

/**
 * The platform's accounts. Errors of all methods: PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, OVERLOADED, DEADLINE_PASSED (10 s). No request
 * is retried, and none is aborted when a client leaves, because an attempt that reached the platform counts.
 */
export interface Identity {
  /**
   * Checks e-mail and password; returns a login token that is valid for 15 minutes. Errors: SIGN_IN_REFUSED (wrong password, unknown e-mail or
   * not a member, without saying which), WORKSPACE_NOT_SERVED (the platform has no such workspace), PLATFORM_REFUSED (the password is right,
   * but the platform requires more, such as a verified e-mail).
   */
  logIn(credentials: { readonly email: string; readonly password: string; readonly workspace: string }): Promise<string>
  /** Exchanges a login token for session tokens. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, PLATFORM_REFUSED (it requires a second factor). */
  exchange(request: { readonly loginToken: string; readonly workspace: string }): Promise<IssuedTokens>
  /**
   * Renews tokens with a refresh token, which is then replaced: the old one works for one more minute, and a later use revokes all of the
   * user's tokens on some versions. Errors: TOKEN_REFUSED.
   */
  renew(refreshToken: string): Promise<IssuedTokens>
  /** The member that the access token belongs to. Errors: TOKEN_REFUSED (expired, forged, another kind of token, or the member is gone). */
  profile(accessToken: string): Promise<Profile>
}
