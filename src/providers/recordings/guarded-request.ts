import { type Dispatcher, request } from 'undici'
import type { AddressGuard } from '../../kernel/address-guard.ts'
import { AppError, invalidInput } from '../../kernel/errors.ts'
import { transportError } from '../../kernel/http-client.ts'

export type GuardedRequest = {
  readonly url: string
  readonly range: string | undefined
  /** Allowed hosts: `media.example.com`, or `*.example.com` for its subdomains. Empty: any. */
  readonly hosts: readonly string[]
  readonly signal: AbortSignal
}
export type GuardedAnswer = Dispatcher.ResponseData & { readonly url: string }

const who = 'The server with the recording'
const field = 'recordingUrl'
const maxRedirects = 5
const redirects = new Set([301, 302, 303, 307, 308])

/**
 * Requests an untrusted address: each hop is checked against the list of hosts and by the guard, and connects only through the guard. Sends
 * no credentials and no cookies. Throws INVALID_INPUT for an address that is not allowed, else like `transportError`.
 */
export async function requestGuarded(guard: AddressGuard, asked: GuardedRequest): Promise<GuardedAnswer> {
  let url = asked.url
  for (let hop = 0; hop <= maxRedirects; hop += 1) {
    await assertAllowed(guard, url, asked.hosts)
    const answer = await ask(guard, url, asked)
    const location = redirects.has(answer.statusCode) ? answer.headers['location'] : undefined
    if (typeof location !== 'string') return { ...answer, url }
    answer.body.on('error', () => {}).destroy()
    url = nextAddress(url, location)
  }
  throw invalidInput(field, `redirects more than ${maxRedirects} times`)
}

/** A recording of a patient that is offered encrypted must not be fetched in clear. */
function nextAddress(from: string, location: string): string {
  if (!URL.canParse(location, from)) throw invalidInput(field, 'redirects to an invalid address')
  const { href, protocol } = new URL(location, from)
  if (protocol === 'http:' && new URL(from).protocol === 'https:') throw invalidInput(field, 'redirects from https to http')
  return href
}

async function assertAllowed(guard: AddressGuard, url: string, hosts: readonly string[]): Promise<void> {
  if (!URL.canParse(url)) throw invalidInput(field, 'must be an address')
  if (hosts.length > 0 && !hosts.some((host) => covers(host, new URL(url).hostname))) {
    throw invalidInput(field, "is not among the workspace's recording hosts")
  }
  const fault = await guard.faultOf(url)
  if (fault !== null) throw invalidInput(field, fault)
}

function covers(listed: string, hostname: string): boolean {
  const host = hostname.toLowerCase().replace(/\.$/, '')
  return listed.startsWith('*.') ? host.endsWith(listed.slice(1).toLowerCase()) : host === listed.toLowerCase()
}

async function ask(guard: AddressGuard, url: string, { range, signal }: GuardedRequest): Promise<Dispatcher.ResponseData> {
  const headers = { accept: 'audio/*, */*;q=0.1', ...(range === undefined ? {} : { range }) }
  try {
    return await request(url, { method: 'GET', headers, dispatcher: guard.dispatcher, signal })
  } catch (error) {
    const refused = error instanceof AppError ? error : error instanceof Error && error.cause instanceof AppError ? error.cause : null
    throw refused?.reason === 'INVALID_INPUT' ? invalidInput(field, 'is not a public address') : transportError(error, { who, signal })
  }
}
