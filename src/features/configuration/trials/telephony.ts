import type { Telephony } from '../../../ports/telephony.ts'
import { AppError } from '../../../kernel/errors.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { Check, ConnectionTest } from '../connection-test.ts'

/** Throws NOT_CONFIGURED where the section names no provider or lacks something. */
export type TelephonyOf = (section: TelephonySection) => Telephony

/** Signs in for access and reads today's missed calls with it: that shows address, account and key, and changes nothing. */
export function createTelephonyConnectionTest(telephonyOf: TelephonyOf): ConnectionTest<'telephony'> {
  return async (section) => [await tryAccess(section, telephonyOf), trySip(section), tryDispositions(section)]
}

async function tryAccess(section: TelephonySection, telephonyOf: TelephonyOf): Promise<Check> {
  const facts = { name: 'telephony.access', tried: 'Signed in at the telephony provider and read the missed calls of today' }
  try {
    const missed = await telephonyOf(section).missedCalls()
    return { ...facts, ok: true, found: `The provider answered (${missed.length} missed calls)`, advice: null }
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return { ...facts, ok: false, found: error.message, advice: adviceFor(error) }
  }
}

function adviceFor({ reason }: AppError): string {
  if (reason === 'NOT_CONFIGURED') return 'Choose a provider and fill in its address, account and key'
  if (reason === 'PROVIDER_REFUSED') return "Compare account, key and way of authentication with the provider's console"
  return 'Check the address; if it is right, try again in a minute'
}

function trySip({ sip, sipId }: TelephonySection): Check {
  const facts = { name: 'telephony.sip', tried: 'Looked whether browser phones know where to register' }
  if (sip.domain !== null) return { ...facts, ok: true, found: `wss://${sip.domain}:${sip.wsPort}`, advice: null }
  return {
    ...facts,
    ok: sipId === null,
    found: 'No SIP domain is set',
    advice: 'Set "sip.domain", or leave it where agents use no browser phone',
  }
}

function tryDispositions({ dispositions }: TelephonySection): Check {
  const found = dispositions.length === 0 ? 'Any outcome is let through to the provider' : `${dispositions.length} outcomes`
  return { name: 'telephony.dispositions', ok: true, tried: 'Counted the outcomes that agents may choose', found, advice: null }
}
