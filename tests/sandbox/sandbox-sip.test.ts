import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { one, parseSip, type SipHeaders, type SipMessage, writeSip } from '../../src/sandbox/sip/message.ts'
import { type SipStandIn, startSip } from '../../src/sandbox/sip/sip.ts'
import { waitFor } from '../harness/wait-for.ts'

// The stand-in on its wire: it refuses what a SIP server refuses.
let sip: SipStandIn
let phone: WebSocket
beforeEach(async () => {
  sip = await startSip({ passwordOf: (extension) => (extension === '5231' ? 'secret' : null) })
  phone = new WebSocket(sip.url, 'sip')
  await once(phone, 'open')
})
afterEach(async () => {
  phone.terminate()
  await sip[Symbol.asyncDispose]()
})

const md5 = (text: string): string => createHash('md5').update(text).digest('hex')
let sequence = 0

type Changes = {
  readonly method?: string
  readonly user?: string
  readonly host?: string
  readonly more?: SipHeaders
  readonly without?: string
}

async function ask(changes: Changes = {}, from = phone): Promise<string> {
  const { method = 'REGISTER', user = '5231', host = '127.0.0.1', more = [], without } = changes
  sequence += 1
  const headers: SipHeaders = [
    ['Via', 'SIP/2.0/WS a.invalid;branch=z9hG4bKx'],
    ['Max-Forwards', '70'],
    ['From', `<sip:${user}@${host}>;tag=a`],
    ['To', `<sip:${user}@${host}>`],
    ['Call-ID', 'one'],
    ['CSeq', `${sequence} ${method}`],
    ['Contact', '<sip:a@a.invalid;transport=ws>;expires=120'],
    ...more,
  ]
  const answer = once(from, 'message')
  from.send(
    writeSip(
      `${method} sip:${host} SIP/2.0`,
      headers.filter(([name], index) => name !== without && headers.findLastIndex(([other]) => other === name) === index),
    ),
  )
  return String((await answer)[0])
}

type Proof = {
  readonly method?: string
  readonly user?: string
  readonly password?: string
  readonly realm?: string
  readonly nonce?: string
  readonly nc?: string
  readonly uri?: string
}

async function nonce(method: string): Promise<string> {
  return /nonce="([^"]+)"/.exec(await ask({ method }))?.[1] ?? ''
}

/** An Authorization header, or for a call a Proxy-Authorization header, right but for what is given. */
async function proof({
  method = 'REGISTER',
  user = '5231',
  password = 'secret',
  realm = '127.0.0.1',
  nc = '00000001',
  ...given
}: Proof = {}): Promise<SipHeaders> {
  const [value, uri] = [given.nonce ?? (await nonce(method)), given.uri ?? 'sip:127.0.0.1']
  const response = md5([md5(`${user}:${realm}:${password}`), value, nc, 'c', 'auth', md5(`${method}:${uri}`)].join(':'))
  const fields = `username="${user}", realm="${realm}", nonce="${value}", uri="${uri}", response="${response}"`
  const name = method === 'REGISTER' ? 'Authorization' : 'Proxy-Authorization'
  return [[name, `Digest ${fields}, algorithm=MD5, cnonce="c", qop=auth, nc=${nc}`]]
}

/** A call that rings at the phone; its INVITE, and how it ended. */
async function ring() {
  expect(first(await ask({ more: await proof() }))).toBe('SIP/2.0 200 OK')
  const [invited, ends]: [Promise<unknown[]>, string[]] = [once(phone, 'message'), []]
  const given = {
    from: '+919814012345',
    isAudible: () => false,
    onAnswer: () => ends.push('ANSWER'),
    onEnd: (why: string) => ends.push(why),
  }
  const call = sip.ring('5231', given)
  if (!call) throw new Error('it does not ring')
  return { call, ends, invite: parseSip(String((await invited)[0])) }
}

/** What a phone answers to an INVITE. */
function declined(invite: SipMessage, changes: Readonly<Record<string, string>> = {}): string {
  const headers: SipHeaders = ['via', 'from', 'to', 'call-id', 'cseq'].map((name) => [name, changes[name] ?? one(invite, name)])
  return writeSip(
    'SIP/2.0 486 Busy Here',
    headers.map(([name, value]) => [name, name === 'to' && !('to' in changes) ? `${value};tag=b` : value]),
  )
}

const first = (answer: string): string => answer.split('\r\n')[0] ?? ''

