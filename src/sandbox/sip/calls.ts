import type { Customer, CustomerLink } from './customer.ts'
import type { WebSocket } from 'ws'
import { type Dialog, isNext, isOf, isReplacedBy, newBranch, newDialog, type PhoneCall } from './dialog.ts'
import {
  branchOf,
  contactOf,
  methodOf,
  one,
  sequenceOf,
  type SipHeaders,
  type SipMessage,
  type SipReply,
  tagOf,
  writeSip,
} from './message.ts'
import type { Registrar } from './registrar.ts'

export type SipCall = {
  readonly phase: () => 'ringing' | 'talking' | 'ended'
  /** Tones that the phone sent. */
  readonly tones: readonly string[]
  /** How often the phone offered its audio again: re-INVITE, or INVITE with Replaces. */
  readonly offers: () => number
  /** How many packets of sound have come from the phone. */
  readonly received: () => number
  /** Stops the ringing: the agent took the call on another phone. Nothing if it does not ring. */
  cancel(): void
  /** The customer, or the provider, ends it. */
  hangUp(): void
}

const supported: SipHeaders = [
  ['Allow', 'INVITE, ACK, BYE, CANCEL, INFO, REGISTER'],
  ['Supported', 'replaces, outbound'],
]

type Desk = {
  readonly domain: string
  readonly registrar: Registrar
  readonly openCustomer: (link: CustomerLink) => Customer
  readonly customerPatienceMs: () => number
  readonly onFault: (error: unknown) => void
  readonly dialogs: Set<Dialog>
}

/** The calls to the phones (RFC 3261, with INFO for tones, and Replaces of RFC 3891). */
export function createCalls(parts: Omit<Desk, 'dialogs'>) {
  const desk: Desk = { ...parts, dialogs: new Set() }
  return {
    /** Null if no phone is there. */
    ring(user: string, call: PhoneCall): SipCall | null {
      const phone = parts.registrar.find(user)
      return phone && ring(desk, { user, phone, call })
    },
    /** A response to a request of ours. Only that to the INVITE changes anything. */
    respond: (socket: WebSocket, message: SipMessage) => respond(desk, socket, message),
    /** A request within a call, or of a phone that takes the place of another. Null: it has no answer. */
    request: (socket: WebSocket, request: SipMessage, supportsReplaces: boolean) => requested(desk, { socket, request }, supportsReplaces),
    /** Whether it is a phone in a call of the extension, also if another one is registered by now. */
    isInCall: (socket: WebSocket, user: string) =>
      desk.dialogs.values().some(({ phone, ...of }) => phone.socket === socket && of.user === user),
    /** The connection is gone: what rings there is lost. A phone in a call may come back. */
    leave: (socket: WebSocket) => [...desk.dialogs].filter(({ phone }) => phone.socket === socket).forEach((dialog) => leave(desk, dialog)),
    close: () => [...desk.dialogs].forEach((dialog) => close(desk, dialog)),
  }
}

function ring(desk: Desk, callee: Pick<Dialog, 'user' | 'phone' | 'call'>): SipCall {
  const customer = desk.openCustomer({
    isAudible: callee.call.isAudible,
    onLost: () => lose(desk, dialog),
    patienceMs: desk.customerPatienceMs,
  })
  const dialog = newDialog({ ...callee, customer, domain: desk.domain })
  desk.dialogs.add(dialog)
  const invite = async (): Promise<void> => {
    const body = await customer.offer()
    if (dialog.phase !== 'preparing') return
    dialog.phase = 'ringing'
    send(desk, dialog, { method: 'INVITE', branch: dialog.branch, body })
  }
  void invite().catch(desk.onFault)
  return {
    phase: () => (dialog.phase === 'preparing' ? 'ringing' : dialog.phase),
    tones: dialog.tones,
    offers: () => dialog.offers,
    received: () => customer.received(),
    cancel: () => cancel(desk, dialog),
    hangUp: () => hangUp(desk, dialog),
  }
}

function respond(desk: Desk, socket: WebSocket, message: SipMessage): void {
  // As RFC 3261, section 17.1.3, and from the phone that was asked.
  const dialog = [...desk.dialogs].find(({ branch, phone }) => branch === branchOf(message) && phone.socket === socket)
  const code = Number(message.first.split(' ')[1])
  if (!dialog || !one(message, 'cseq').endsWith(' INVITE') || code < 200) return
  dialog.phoneTag = tagOf(one(message, 'to'))
  send(desk, dialog, { method: 'ACK', ...(code >= 300 && { branch: dialog.branch }) })
  if (code >= 300) {
    const isOwn = dialog.phase === 'ended'
    close(desk, dialog)
    if (!isOwn) dialog.call.onEnd('PHONE')
  } else if (dialog.phase === 'ringing') {
    dialog.phase = 'talking'
    accept(desk, dialog, message.body)
  } else if (dialog.phase === 'ended') {
    // It was answered while the CANCEL was on its way.
    dialog.phase = 'talking'
    hangUp(desk, dialog)
  }
}

type Asked = { readonly socket: WebSocket; readonly request: SipMessage }

