/** A SIP message (RFC 3261); header names in lower case. `first`: the request or status line. */
export type SipMessage = { readonly first: string; readonly headers: ReadonlyMap<string, readonly string[]>; readonly body: string }

export type SipHeaders = readonly (readonly [name: string, value: string])[]

/** The answer to a request. `tag`: of the side that answers. */
export type SipReply = { readonly status: string; readonly tag?: string; readonly headers?: SipHeaders; readonly body?: string }

const compact: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
}

/** Throws for a text that is no SIP message. */
export function parseSip(text: string): SipMessage {
  const [head = '', ...bodies] = text.split('\r\n\r\n')
  const [first = '', ...lines] = head.split('\r\n')
  const headers = new Map<string, string[]>()
  for (const line of lines) {
    const [, name = '', value = ''] = /^([\w-]+)\s*:\s*(.*)$/.exec(line) ?? []
    if (name === '') throw new Error(`no header: ${line}`)
    const key = compact[name.toLowerCase()] ?? name.toLowerCase()
    headers.set(key, [...(headers.get(key) ?? []), value])
  }
  if (!isResponse({ first }) && !/^[A-Z]+ sips?:\S+ SIP\/2\.0$/.test(first)) throw new Error(`no request line: ${first}`)
  return { first, headers, body: bodies.join('\r\n\r\n') }
}

/** Why a server answers 400; null for a message that is as it must be. */
export function sipFault(message: SipMessage): string | null {
  const { headers, body } = message
  const needed = ['via', 'from', 'to', 'call-id', 'cseq', 'content-length', ...(isResponse(message) ? [] : ['max-forwards'])]
  const missing = needed.find((name) => !headers.has(name))
  if (missing !== undefined) return `Missing ${missing}`
  if (tagOf(one(message, 'from')) === '') return 'From has no tag'
  const needsTag = isResponse(message) && !message.first.startsWith('SIP/2.0 100')
  if (needsTag && tagOf(one(message, 'to')) === '') return 'To has no tag'
  if (Number(one(message, 'content-length')) !== Buffer.byteLength(body)) return 'Wrong Content-Length'
  const [, number, method] = /^(\d+) ([A-Z]+)$/.exec(one(message, 'cseq')) ?? []
  if (number === undefined || Number(number) >= 2 ** 31) return 'Bad CSeq'
  return isResponse(message) || method === methodOf(message) ? null : 'CSeq has another method'
}

export function isResponse({ first }: Pick<SipMessage, 'first'>): boolean {
  return first.startsWith('SIP/2.0 ')
}

export function methodOf({ first }: SipMessage): string {
  return first.split(' ')[0] ?? ''
}

/** The address that a request is sent to. */
export function targetOf({ first }: SipMessage): string {
  return first.split(' ')[1] ?? ''
}

export function sequenceOf(message: SipMessage): number {
  return Number.parseInt(one(message, 'cseq'), 10)
}

/** The only value of a header; empty if there is none. */
export function one({ headers }: SipMessage, name: string): string {
  return headers.get(name)?.[0] ?? ''
}

/** Names the request, in the response to it too. */
export function branchOf(message: SipMessage): string {
  return /;branch=([^;,\s]+)/.exec(one(message, 'via'))?.[1] ?? ''
}

export function tagOf(party: string): string {
  return /;tag=([^;>\s]+)/.exec(party)?.[1] ?? ''
}

/** User and host of an address such as `<sip:5231@example.com;transport=ws>`. */
export function addressOf(text: string): { readonly user: string; readonly host: string } {
  const [, user = '', host = ''] = /sips?:(?:([^@>;]+)@)?([^:;>\s]+)/.exec(text) ?? []
  return { user, host }
}

/** The address in a Contact header; undefined if it has none. */
export function contactOf(header: string): string | undefined {
  return /<([^>]+)>/.exec(header)?.[1]
}

export function writeSip(first: string, headers: SipHeaders, body = ''): string {
  const typed = body === '' ? headers : [...headers, ['Content-Type', 'application/sdp'] as const]
  const lines = [...typed, ['Content-Length', String(Buffer.byteLength(body))] as const].map(([name, value]) => `${name}: ${value}`)
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`
}

export function writeReply(request: SipMessage, { status, tag = '', headers = [], body = '' }: SipReply): string {
  const to = one(request, 'to')
  const copied = [
    ...(request.headers.get('via') ?? []).map((via) => ['Via', via] as const),
    ['From', one(request, 'from')] as const,
    ['To', tagOf(to) === '' && tag !== '' ? `${to};tag=${tag}` : to] as const,
    ['Call-ID', one(request, 'call-id')] as const,
    ['CSeq', one(request, 'cseq')] as const,
  ]
  return writeSip(`SIP/2.0 ${status}`, [...copied.filter(([, value]) => value !== ''), ...headers], body)
}
