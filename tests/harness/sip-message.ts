/** A SIP message (RFC 3261); header names in lower case. `first`: the request or status line. */
export type SipMessage = { readonly first: string; readonly headers: ReadonlyMap<string, readonly string[]>; readonly body: string }

const compact: Readonly<Record<string, string>> = {
  v: 'via',
  f: 'from',
  t: 'to',
  i: 'call-id',
  m: 'contact',
  l: 'content-length',
  c: 'content-type',
}

/** Throws for what is no SIP message, or lacks what each must have. */
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
  const message = { first, headers, body: bodies.join('\r\n\r\n') }
  const isRequest = !first.startsWith('SIP/2.0 ')
  if (isRequest && !/^[A-Z]+ sips?:\S+ SIP\/2\.0$/.test(first)) throw new Error(`no request line: ${first}`)
  const needed = ['via', 'from', 'to', 'call-id', 'cseq', 'content-length', ...(isRequest ? ['max-forwards'] : [])]
  for (const name of needed) if (!headers.has(name)) throw new Error(`${first} has no ${name}`)
  if (!/;tag=/.test(one(message, 'from'))) throw new Error(`${first}: From has no tag`)
  if (Number(one(message, 'content-length')) !== Buffer.byteLength(message.body)) throw new Error(`${first}: wrong Content-Length`)
  const method = one(message, 'cseq').split(' ')[1]
  if (isRequest && !first.startsWith(`${method} `)) throw new Error(`${first}: CSeq is of ${method}`)
  return message
}

/** The only value of a header; empty if there is none. */
export function one({ headers }: SipMessage, name: string): string {
  return headers.get(name)?.[0] ?? ''
}

export function tagOf(party: string): string {
  return /;tag=([^;>\s]+)/.exec(party)?.[1] ?? ''
}

export function writeSip(first: string, headers: readonly (readonly [string, string])[], body = ''): string {
  const typed = body === '' ? headers : [...headers, ['Content-Type', 'application/sdp'] as const]
  const lines = [...typed, ['Content-Length', String(Buffer.byteLength(body))] as const].map(([name, value]) => `${name}: ${value}`)
  return `${[first, ...lines].join('\r\n')}\r\n\r\n${body}`
}

/** The answer to a request. `tag`: of the side that answers. */
export function replySip(
  request: SipMessage,
  status: string,
  {
    tag,
    headers = [],
    body = '',
  }: { readonly tag: string; readonly headers?: readonly (readonly [string, string])[]; readonly body?: string },
): string {
  const to = one(request, 'to')
  const copied = [
    ...(request.headers.get('via') ?? []).map((via) => ['Via', via] as const),
    ['From', one(request, 'from')] as const,
    ['To', tagOf(to) === '' ? `${to};tag=${tag}` : to] as const,
    ['Call-ID', one(request, 'call-id')] as const,
    ['CSeq', one(request, 'cseq')] as const,
  ]
  return writeSip(`SIP/2.0 ${status}`, [...copied, ...headers], body)
}
