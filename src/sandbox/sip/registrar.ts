import type { WebSocket } from 'ws'
import { createDigest, proxyAsks } from './digest.ts'
import { addressOf, contactOf, one, sequenceOf, type SipMessage, type SipReply, targetOf } from './message.ts'

export type RegisteredPhone = { readonly socket: WebSocket; readonly contact: string }
type Binding = RegisteredPhone & { readonly expiresAt: number; readonly callId: string; readonly sequence: number }

/** Registrations in seconds: shorter ones are refused, longer ones shortened. */
const minSeconds = 60
const maxSeconds = 120

export type Registrar = {
  /** Null if no phone is registered, or its registration has run out. */
  find(user: string): RegisteredPhone | null
  register(socket: WebSocket, request: SipMessage): SipReply
  /** The refusal of a call that a phone asks for; null if it proves who it is. */
  refuseCall(request: SipMessage): SipReply | null
  /** The connection is gone, and with it the phone. */
  leave(socket: WebSocket): void
}

/** Where the phones of the extensions are: the last one that registered (RFC 3261, section 10). */
export function createRegistrar(domain: string, passwordOf: (user: string) => string | null): Registrar {
  const digest = createDigest(domain, passwordOf)
  const bindings = new Map<string, Binding>()
  const find = (user: string): Binding | null => {
    const binding = bindings.get(user)
    return binding && binding.expiresAt > Date.now() ? binding : null
  }
  return {
    find,
    refuseCall: (request) => digest.refusal(request, proxyAsks),
    register(socket, request) {
      const to = addressOf(one(request, 'to'))
      if (addressOf(targetOf(request)).host !== domain || to.host !== domain) return { status: '404 Not Found' }
      const refusal = digest.refusal(request)
      if (refusal) return refusal
      if (addressOf(one(request, 'from')).user !== to.user) return { status: '403 Forbidden' }
      const [known, callId, sequence] = [find(to.user), one(request, 'call-id'), sequenceOf(request)]
      if (known?.callId === callId && sequence <= known.sequence) return { status: '500 CSeq Is Not Higher' }
      const header = one(request, 'contact')
      const seconds = secondsOf(request, header)
      if (header === '') return { status: '200 OK', headers: known ? [contactHeader(known.contact, known.expiresAt - Date.now())] : [] }
      const contact = contactOf(header)
      if (seconds === 0) {
        // A phone that leaves takes no other with it.
        if (header.trim() === '*' || known?.contact === contact) bindings.delete(to.user)
        return { status: '200 OK' }
      }
      if (contact === undefined) return { status: '400 Bad Contact' }
      if (!(seconds >= minSeconds)) return { status: '423 Interval Too Brief', headers: [['Min-Expires', String(minSeconds)]] }
      const expiresInMs = Math.min(seconds, maxSeconds) * 1_000
      bindings.set(to.user, { socket, contact, callId, sequence, expiresAt: Date.now() + expiresInMs })
      return { status: '200 OK', headers: [contactHeader(contact, expiresInMs)] }
    },
    leave(socket) {
      for (const [user, binding] of bindings) if (binding.socket === socket) bindings.delete(user)
    },
  }
}

function secondsOf(request: SipMessage, contact: string): number {
  const asked = /;expires=(\d+)/.exec(contact)?.[1] ?? one(request, 'expires')
  return asked === '' ? maxSeconds : Number(asked)
}

function contactHeader(contact: string, expiresInMs: number): readonly [string, string] {
  return ['Contact', `<${contact}>;expires=${Math.ceil(expiresInMs / 1_000)}`]
}
