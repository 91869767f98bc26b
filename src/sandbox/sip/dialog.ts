import { randomUUID } from 'node:crypto'
import type { Customer } from './customer.ts'
import { addressOf, one, sequenceOf, type SipMessage, tagOf } from './message.ts'
import type { RegisteredPhone } from './registrar.ts'

/** What the provider does with a call that rings at an agent's phone. */
export type PhoneCall = {
  /** The number that the phone shows. */
  readonly from: string
  /** Whether customer and agent hear each other. */
  readonly isAudible: () => boolean
  readonly onAnswer: () => void
  /** The agent declined, or hung up; or the phone is lost. Not for an end that the provider asked for. */
  readonly onEnd: (why: 'PHONE' | 'LOST') => void
}

/** A call between the provider's server and an agent's phone (RFC 3261, section 12). */
export type Dialog = {
  readonly user: string
  /** Where it rings, then the one that has the call. */
  phone: RegisteredPhone
  readonly own: string
  readonly ownTag: string
  readonly branch: string
  readonly call: PhoneCall
  readonly customer: Customer
  readonly tones: string[]
  id: string
  phoneTag: string
  phase: 'preparing' | 'ringing' | 'talking' | 'ended'
  offers: number
  phoneSequence: number
}

export function newDialog({
  domain,
  ...parts
}: Pick<Dialog, 'user' | 'phone' | 'call' | 'customer'> & { readonly domain: string }): Dialog {
  const [id, ownTag] = [randomUUID(), randomUUID()]
  const name = /^\+?[\w.-]+$/.test(parts.call.from) ? parts.call.from : 'anonymous'
  const own = `<sip:${name}@${domain}>;tag=${ownTag}`
  const begun = { phase: 'preparing', phoneTag: '', offers: 0, phoneSequence: 0 } as const
  return { ...parts, ...begun, tones: [], own, ownTag, branch: newBranch(), id }
}

export function newBranch(): string {
  return `z9hG4bK${randomUUID()}`
}

export function isOf({ ownTag, phoneTag, user }: Pick<Dialog, 'ownTag' | 'phoneTag' | 'user'>, request: SipMessage): boolean {
  const from = one(request, 'from')
  return tagOf(one(request, 'to')) === ownTag && tagOf(from) === phoneTag && addressOf(from).user === user
}

export function isNext(dialog: Dialog, request: SipMessage): boolean {
  const sequence = sequenceOf(request)
  if (sequence <= dialog.phoneSequence) return false
  dialog.phoneSequence = sequence
  return true
}

export function isReplacedBy({ id, ownTag, phoneTag, user }: Dialog, request: SipMessage): boolean {
  const [callId, ...tags] = one(request, 'replaces').split(';')
  const isSame = id === callId && tags.includes(`to-tag=${ownTag}`) && tags.includes(`from-tag=${phoneTag}`)
  return isSame && addressOf(one(request, 'from')).user === user
}
