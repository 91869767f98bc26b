import { createHash, randomUUID } from 'node:crypto'
import { addressOf, methodOf, one, type SipMessage, type SipReply, targetOf } from './message.ts'

/** A nonce is good for one request, and for so long. */
const nonceMs = 30_000
const maxNonces = 10_000

type Asking = { readonly status: string; readonly header: string; readonly proof: string }
const registrarAsks: Asking = { status: '401 Unauthorized', header: 'WWW-Authenticate', proof: 'authorization' }
/** For a request that goes on to somebody else: a call. */
export const proxyAsks: Asking = {
  status: '407 Proxy Authentication Required',
  header: 'Proxy-Authenticate',
  proof: 'proxy-authorization',
}

/** Digest authentication (RFC 3261, section 22; RFC 2617 with qop "auth" and MD5, as phones know it). `passwordOf`: null for an unknown user. */
export function createDigest(realm: string, passwordOf: (user: string) => string | null) {
  const nonces = new Map<string, number>()
  const challenge = (by: Asking, isStale: boolean): SipReply => {
    for (const [nonce, at] of nonces) if (nonces.size > maxNonces || at < Date.now() - nonceMs) nonces.delete(nonce)
    const nonce = randomUUID()
    nonces.set(nonce, Date.now())
    const stale = isStale ? ', stale=true' : ''
    const value = `Digest realm="${realm}", nonce="${nonce}", qop="auth", algorithm=MD5${stale}`
    return { status: by.status, headers: [[by.header, value]] }
  }
  return {
    /** The refusal of a request; null if it proves who sent it. */
    refusal(request: SipMessage, by: Asking = registrarAsks): SipReply | null {
      const given = parametersOf(one(request, by.proof))
      if (given === null || given.get('realm') !== realm) return challenge(by, false)
      const nonce = given.get('nonce') ?? ''
      const begunAt = nonces.get(nonce)
      nonces.delete(nonce)
      if (begunAt === undefined || begunAt < Date.now() - nonceMs) return challenge(by, true)
      const { user } = addressOf(one(request, 'from'))
      const password = passwordOf(user)
      const isProven = password !== null && given.get('username') === user && isProof(request, given, `${user}:${realm}:${password}`)
      return isProven ? null : { status: '403 Forbidden' }
    },
  }
}

function isProof(request: SipMessage, given: ReadonlyMap<string, string>, account: string): boolean {
  const [uri, nc, cnonce] = [given.get('uri') ?? '', given.get('nc') ?? '', given.get('cnonce') ?? '']
  if (uri !== targetOf(request) || given.get('qop') !== 'auth' || nc !== '00000001' || cnonce === '') return false
  if ((given.get('algorithm') ?? 'MD5') !== 'MD5') return false
  const second = md5(`${methodOf(request)}:${uri}`)
  return given.get('response') === md5([md5(account), given.get('nonce'), nc, cnonce, 'auth', second].join(':'))
}

function parametersOf(authorization: string): ReadonlyMap<string, string> | null {
  if (!authorization.startsWith('Digest ')) return null
  const pairs = authorization.matchAll(/(\w+)=(?:"([^"]*)"|([^\s,"]+))/g)
  return new Map(Array.from(pairs, ([, name = '', quoted, bare]) => [name, quoted ?? bare ?? '']))
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
