/** How a SIP server finds a call again (RFC 3891), and where the phone asks for it. */
type Confirmed = { readonly replaces: string; readonly target: string }

type SipMessage = {
  getHeader(name: string): string
  readonly from: SipParty
  readonly to: SipParty
}
type SipParty = { getParam(name: string): unknown; readonly uri: { toString(): string } }

/** The caller began the call: their tag is that of From. */
export function dialogOfAck(ack: SipMessage): Confirmed {
  const [own, theirs] = [String(ack.to.getParam('tag')), String(ack.from.getParam('tag'))]
  return { replaces: `${ack.getHeader('call-id')};to-tag=${theirs};from-tag=${own}`, target: String(ack.from.uri) }
}

/** This phone began it, to bring a call back. */
export function dialogOfResponse(response: SipMessage): Confirmed {
  const [own, theirs] = [String(response.from.getParam('tag')), String(response.to.getParam('tag'))]
  return { replaces: `${response.getHeader('call-id')};to-tag=${theirs};from-tag=${own}`, target: String(response.to.uri) }
}
