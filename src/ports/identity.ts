/** A token of the platform and when it ends (ISO 8601, UTC). */
export type IssuedToken = { readonly token: string; readonly expiresAt: string }
export type IssuedTokens = { readonly accessToken: IssuedToken; readonly refreshToken: IssuedToken }

/** What the platform says of the person behind an access token. */
export type Profile = {
  readonly userId: string
  readonly email: string
  readonly firstName: string
  readonly lastName: string
  readonly memberId: string
  readonly workspace: { readonly id: string; readonly subdomain: string }
  /** Labels of the member's roles, as free text. */
  readonly roles: readonly string[]
}

/**
 * The platform as the keeper of accounts. Errors of all methods: PROVIDER_UNAVAILABLE, PROVIDER_ANSWER_INVALID, OVERLOADED,
 * DEADLINE_PASSED (10 s). None is sent twice by itself, and none ends early when a client leaves: a try that reached the platform counts.
 */
export interface Identity {
  /**
   * Proves e-mail and password; answers a login token that lives 15 minutes. Errors: SIGN_IN_REFUSED (wrong password, unknown e-mail,
   * not a member: never told apart), WORKSPACE_NOT_SERVED (the platform knows no such workspace), PLATFORM_REFUSED (the password is
   * right, but the platform asks for more, such as a verified e-mail).
   */
  logIn(credentials: { readonly email: string; readonly password: string; readonly workspace: string }): Promise<string>
  /** Login token to session tokens. Errors: TOKEN_REFUSED, WORKSPACE_NOT_SERVED, PLATFORM_REFUSED (a second factor is due). */
  exchange(request: { readonly loginToken: string; readonly workspace: string }): Promise<IssuedTokens>
  /**
   * Renews by a refresh token, which ROTATES: the old one works for one more minute, and using it later revokes all of the user's
   * tokens on some versions. Errors: TOKEN_REFUSED.
   */
  renew(refreshToken: string): Promise<IssuedTokens>
  /** Who the access token belongs to. Errors: TOKEN_REFUSED (expired, forged, of another kind, of a member who is gone). */
  profile(accessToken: string): Promise<Profile>
}
