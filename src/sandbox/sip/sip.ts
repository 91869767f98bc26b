import { randomUUID } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import { isIPv4 } from 'node:net'
import { type VerifyClientCallbackAsync, type WebSocket, WebSocketServer } from 'ws'
import { createCalls, type SipCall } from './calls.ts'
import type { PhoneCall } from './dialog.ts'
import { loadCustomers } from './customer.ts'
import { addressOf, isResponse, methodOf, one, parseSip, sipFault, type SipMessage, type SipReply, writeReply } from './message.ts'
import { createRegistrar, type Registrar } from './registrar.ts'

/** The phones of the agents, as the telephony provider rings them. */
export type AgentPhones = {
  /** Null if no phone is registered for the extension. */
  ring(extension: string, call: PhoneCall): SipCall | null
}

/** A strict stand-in for a SIP server over WebSocket (RFC 7118): registrations with digest authentication, and calls with sound. */
export type SipStandIn = AsyncDisposable &
  AgentPhones & {
    readonly name: 'sip'
    /** `ws://`: browsers take no certificate of a stand-in, and allow a web socket without one on this machine. */
    readonly url: string
    /** False if the optional package for sound is missing: then no call rings at a phone. */
    readonly hasSound: boolean
    /** The calls so far; at most the last 100. */
    readonly calls: readonly SipCall[]
    /** What a message did wrong; at most the last 100. */
    readonly faults: readonly string[]
    isRegistered(user: string): boolean
    /** Its administrator gives the extension another password. */
    changePassword(extension: string, password: string): void
    /** Every connection breaks off, and none is taken until `mend`. */
    cut(): void
    mend(): void
    /** Whether it puts a phone into the place of another (RFC 3891). */
    supportsReplaces: boolean
    /** A call ends when nothing has come from its phone for so long. A phone that reloads, or changes its network, is back before. */
    customerPatienceMs: number
  }

/** The domain of its addresses, and the realm of its passwords. */
export const sipDomain = '127.0.0.1'
const maxStored = 100

/** `passwordOf`: null for an unknown extension. */
export async function startSip({
  port = 0,
  passwordOf,
}: {
  readonly port?: number
  readonly passwordOf: (extension: string) => string | null
}): Promise<SipStandIn> {
  const [faults, calls]: [string[], SipCall[]] = [[], []]
  const add = <Entry>(entries: Entry[], entry: Entry): void => void (entries.push(entry) > maxStored && entries.shift())
  const onFault = (error: unknown): void => add(faults, error instanceof Error ? error.message : String(error))
  const changed = new Map<string, string>()
  const registrar = createRegistrar(sipDomain, (user) => changed.get(user) ?? passwordOf(user))
  const openCustomer = await loadCustomers()
  const customerPatienceMs = (): number => standIn.customerPatienceMs
  const desk = openCustomer && createCalls({ domain: sipDomain, registrar, openCustomer, customerPatienceMs, onFault })
  const { http, sockets } = createSockets()
  let isCut = false
  const standIn: Omit<SipStandIn, 'url'> = {
    name: 'sip',
    hasSound: openCustomer !== null,
    calls,
    faults,
    supportsReplaces: true,
    customerPatienceMs: 15_000,
    isRegistered: (user) => registrar.find(user) !== null,
    changePassword: (extension, password) => void changed.set(extension, password),
    ring(extension, call) {
      const rung = desk?.ring(extension, call) ?? null
      if (rung) add(calls, rung)
      return rung
    },
    cut() {
      isCut = true
      for (const socket of sockets.clients) socket.terminate()
    },
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      desk?.close()
      await closeAll(sockets, http)
    },
  }
  const receive = createReceiver({ registrar, desk, onFault, supportsReplaces: () => standIn.supportsReplaces })
  sockets.on('connection', (socket) => {
    if (isCut) return socket.terminate()
    socket.on('error', onFault)
    socket.on('close', () => {
      registrar.leave(socket)
      desk?.leave(socket)
    })
    socket.on('message', (data: Buffer) => {
      receive(socket, data.toString()).catch((error: unknown) => {
        onFault(error)
        socket.close(1002)
      })
    })
  })
  await new Promise<void>((resolve, reject) => http.once('error', reject).listen(port, '127.0.0.1', resolve))
  const address = http.address()
  return Object.assign(standIn, { url: `ws://127.0.0.1:${typeof address === 'object' && address ? address.port : 0}` })
}

