import { z } from 'zod'

/** What a variable of the environment may hold. */
export const text = z.string().trim().min(1)
export const list = text.transform((value) =>
  value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
)
/** The partners of the service that stand-ins can play; outbound telephony belongs to telephony. */
export const sandboxParties = ['platform', 'telephony', 'models', 'speech'] as const
export type SandboxParty = (typeof sandboxParties)[number]
/** Names of stand-ins. */
export const parties = list.transform((names, context) => {
  const known = sandboxParties.filter((party) => names.includes(party))
  if (known.length === 0 || known.length !== new Set(names).size) {
    context.addIssue(`must name ${sandboxParties.join(', ')} or several of them, separated by commas`)
  }
  return known
})
/** Digits only: `1e3`, `0x10` and `5.0` are refused as mistakes. */
export const wholeNumber = (range: { min: number; max: number }) =>
  text
    .regex(/^-?\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .pipe(z.number().min(range.min).max(range.max))
/** The path of an endpoint, without a query. */
export const path = z.string().regex(/^(?:\/[\w.~%-]+)+\/?$/, 'must be a path such as /graphql')
export const dnsLabel = z
  .string()
  .regex(/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/, 'must be DNS labels (small letters, digits, hyphens), separated by commas')

/** Where to listen: `10.0.0.5:9464`, `[::1]:9464`. */
export const listenAddress = text.transform((value, context) => {
  const parsed = URL.canParse(`tcp://${value}`) ? new URL(`tcp://${value}`) : null
  const port = parsed?.port ?? ''
  if (parsed && port !== '' && parsed.href === `tcp://${value}`)
    return { host: parsed.hostname.replace(/^\[|\]$/g, ''), port: Number(port) }
  context.addIssue('must be host:port, such as 10.0.0.5:9464')
  return z.NEVER
})
