/**
 * Which origins are meant: an exact one (`https://desk.example.com:8443`), all subdomains of a name (`https://*.example.com`), or any port
 * of a host (`http://localhost:*`).
 */
export type OriginPattern = string

/** Whether a text is such a pattern, written as a browser writes origins: small letters, no path, no default port. */
export function isOriginPattern(text: string): boolean {
  const example = exampleOf(text)
  // All of a top-level domain would be strangers.
  const isNamed = !text.includes('//*.') || partsOf(text).name.includes('.')
  return /^https?:\/\//.test(text) && isNamed && !example.includes('*') && isOrigin(example)
}

/** Whether a text is one origin, written as browsers write it. The header may also have `null`, a path, or two of them. */
export function isOrigin(text: string): boolean {
  return URL.canParse(text) && new URL(text).origin === text
}

/** Whether an origin, as a browser sends it, fits a pattern. */
export function fitsOrigin(origin: string, pattern: OriginPattern): boolean {
  if (origin === pattern) return true
  if (!isOrigin(origin)) return false
  const [wanted, given] = [partsOf(pattern), partsOf(origin)]
  const hasPort = wanted.port === '*' || wanted.port === given.port
  return hasPort && (wanted.start.endsWith('//*.') ? isSubdomain(given, wanted) : given.start + given.name === wanted.start + wanted.name)
}

type Parts = { readonly start: string; readonly name: string; readonly port: string }

/** `https://*.example.com:8443` is `https://*.`, `example.com` and `8443`. */
function partsOf(origin: string): Parts {
  const end = /:(\d+|\*)$/.exec(origin)
  const address = origin.slice(0, end?.index ?? origin.length)
  const start = /^\w+:\/\/(?:\*\.)?/.exec(address)?.[0] ?? ''
  return { start, name: address.slice(start.length), port: end?.[1] ?? '' }
}

function isSubdomain(given: Parts, wanted: Parts): boolean {
  return `${given.start}*.` === wanted.start && given.name.endsWith(`.${wanted.name}`)
}

function exampleOf(pattern: string): string {
  return pattern.replace('//*.', '//any.').replace(/:\*$/, ':8080')
}
