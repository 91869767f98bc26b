/**
 * On every response, as a flat list. `frame-ancestors` alone: a page has a policy of its own, which replaces this one, and nothing else is shown
 * as a page, because of `nosniff`. Strict-Transport-Security is for the TLS proxy, which knows whether the host has no plain HTTP.
 */
export const securityHeaders: readonly string[] = [
  'x-content-type-options',
  'nosniff',
  'content-security-policy',
  "frame-ancestors 'none'",
  'referrer-policy',
  'no-referrer',
]
