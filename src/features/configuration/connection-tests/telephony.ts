import { isoMoment } from '../../../kernel/clock.ts'
import { AppError } from '../../../kernel/errors.ts'
import { toE164 } from '../../../kernel/phone.ts'
import type { TelephonySection } from '../../../ports/configuration/telephony.ts'
import type { CallUpdate } from '../../../ports/telephony-webhooks.ts'
import { adviceIfUntested, type Check, type ConnectionTestPorts } from '../connection-test.ts'
import { checkSip } from './sip.ts'

type TelephonyTestPorts = Pick<ConnectionTestPorts, 'telephonyFor' | 'sipServers' | 'clock'>

/**
 * Signs in to the provider, reads today's missed calls and the records of the last hours, and opens the web socket of the SIP server. It changes
 * nothing. What the provider's API cannot say is a check with `unchecked`.
 */
export async function testTelephonyConnection(
  ports: TelephonyTestPorts,
  section: TelephonySection,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const [access, sip] = await Promise.all([checkAccess(ports, section), checkSip(ports, section, signal)])
  const calls = access.ok ? await recentCalls(ports, section) : 'the sign-in at the provider failed'
  return [access, sip, ...checkNames(section, calls), checkChoices(section), ...checkDefaultAgent(section)]
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

const recentMs = 6 * 3_600_000
const dayMs = 86_400_000
/** The provider's days are India's, and a page of its records has one of them. */
const indiaAheadMs = 5.5 * 3_600_000

/** Six hours ago, or the start of today in India if that is later. */
function recentFrom(now: number): number {
  const today = Math.floor((now + indiaAheadMs) / dayMs) * dayMs - indiaAheadMs
  return Math.max(now - recentMs, today)
}

/** Records of the last hours; or why there are none, as the end of a sentence. */
async function recentCalls(ports: TelephonyTestPorts, section: TelephonySection): Promise<readonly CallUpdate[] | string> {
  const now = ports.clock.now()
  const telephony = ports.telephonyFor(section)
  if (!telephony.capabilities.has('CALL_RECORDS')) return 'the provider gives no records of calls'
  try {
    const times = { from: isoMoment(recentFrom(now)), to: isoMoment(now) }
    const { records, unreadable, next } = await telephony.callRecordPage({ ...times, after: null, forPerson: true })
    const mayBeMore = unreadable > 0 || next !== null
    return records.length === 0 && mayBeMore ? "the provider's records of recent calls could not all be read" : records
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    const seconds = error.data?.retryAfterSeconds
    return `the provider gave no records of calls now. ${seconds === undefined ? error.message : `Test again in ${seconds} s`}`
  }
}

/** A provider lists neither its campaigns nor its numbers: only a call that had them shows that they exist. */
function checkNames({ campaignName, did, defaultCountry }: TelephonySection, calls: readonly CallUpdate[] | string): readonly Check[] {
  const numberOf = (text: string): string => toE164(text, defaultCountry) ?? text
  return [
    checkInCalls(calls, {
      name: 'telephony.campaign',
      what: 'campaign',
      wanted: campaignName,
      unset: "None is set: each agent's own record names the campaign",
      mistake: 'With a wrong name, calls that agents dial are refused',
      has: ({ facts }) => facts.campaignName === campaignName,
    }),
    checkInCalls(calls, {
      name: 'telephony.number',
      what: 'phone number',
      wanted: did,
      unset: 'None is set',
      mistake: 'With a wrong number, people are shown or asked to call a number that is not yours',
      has: ({ facts }) => did !== null && typeof facts.did === 'string' && numberOf(facts.did) === numberOf(did),
    }),
  ]
}

type Named = {
  readonly name: string
  readonly what: string
  readonly wanted: string | null
  readonly unset: string
  readonly mistake: string
  readonly has: (call: CallUpdate) => boolean
}

function checkInCalls(calls: readonly CallUpdate[] | string, { name, what, wanted, unset, mistake, has }: Named): Check {
  const facts = { name, tried: `Looked for the ${what} in the provider's records of recent calls` }
  if (wanted === null) return { ...facts, ok: true, found: unset, advice: null }
  if (typeof calls === 'string') return { ...facts, ok: true, unchecked: true, found: `Not checked: ${calls}`, advice: null }
  const found = calls.filter(has).length
  if (found > 0) return { ...facts, ok: true, found: `${found} of ${calls.length} calls had ${wanted}`, advice: null }
  const seen = calls.length === 0 ? 'there are no recent calls yet' : `none of ${calls.length} recent calls had ${wanted}`
  return {
    ...facts,
    ok: true,
    unchecked: true,
    found: `Not checked: the provider lists no ${what}s, and ${seen}. ${mistake}`,
    advice: calls.length === 0 ? null : "Compare it with the provider's console, letter by letter",
  }
}

function checkChoices({ dispositions, notReadyReasons }: TelephonySection): Check {
  const facts = { name: 'telephony.dispositions', tried: 'Counted the outcomes and the not-ready reasons that agents may choose', ok: true }
  const isEmpty = dispositions.length + notReadyReasons.length === 0
  if (isEmpty) return { ...facts, found: 'No list is set: every name goes to the provider', advice: null }
  const found = `${dispositions.length} outcomes and ${notReadyReasons.length} reasons. Not checked: the provider lists neither, and refuses a wrong name when an agent chooses it`
  return { ...facts, unchecked: true, found, advice: null }
}

function checkDefaultAgent({ defaultAgentId }: TelephonySection): readonly Check[] {
  if (defaultAgentId === null) return []
  const found = `Not checked: a sign-in of ${defaultAgentId} could end a session that is going on. A wrong password shows when a member signs in`
  return [{ name: 'telephony.defaultAgent', tried: 'Read the default agent', ok: true, unchecked: true, found, advice: null }]
}
