import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { WebSocket } from 'ws'
import { type SipHeaders, writeSip } from '../../src/sandbox/sip/message.ts'
import { type SipStandIn, startSip } from '../../src/sandbox/sip/sip.ts'

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

async function ask({ method = 'REGISTER', user = '5231', host = '127.0.0.1', more = [], without }: Changes = {}): Promise<string> {
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
  const answer = once(phone, 'message')
  phone.send(
    writeSip(
      `${method} sip:${host} SIP/2.0`,
      headers.filter(([name], index) => name !== without && headers.findLastIndex(([other]) => other === name) === index),
    ),
  )
  return String((await answer)[0])
}

type Proof = {
  readonly user?: string
  readonly password?: string
  readonly realm?: string
  readonly nonce?: string
  readonly nc?: string
  readonly uri?: string
}

async function nonce(): Promise<string> {
  return /nonce="([^"]+)"/.exec(await ask())?.[1] ?? ''
}

/** An Authorization header, right but for what is given. */
async function proof({
  user = '5231',
  password = 'secret',
  realm = '127.0.0.1',
  nc = '00000001',
  ...given
}: Proof = {}): Promise<SipHeaders> {
  const [value, uri] = [given.nonce ?? (await nonce()), given.uri ?? 'sip:127.0.0.1']
  const response = md5([md5(`${user}:${realm}:${password}`), value, nc, 'c', 'auth', md5(`REGISTER:${uri}`)].join(':'))
  const fields = `username="${user}", realm="${realm}", nonce="${value}", uri="${uri}", response="${response}"`
  return [['Authorization', `Digest ${fields}, algorithm=MD5, cnonce="c", qop=auth, nc=${nc}`]]
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

  test('takes a nonce once, and says that it is stale', async () => {
    const more = await proof()
    expect(first(await ask({ more }))).toBe('SIP/2.0 200 OK')
    expect(await ask({ more })).toContain('stale=true')
  })

  test.each<[string, Changes, string]>([
    ['no CSeq', { without: 'CSeq' }, '400 Missing cseq'],
    ['a CSeq of another method', { more: [['CSeq', '1 INVITE']] }, '400 CSeq has another method'],
    ['no tag of the sender', { more: [['From', '<sip:5231@127.0.0.1>']] }, '400 From has no tag'],
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
    expect(first(await ask({ method: 'INVITE' }))).toBe('SIP/2.0 403 Forbidden')
    expect(first(await ask({ method: 'BYE' }))).toBe('SIP/2.0 481 Call/Transaction Does Not Exist')
    expect(first(await ask({ method: 'SUBSCRIBE' }))).toBe('SIP/2.0 405 Method Not Allowed')
  })

  test('takes no web socket without the protocol, and closes one that sends something else', async () => {
    const other = new WebSocket(sip.url)
    expect(await once(other, 'error').then(([error]) => String(error))).toContain('401')
    phone.send('GET / HTTP/1.1\r\n\r\n')
    expect(await once(phone, 'close').then(([code]) => Number(code))).toBe(1002)
  })
})
