import { AppError } from '../../../kernel/errors.ts'
import { sipSocketUrl, type TelephonySection } from '../../../ports/configuration/telephony.ts'
import { adviceIfUntested, type Check, type ConnectionTestPorts } from '../connection-test.ts'

type TelephonyTestPorts = Pick<ConnectionTestPorts, 'telephonyFor'>

/** Signs in to the provider and reads today's missed calls. It tests address, account and key, and changes nothing. */
export async function testTelephonyConnection(ports: TelephonyTestPorts, section: TelephonySection): Promise<readonly Check[]> {
  return [await checkAccess(ports, section), checkSip(section), checkDispositions(section)]
}

async function checkAccess({ telephonyFor }: TelephonyTestPorts, section: TelephonySection): Promise<Check> {
  const facts = { name: 'telephony.access', tried: "Signed in to the telephony provider and read today's missed calls" }
  try {
    const missed = await telephonyFor(section).missedCalls()
    return { ...facts, ok: true, found: `The provider answered (${missed.length} missed calls)`, advice: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, ok: false, found: error.message, advice: adviceFor(error) }
  }
}

function adviceFor(error: AppError): string {
  const { reason } = error
  if (reason === 'NOT_CONFIGURED') return 'Choose a provider and fill in its address, account and key'
  if (reason === 'PROVIDER_REFUSED') return "Compare account, key and authentication method with the provider's console"
  return adviceIfUntested(error, 'the provider') ?? 'Check the address; the log has the code of the provider'
}

function checkSip({ sip, sipId }: TelephonySection): Check {
  const facts = { name: 'telephony.sip', tried: 'Checked whether browser phones have a SIP server' }
  const url = sipSocketUrl(sip)
  if (url !== null) return { ...facts, ok: true, found: url, advice: null }
  return {
    ...facts,
    ok: sipId === null,
    found: 'No SIP domain is set',
    advice: 'Set "sip.domain", or leave it empty if agents use no browser phone',
  }
}

function checkDispositions({ dispositions }: TelephonySection): Check {
  const found = dispositions.length === 0 ? 'Every disposition is passed to the provider' : `${dispositions.length} dispositions`
  return { name: 'telephony.dispositions', ok: true, tried: 'Counted the dispositions that agents may choose', found, advice: null }
}