/** Web sockets of phones, in pages of this machine: others are refused. */
async function closeAll(sockets: WebSocketServer, http: Server): Promise<void> {
  for (const socket of sockets.clients) socket.terminate()
  await new Promise((resolve) => sockets.close(resolve))
  await new Promise((resolve) => http.close(resolve))
}

function createSockets() {
  const verifyClient: VerifyClientCallbackAsync = ({ req }, answer) => {
    const { origin } = req.headers
    if (!protocolsOf(req.headers).includes('sip')) answer(false, 400)
    else if (origin !== undefined && !isOwnMachine(origin)) answer(false, 403)
    else answer(true)
  }
  const http = createServer((_request, response) => response.writeHead(426, { upgrade: 'websocket' }).end())
  const sockets = new WebSocketServer({
    server: http,
    maxPayload: 65_536,
    verifyClient,
    handleProtocols: () => 'sip',
  })
  return { http, sockets }
}

/** Takes what a phone sends. Throws for a text that is no SIP message. */
function createReceiver({
  registrar,
  desk,
  onFault,
  supportsReplaces,
}: {
  readonly registrar: Registrar
  /** Null: without sound there are no calls. */
  readonly desk: ReturnType<typeof createCalls> | null
  readonly onFault: (error: unknown) => void
  readonly supportsReplaces: () => boolean
}) {
  const replyTo = async (socket: WebSocket, request: SipMessage): Promise<SipReply | null> => {
    const [method, fault] = [methodOf(request), sipFault(request)]
    if (fault !== null) onFault(`${request.first}: ${fault}`)
    if (fault !== null) return method === 'ACK' ? null : { status: `400 ${fault}` }
    if (one(request, 'max-forwards') === '0') return { status: '483 Too Many Hops' }
    if (method === 'REGISTER') return registrar.register(socket, request)
    // Who registered on this connection, or has a call on it, has proved who they are.
    const { user } = addressOf(one(request, 'from'))
    const isKnown = registrar.find(user)?.socket === socket || desk?.isInCall(socket, user) === true
    if (!isKnown) return method === 'ACK' ? null : { status: '403 Forbidden' }
    if (!['ACK', 'BYE', 'INFO', 'INVITE'].includes(method)) return { status: '405 Method Not Allowed' }
    return desk ? desk.request(socket, request, supportsReplaces()) : { status: '503 Service Unavailable' }
  }
  return async (socket: WebSocket, text: string): Promise<void> => {
    // Two line ends are a phone's question whether the server is there (RFC 5626).
    if (text.trim() === '') return socket.send('\r\n')
    const message = parseSip(text)
    if (isResponse(message)) {
      const fault = sipFault(message)
      return fault === null ? desk?.respond(socket, message) : onFault(`${message.first}: ${fault}`)
    }
    const reply = await replyTo(socket, message)
    if (reply) socket.send(writeReply(message, { tag: randomUUID(), ...reply }))
  }
}

/** A page of another site must not reach this machine's phones. */
function isOwnMachine(origin: string): boolean {
  const hostname = URL.parse(origin)?.hostname ?? ''
  return hostname === 'localhost' || hostname === '[::1]' || (isIPv4(hostname) && hostname.startsWith('127.'))
}

function protocolsOf(headers: NodeJS.Dict<string | string[]>): readonly string[] {
  return String(headers['sec-websocket-protocol'] ?? '')
    .split(',')
    .map((name) => name.trim())
}
