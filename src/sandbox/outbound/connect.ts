import { type OutboundAccount, outboundAccounts } from '../accounts.ts'
import type { StandInAnswer, StandInRequest } from '../stand-in.ts'
import type { ExotelCall } from './exotel-call.ts'

/** The account that a request's HTTP Basic credentials and path name; null if they are wrong. */
export function accountOf(request: StandInRequest, sid: string): OutboundAccount | null {
  const encoded = /^Basic (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? ''
  const credentials = Buffer.from(encoded, 'base64').toString()
  return Object.values(outboundAccounts).find((account) => account.sid === sid && credentials === `${account.key}:${account.token}`) ?? null
}

/** Errors in JSON, or in XML if the path does not end in `.json`. */
export function restException(status: number, fault: { message: string; code: string }, json = true): StandInAnswer {
  const body = { RestException: { Status: status, Message: fault.message, Code: fault.code } }
  return json ? { status, body } : { status, headers: { 'content-type': 'application/xml' }, body: xml('TwilioResponse', body) }
}

export function xml(name: string, value: unknown): string {
  if (typeof value !== 'object' || value === null) return `<${name}>${escaped(value)}</${name}>`
  return `<${name}>${Object.entries(value)
    .map(([key, part]) => xml(key, part))
    .join('')}</${name}>`
}

function escaped(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? String(value).replaceAll('&', '&amp;').replaceAll('<', '&lt;') : ''
}

export type ConnectRequest = Pick<ExotelCall, 'from' | 'to' | 'callerId' | 'customField' | 'recorded' | 'callback'>

/** Parses the form of `Calls/connect`. Returns a text with the error if it is invalid. */
export function connectRequest(form: URLSearchParams, account: OutboundAccount): ConnectRequest | string {
  const [from = '', to = '', callerId = ''] = ['From', 'To', 'CallerId'].map((name) => form.get(name)?.trim() ?? '')
  const missing = ['From', 'To', 'CallerId'].find((name) => (form.get(name)?.trim() ?? '') === '')
  if (missing !== undefined) return `Mandatory Parameter missing - ${missing}`
  if (![from, to].every((number) => /^(?:\+\d{8,15}|0\d{9,11})$/.test(number))) return 'Invalid phone number'
  if (callerId.replaceAll(/\D/g, '').slice(-10) !== account.callerId.slice(-10)) return 'CallerId is not one of your numbers'
  const customField = form.get('CustomField') ?? ''
  const url = form.get('StatusCallback')
  if (url !== null && !URL.canParse(url)) return 'StatusCallback is not a valid address'
  const events = [...form].flatMap(([name, value]) => (/^StatusCallbackEvents\[\d+\]$/.test(name) ? [value] : []))
  const invalid = [...form].find(([name, value]) => !isAllowed(name, value))
  if (invalid) return `Invalid value for ${invalid[0]}`
  const json = form.get('StatusCallbackContentType') === 'application/json'
  return { from, to, callerId, customField, recorded: form.get('Record') === 'true', callback: url === null ? null : { url, events, json } }
}

/** The values that the vendor documents for `Calls/connect`; a field that it does not document is refused. */
const allowedValues: Readonly<Record<string, RegExp>> = {
  From: /./,
  To: /./,
  CallerId: /./,
  CallType: /^(?:trans|promo)$/,
  TimeLimit: /^(?:\d{1,4}|1[0-3]\d{3}|14[0-3]\d{2}|14400)$/,
  TimeOut: /^\d{1,3}$/,
  Record: /^(?:true|false)$/,
  RecordingChannels: /^(?:single|dual)$/,
  RecordingFormat: /^(?:mp3|mp3-hq)$/,
  CustomField: /^[^]{0,128}$/,
  StatusCallback: /./,
  StatusCallbackEvents: /^(?:terminal|answered)$/,
  StatusCallbackContentType: /^(?:multipart\/form-data|application\/json)$/,
}

function isAllowed(name: string, value: string): boolean {
  return allowedValues[name.replace(/\[\d+\]$/, '')]?.test(value) ?? false
}
