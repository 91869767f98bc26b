import { AppError } from '../../../kernel/errors.ts'
import { tryWebSocket } from '../../../kernel/try-web-socket.ts'
import { sipSocketUrl, type TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { Check, ConnectionTestPorts } from '../connection-test.ts'

/** Opens the web socket with which browser phones register. It does not register: the service has no extension of its own. */
export async function checkSip(
  { sipServers: { allowed, dispatcher } }: Pick<ConnectionTestPorts, 'sipServers'>,
  { sip, sipId }: TelephonySection,
  signal: AbortSignal,
): Promise<Check> {
  const name = 'telephony.sip'
  const url = sipSocketUrl(sip)
  if (url === null) {
    return {
      name,
      tried: 'Checked whether browser phones have a SIP server',
      ok: sipId === null,
      found: 'No SIP domain is set',
      advice: 'Set "sip.domain", or leave it empty if agents use no browser phone',
    }
  }
  const facts = { name, tried: `Checked the web socket of the SIP server, ${url}` }
  if (!isAllowed(url, allowed)) {
    const found = 'The pages of the console may not connect there: CONSOLE_SIP_SERVERS does not name this address'
    return { ...facts, ok: false, found, advice: `Ask an operator to add ${new URL(url).origin} to it, or correct the address` }
  }
  try {
    await tryWebSocket(url, { protocol: 'sip', signal, dispatcher })
    const found = 'It opens and takes SIP. An extension and its password show at the first sign-in of the agent'
    return { ...facts, ok: true, found, advice: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, ...failureOf(error) }
  }
}

function failureOf({ reason, message }: AppError): Pick<Check, 'ok' | 'unchecked' | 'found' | 'advice'> {
  // The browsers of the agents connect, and they may be in that network.
  if (reason === 'INVALID_INPUT') {
    const found = `Not checked: ${message}, and the service connects to no other. Phones in the same network may reach it`
    return { ok: true, unchecked: true, found, advice: 'Sign an agent in: the desk says within seconds whether the phone is registered' }
  }
  return { ok: false, found: message, advice: 'Compare "sip.domain", "sip.wsPort" and "sip.wsPath" with what the provider gave you' }
}

/** By the content security policy of the console's pages: without a list, any web socket with a certificate. */
function isAllowed(url: string, servers: readonly string[] | null): boolean {
  const { origin, protocol } = new URL(url)
  return servers === null ? protocol === 'wss:' : servers.some((server) => new URL(server).origin === origin)
}
