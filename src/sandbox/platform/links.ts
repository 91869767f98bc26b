import { badArguments } from './errors.ts'
import { isJsonObject, type JsonObject } from './json.ts'
import { filled, listOf } from './scalar-kinds.ts'

/** Links of version 2.21: those without an address are dropped with their label, the first that is left is the primary one. */
export function normalizeLinks({ primaryLinkUrl, primaryLinkLabel, secondaryLinks }: JsonObject): JsonObject {
  const given: JsonObject[] = [{ url: primaryLinkUrl, label: primaryLinkLabel }, ...listOf(secondaryLinks).filter(isJsonObject)]
  const [primary, ...others] = given.flatMap(({ url, label }) =>
    typeof url === 'string' && url !== '' ? [{ url: checkedUrl(url), label: label ?? null }] : [],
  )
  return { primaryLinkUrl: primary?.url ?? null, primaryLinkLabel: primary?.label ?? null, secondaryLinks: filled(others) }
}

const hostForm = /^(?:localhost|(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z0-9-]*[a-z0-9])$/

/** The scheme may be missing; any scheme but http and https is taken for a host, which then has no dot or an odd port. */
function checkedUrl(raw: string): string {
  const url = raw.trim()
  const absolute = /^https?:\/\//i.test(url) ? url : `https://${url}`
  if (url.startsWith('/') || !URL.canParse(absolute) || !hostForm.test(new URL(absolute).hostname)) {
    throw badArguments('INVALID_URL', 'The URL of the link is not valid', 'Invalid URL format.')
  }
  if (!URL.canParse(url)) return url
  const { origin, pathname, search, hash } = new URL(url)
  return `${origin}${pathname}${search}${hash}`.replace(/\/$/, '')
}