describe('the SIP stand-in', () => {
  test('registers who proves the password, says for how long, and unregisters', async () => {
    const answer = await ask({ more: await proof() })
    expect(first(answer)).toBe('SIP/2.0 200 OK')
    expect(answer).toContain('Contact: <sip:a@a.invalid;transport=ws>;expires=120')
    expect(sip.isRegistered('5231')).toBe(true)
    const gone = await ask({ more: [...(await proof()), ['Contact', '<sip:a@a.invalid;transport=ws>;expires=0']] })
    expect(first(gone)).toBe('SIP/2.0 200 OK')
    expect(sip.isRegistered('5231')).toBe(false)
  })

  test.each<[string, Proof, string]>([
    ['a wrong password', { password: 'guess' }, '403 Forbidden'],
    ['another realm', { realm: 'elsewhere' }, '401 Unauthorized'],
    ['an unknown nonce', { nonce: 'mine' }, '401 Unauthorized'],
    ['a nonce that is counted on', { nc: '00000002' }, '403 Forbidden'],
    ['the proof of another address', { uri: 'sip:127.0.0.2' }, '403 Forbidden'],
    ['another user', { user: '5232' }, '403 Forbidden'],
  ])('refuses %s', async (_what, changes, status) => {
    const answer = await ask({ more: await proof(changes) })
    expect(first(answer)).toBe(`SIP/2.0 ${status}`)
    expect(answer.includes('stale=true')).toBe('nonce' in changes)
    expect(sip.isRegistered('5231')).toBe(false)
  })

  test('a phone that unregisters takes no other with it', async () => {
    const at = (contact: string): SipHeaders => [
      ['Contact', `<sip:${contact}@a.invalid;transport=ws>;expires=${contact === 'left' ? 0 : 120}`],
    ]
    expect(first(await ask({ more: [...(await proof()), ...at('b')] }))).toBe('SIP/2.0 200 OK')
    expect(first(await ask({ more: [...(await proof()), ...at('left')] }))).toBe('SIP/2.0 200 OK')
    expect(sip.isRegistered('5231')).toBe(true)
    expect(first(await ask({ more: [...(await proof()), ['Contact', '<sip:b@a.invalid;transport=ws>;expires=0']] }))).toBe('SIP/2.0 200 OK')
    expect(sip.isRegistered('5231')).toBe(false)
  })

  test('takes a nonce once, and says that it is stale', async () => {
    const more = await proof()
    expect(first(await ask({ more }))).toBe('SIP/2.0 200 OK')
    expect(await ask({ more })).toContain('stale=true')
  })

  test.each<[string, Changes, string]>([
    ['no CSeq', { without: 'CSeq' }, '400 Missing cseq'],
    ['a CSeq of another method', { more: [['CSeq', '1 INVITE']] }, '400 CSeq has another method'],
    ['no tag of the sender', { more: [['From', '<sip:5231@127.0.0.1>']] }, '400 From has no tag'],
    ['no hop left', { more: [['Max-Forwards', '0']] }, '483 Too Many Hops'],
    ['another domain', { host: 'elsewhere.example' }, '404 Not Found'],
    ['a call without a registration', { method: 'INVITE' }, '403 Forbidden'],
  ])('refuses a request with %s', async (_what, changes, status) => {
    expect(first(await ask(changes))).toBe(`SIP/2.0 ${status}`)
  })

  test('refuses a short registration, a lower CSeq, a call by a phone, and a message of an unknown call', async () => {
    const brief: SipHeaders = [['Contact', '<sip:a@a.invalid>;expires=10']]
    expect(await ask({ more: [...(await proof()), ...brief] })).toContain('Min-Expires: 60')
    expect(first(await ask({ more: await proof() }))).toBe('SIP/2.0 200 OK')
    const lower = await ask({ more: [...(await proof()), ['CSeq', '1 REGISTER']] })
    expect(first(lower)).toBe('SIP/2.0 500 CSeq Is Not Higher')
    expect(first(await ask({ method: 'INVITE' }))).toBe('SIP/2.0 407 Proxy Authentication Required')
    const guess = await proof({ method: 'INVITE', realm: 'elsewhere' })
    expect(first(await ask({ method: 'INVITE', more: guess }))).toBe('SIP/2.0 407 Proxy Authentication Required')
    expect(first(await ask({ method: 'INVITE', more: await proof({ method: 'INVITE' }) }))).toBe('SIP/2.0 403 Forbidden')
    expect(first(await ask({ method: 'OPTIONS' }))).toBe('SIP/2.0 405 Method Not Allowed')
    expect(first(await ask({ method: 'BYE' }))).toBe('SIP/2.0 481 Call/Transaction Does Not Exist')
    expect(first(await ask({ method: 'SUBSCRIBE' }))).toBe('SIP/2.0 405 Method Not Allowed')
  })

  test('ends a call when the phone that rings is gone', async () => {
    const { call, ends } = await ring()
    phone.terminate()
    await waitFor(() => call.phase() === 'ended')
    expect(ends).toEqual(['LOST'])
    expect(sip.isRegistered('5231')).toBe(false)
  })

  test('offers no address: a phone that asks for one before its answer is read would end the call', async () => {
    const { invite } = await ring()
    expect(invite.body).toContain('m=audio')
    expect(invite.body).not.toContain('candidate')
  })

  test('takes an answer only from the phone that rings, to the request that it was sent', async () => {
    const { call, ends, invite } = await ring()
    const other = new WebSocket(sip.url, 'sip', { origin: 'http://localhost:4000' })
    await once(other, 'open')
    // On each connection the second message is answered after the first was taken.
    other.send(declined(invite))
    await ask({}, other)
    phone.send(declined(invite, { via: 'SIP/2.0/WS 127.0.0.1;branch=z9hG4bKmine' }))
    phone.send(declined(invite, { to: one(invite, 'to') }))
    await ask()
    expect({ phase: call.phase(), ends, faults: sip.faults }).toEqual({
      phase: 'ringing',
      ends: [],
      faults: ['SIP/2.0 486 Busy Here: To has no tag'],
    })
    phone.send(declined(invite))
    await waitFor(() => call.phase() === 'ended')
    expect(ends).toEqual(['PHONE'])
    other.terminate()
  })

  test.each<[string, WebSocket.ClientOptions & { readonly protocols: string[] }, string]>([
    ['without the protocol', { protocols: [] }, '400'],
    ['of a page of another site', { protocols: ['sip'], origin: 'https://example.com' }, '403'],
    ['of a page without an origin', { protocols: ['sip'], origin: 'null' }, '403'],
  ])('takes no web socket %s', async (_what, { protocols, ...options }, status) => {
    const other = new WebSocket(sip.url, protocols, options)
    expect(await once(other, 'error').then(([error]) => String(error))).toContain(status)
  })

  test('closes a web socket that sends something else', async () => {
    phone.send('GET / HTTP/1.1\r\n\r\n')
    expect(await once(phone, 'close').then(([code]) => Number(code))).toBe(1002)
  })
})
