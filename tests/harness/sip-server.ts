import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:https'
import { type WebSocket, WebSocketServer } from 'ws'
import { one, parseSip, replySip, type SipMessage, tagOf, writeSip } from './sip-message.ts'

/** The other side of a call: its session descriptions. */
export type SipMedia = { offer(): Promise<string>; accept(sdp: string): Promise<void>; answer(sdp: string): Promise<string> }

export type SipCall = {
  /** How far it is: `ringing`, `talking`, `ended`. */
  readonly phase: () => 'ringing' | 'talking' | 'ended'
  /** Tones that the phone sent. */
  readonly tones: readonly string[]
  /** How often the phone offered its audio anew: re-INVITE, or INVITE with Replaces. */
  readonly offers: () => number
  hangUp(): void
}

/** A strict stand-in for a SIP server over WebSocket (RFC 7118): registrations with digest authentication, and calls. */
export type SipServer = AsyncDisposable & {
  readonly port: number
  /** What a message did wrong. */
  readonly faults: readonly string[]
  isRegistered(user: string): boolean
  ring(user: string, from: string, media: SipMedia): Promise<SipCall>
  /** Every connection breaks off, and none is taken until `mend`. */
  cut(): void
  mend(): void
  /** Whether it puts a phone into the place of another (RFC 3891). */
  supportsReplaces: boolean
}

type Dialog = {
  readonly user: string
  readonly media: SipMedia
  readonly ownTag: string
  readonly own: string
  readonly tones: string[]
  phoneTag: string
  phase: 'ringing' | 'talking' | 'ended'
  offers: number
  cseq: number
  id: string
}

export async function startSipServer(
  tls: { readonly key: Buffer; readonly cert: Buffer },
  passwordOf: (user: string) => string,
): Promise<SipServer> {
  const http = createServer(tls)
  const sockets = new WebSocketServer({ server: http, handleProtocols: (offered) => (offered.has('sip') ? 'sip' : false) })
  const parts = new SipParts(passwordOf)
  let isCut = false
  sockets.on('connection', (socket) => {
    if (isCut) return socket.terminate()
    socket.on('message', (data: Buffer) => parts.receive(socket, data.toString()))
    socket.on('close', () => parts.leave(socket))
  })
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve))
  const address = http.address()
  if (address === null || typeof address === 'string') throw new Error('the SIP server has no port')
  const { port } = address
  const server: SipServer = {
    port,
    faults: parts.faults,
    isRegistered: (user) => parts.phones.has(user),
    ring: (user, from, media) => parts.ring(user, from, media),
    cut() {
      isCut = true
      for (const socket of sockets.clients) socket.terminate()
    },
    mend: () => void (isCut = false),
    get supportsReplaces() {
      return parts.supportsReplaces
    },
    set supportsReplaces(value) {
      parts.supportsReplaces = value
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets.clients) socket.terminate()
      await new Promise((resolve) => sockets.close(resolve))
      await new Promise((resolve) => http.close(resolve))
    },
  }
  return server
}

class SipParts {
  readonly faults: string[] = []
  readonly phones = new Map<string, { readonly socket: WebSocket; readonly contact: string }>()
  readonly #passwordOf: (user: string) => string
  readonly #nonces = new Set<string>()
  readonly #dialogs = new Set<Dialog>()
  supportsReplaces = true

  constructor(passwordOf: (user: string) => string) {
    this.#passwordOf = passwordOf
  }

  receive(socket: WebSocket, text: string): void {
    if (text.trim() === '') return
    try {
      const message = parseSip(text)
      if (message.first.startsWith('SIP/2.0 ')) this.#answered(socket, message)
      else void this.#requested(socket, message).catch((error: unknown) => this.faults.push(String(error)))
    } catch (error) {
      this.faults.push(String(error))
      socket.close(1002)
    }
  }

  leave(socket: WebSocket): void {
    for (const [user, phone] of this.phones) if (phone.socket === socket) this.phones.delete(user)
  }