async function requested(desk: Desk, { socket, request }: Asked, supportsReplaces: boolean): Promise<SipReply | null> {
  const method = methodOf(request)
  if (method === 'ACK') return null
  // A request within a call has the tag of both sides. Any other call has to prove who asks.
  const refusal = method === 'INVITE' && tagOf(one(request, 'to')) === '' ? desk.registrar.refuseCall(request) : null
  if (refusal) return refusal
  const asks = one(request, 'require')
  if (asks !== '' && !(asks === 'replaces' && supportsReplaces)) return { status: '420 Bad Extension', headers: [['Unsupported', asks]] }
  const dialog = [...desk.dialogs].find(({ id, ...tags }) => id === one(request, 'call-id') && isOf(tags, request))
  if (method === 'INVITE') return invited(desk, { socket, request }, dialog)
  if (!dialog) return { status: '481 Call/Transaction Does Not Exist' }
  if (!isNext(dialog, request)) return { status: '500 CSeq Is Not Higher' }
  if (method === 'INFO') dialog.tones.push(/Signal=\s*(\S+)/.exec(request.body)?.[1] ?? '')
  if (method === 'BYE') {
    close(desk, dialog)
    dialog.call.onEnd('PHONE')
  }
  return { status: '200 OK' }
}

/** A new offer within a call, or from a phone that takes the place of another. */
async function invited(desk: Desk, { socket, request }: Asked, inside: Dialog | undefined): Promise<SipReply> {
  const dialog = inside ?? [...desk.dialogs].find((candidate) => isReplacedBy(candidate, request))
  if (!dialog || dialog.phase !== 'talking') {
    // Agents' phones place no calls: the provider dials.
    return one(request, 'replaces') === '' && !inside ? { status: '403 Forbidden' } : { status: '481 Call/Transaction Does Not Exist' }
  }
  if (inside && !isNext(inside, request)) return { status: '500 CSeq Is Not Higher' }
  const body = await dialog.customer.answer(request.body).catch((error: unknown) => desk.onFault(error))
  if (body === undefined) return { status: '488 Not Acceptable Here' }
  dialog.offers += 1
  const begun = { id: one(request, 'call-id'), phoneTag: tagOf(one(request, 'from')), phoneSequence: sequenceOf(request) }
  if (!inside) Object.assign(dialog, begun)
  // Where its messages go from now on (RFC 3261, section 12.2.2).
  dialog.phone = { socket, contact: contactOf(one(request, 'contact')) ?? dialog.phone.contact }
  return { status: '200 OK', tag: dialog.ownTag, headers: [ownContact(desk.domain), ...supported], body }
}

function send({ domain, registrar }: Desk, dialog: Dialog, { method, branch = newBranch(), body = '' }: Sent): void {
  // After a change of the network it is only registered, until it offers its audio again.
  const phone = dialog.phone.socket.readyState === dialog.phone.socket.OPEN ? dialog.phone : registrar.find(dialog.user)
  const to = `<sip:${dialog.user}@${domain}>${dialog.phoneTag === '' ? '' : `;tag=${dialog.phoneTag}`}`
  const headers: SipHeaders = [
    ['Via', `SIP/2.0/WS ${domain};branch=${branch}`],
    ['Max-Forwards', '70'],
    ['From', dialog.own],
    ['To', to],
    ['Call-ID', dialog.id],
    ['CSeq', `${method === 'BYE' ? 2 : 1} ${method}`],
    ownContact(domain),
    ...supported,
  ]
  phone?.socket.send(writeSip(`${method} ${phone.contact} SIP/2.0`, headers, body))
}

type Sent = { readonly method: 'INVITE' | 'ACK' | 'CANCEL' | 'BYE'; readonly branch?: string; readonly body?: string }

function ownContact(domain: string): readonly [string, string] {
  return ['Contact', `<sip:server@${domain};transport=ws>`]
}

function accept(desk: Desk, dialog: Dialog, sdp: string): void {
  try {
    dialog.customer.accept(sdp)
    dialog.call.onAnswer()
  } catch (error) {
    desk.onFault(error)
    lose(desk, dialog)
  }
}

function close({ dialogs }: Desk, dialog: Dialog): void {
  dialog.phase = 'ended'
  dialog.customer[Symbol.dispose]()
  dialogs.delete(dialog)
}

function cancel(desk: Desk, dialog: Dialog): void {
  if (dialog.phase === 'preparing') return close(desk, dialog)
  if (dialog.phase !== 'ringing') return
  send(desk, dialog, { method: 'CANCEL', branch: dialog.branch })
  // The phone answers the INVITE with 487: until then the dialog is there for the ACK.
  dialog.phase = 'ended'
}

function hangUp(desk: Desk, dialog: Dialog): void {
  if (dialog.phase !== 'talking') return cancel(desk, dialog)
  send(desk, dialog, { method: 'BYE' })
  close(desk, dialog)
}

function leave(desk: Desk, dialog: Dialog): void {
  if (dialog.phase === 'talking') return
  const isOwn = dialog.phase === 'ended'
  close(desk, dialog)
  if (!isOwn) dialog.call.onEnd('LOST')
}

function lose(desk: Desk, dialog: Dialog): void {
  if (dialog.phase !== 'talking') return
  hangUp(desk, dialog)
  dialog.call.onEnd('LOST')
}
