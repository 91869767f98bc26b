/** What the phone looks at in a message from the server. `status`: null for a request. */
type SipText = { readonly method: string; readonly status: number | null; readonly callId: string; readonly sequence: string }

export function readSip(message: string): SipText {
  const [first = '', ...lines] = message.split('\r\n')
  const header = (...names: readonly string[]): string => {
    const line = lines.find((one) => names.includes(one.slice(0, one.indexOf(':')).trim().toLowerCase())) ?? ''
    return line.slice(line.indexOf(':') + 1).trim()
  }
  const [method = '', code = ''] = first.split(' ')
  const status = method === 'SIP/2.0' ? Number(code) : null
  return { method, status, callId: header('call-id', 'i'), sequence: header('cseq') }
}

/** Whether the server has heard that a call is over: true if it answers the BYE, false if it refuses it. Null: the message says neither. */
export function confirmsBye(message: string): boolean | null {
  const { status, sequence } = readSip(message)
  if (status === null || !sequence.endsWith(' BYE')) return null
  // JsSIP proves who it is, and asks again.
  return status < 200 || status === 401 || status === 407 ? null : status < 300
}