  async ring(user: string, from: string, media: SipMedia): Promise<SipCall> {
    const phone = this.phones.get(user)
    if (!phone) throw new Error(`${user} is not registered`)
    const [callId, ownTag] = [randomUUID(), randomUUID()]
    const own = `<sip:${from}@sip.example>;tag=${ownTag}`
    const dialog: Dialog = { user, media, ownTag, own, tones: [], phoneTag: '', phase: 'ringing', offers: 0, cseq: 1, id: callId }
    this.#dialogs.add(dialog)
    phone.socket.send(this.#request('INVITE', dialog, await media.offer()))
    return {
      phase: () => dialog.phase,
      tones: dialog.tones,
      offers: () => dialog.offers,
      hangUp: () => {
        dialog.cseq += 1
        dialog.phase = 'ended'
        this.phones.get(user)?.socket.send(this.#request('BYE', dialog))
      },
    }
  }

  #request(method: string, { user, id, own, phoneTag, cseq }: Dialog, body = ''): string {
    const target = this.phones.get(user)?.contact ?? `sip:${user}@sip.example`
    return writeSip(
      `${method} ${target} SIP/2.0`,
      [
        ['Via', `SIP/2.0/WSS sip.example;branch=z9hG4bK${randomUUID()}`],
        ['Max-Forwards', '70'],
        ['From', own],
        ['To', `<sip:${user}@sip.example>${phoneTag === '' ? '' : `;tag=${phoneTag}`}`],
        ['Call-ID', id],
        ['CSeq', `${cseq} ${method}`],
        ['Contact', '<sip:server@sip.example;transport=ws>'],
      ],
      body,
    )
  }

  #answered(socket: WebSocket, message: SipMessage): void {
    const dialog = this.#dialogOf(message)
    if (!dialog || !one(message, 'cseq').endsWith(' INVITE')) return
    const code = Number(message.first.split(' ')[1])
    if (code < 200) return
    dialog.phoneTag = tagOf(one(message, 'to'))
    socket.send(this.#request('ACK', dialog))
    if (code >= 300) dialog.phase = 'ended'
    else if (dialog.phase === 'ringing') {
      dialog.phase = 'talking'
      void dialog.media.accept(message.body).catch((error: unknown) => this.faults.push(String(error)))
    }
  }

  async #requested(socket: WebSocket, message: SipMessage): Promise<void> {
    const method = message.first.split(' ')[0]
    const tag = randomUUID()
    const reply = (status: string, more: Partial<Parameters<typeof replySip>[2]> = {}): void =>
      socket.send(replySip(message, status, { tag, ...more }))
    if (method === 'ACK') return
    if (method === 'REGISTER') return reply(...this.#register(socket, message))
    if (method === 'INVITE') return this.#invited(message, reply)
    const dialog = this.#dialogOf(message)
    if (!dialog || tagOf(one(message, 'to')) !== dialog.ownTag) return reply('481 Call/Transaction Does Not Exist')
    if (method === 'BYE') dialog.phase = 'ended'
    if (method === 'INFO') dialog.tones.push(/Signal=\s*(\S+)/.exec(message.body)?.[1] ?? '')
    reply('200 OK')
  }

  #register(socket: WebSocket, message: SipMessage): [string, { headers: (readonly [string, string])[] }] {
    const user = /sip:([^@]+)@/.exec(one(message, 'to'))?.[1] ?? ''
    const given = one(message, 'authorization')
    const field = (name: string): string => new RegExp(`[ ,]${name}="?([^",]*)`).exec(given)?.[1] ?? ''
    if (!this.#nonces.has(field('nonce'))) {
      const nonce = randomUUID()
      this.#nonces.add(nonce)
      return [
        '401 Unauthorized',
        { headers: [['WWW-Authenticate', `Digest realm="sip.example", nonce="${nonce}", qop="auth", algorithm=MD5`]] },
      ]
    }
    this.#nonces.delete(field('nonce'))
    const ha1 = md5(`${user}:sip.example:${this.#passwordOf(user)}`)
    const ha2 = md5(`REGISTER:${field('uri')}`)
    const expected = md5([ha1, field('nonce'), field('nc'), field('cnonce'), field('qop'), ha2].join(':'))
    if (field('username') !== user || field('response') !== expected) return ['403 Forbidden', { headers: [] }]
    const contact = one(message, 'contact')
    const uri = /<([^>]+)>/.exec(contact)?.[1] ?? ''
    if (/expires=0/.test(contact)) this.phones.delete(user)
    else this.phones.set(user, { socket, contact: uri })
    return ['200 OK', { headers: [['Contact', `${contact.replace(/;expires=\d+/, '')};expires=120`]] }]
  }

  /** A new offer within a call, or from a phone that takes the place of another. */
  async #invited(message: SipMessage, reply: (status: string, more?: Partial<Parameters<typeof replySip>[2]>) => void): Promise<void> {
    const inside = this.#dialogOf(message)
    const dialog = inside ?? this.#replaced(message)
    if (one(message, 'require').includes('replaces') && !this.supportsReplaces) {
      return reply('420 Bad Extension', { headers: [['Unsupported', 'replaces']] })
    }
    if (!dialog || dialog.phase !== 'talking') return reply('481 Call/Transaction Does Not Exist')
    const body = await dialog.media.answer(message.body)
    dialog.offers += 1
    if (!inside) Object.assign(dialog, { id: one(message, 'call-id'), phoneTag: tagOf(one(message, 'from')) })
    reply('200 OK', { tag: dialog.ownTag, headers: [['Contact', '<sip:server@sip.example;transport=ws>']], body })
  }

  #replaced(message: SipMessage): Dialog | undefined {
    const [callId, ...tags] = one(message, 'replaces').split(';')
    return [...this.#dialogs].find(
      ({ id, ownTag, phoneTag }) => id === callId && tags.includes(`to-tag=${ownTag}`) && tags.includes(`from-tag=${phoneTag}`),
    )
  }

  #dialogOf(message: SipMessage): Dialog | undefined {
    return [...this.#dialogs].find(({ id }) => id === one(message, 'call-id'))
  }
}

function md5(text: string): string {
  return createHash('md5').update(text).digest('hex')
}
