import type { Clock } from './clock.ts'
import { modelKey, modelName, outboundAccounts, type SandboxWorkspace, sipPasswordOf, speechKey, telephonyAccounts } from './accounts.ts'
import { type ModelStandIn, startModels } from './models/models.ts'
import { type OutboundStandIn, startOutboundTelephony } from './outbound/outbound.ts'
import { type SpeechStandIn, startSpeech } from './speech/speech.ts'
import { sipDomain, type SipStandIn, startSip } from './sip/sip.ts'
import type { PortKeeper } from './stored-ports.ts'
import { startTelephony, type TelephonyStandIn } from './telephony/telephony.ts'

/** Which of a service's partners can be stand-ins. The second, outbound provider and the SIP server belong to telephony. */
export type Vendor = 'telephony' | 'models' | 'speech'

export type Vendors = {
  readonly telephony: TelephonyStandIn
  readonly outbound: OutboundStandIn
  /** Where the agents' phones register; the telephony stand-in's calls ring there. */
  readonly sip: SipStandIn
  /** Also serves the recordings of the telephony stand-in's calls. */
  readonly speech: SpeechStandIn
  readonly models: ModelStandIn
}

/** How long a number rings and talks that the service has dialled. */
const dialledCalls = { ringMs: 1_500, talkMs: 8_000 }

/** Starts the providers' stand-ins; `starting` closes them. */
export async function startVendors(
  { ports, clock }: { readonly ports: PortKeeper; readonly clock: Clock },
  starting: AsyncDisposableStack,
): Promise<Vendors> {
  const speech = starting.use(await ports.start('speech', (at) => startSpeech({ ...at, clock })))
  const sip = starting.use(await ports.start('sip', (at) => startSip({ ...at, passwordOf: sipPasswordOf })))
  const calls = { clock, phones: sip, recordingBaseUrl: `${speech.url}/recordings/`, dialledCalls }
  const telephony = starting.use(await ports.start('telephony', (at) => startTelephony({ ...at, ...calls })))
  const outbound = starting.use(await ports.start('outbound', (at) => startOutboundTelephony({ ...at, clock, dialledCalls })))
  const models = starting.use(await ports.start('models', (at) => startModels({ ...at, clock })))
  return { telephony, outbound, sip, speech, models }
}

type Environment = Readonly<Record<string, string>>

/** The settings of a service that uses these stand-ins, as the customer of this workspace. */
export function vendorEnvironment(
  { telephony, outbound, sip, speech, models }: Vendors,
  workspace: SandboxWorkspace,
): Readonly<Record<Vendor, Environment>> {
  const account = telephonyAccounts[workspace]
  const second = outboundAccounts[workspace]
  const [campaign] = account.campaigns
  return {
    telephony: {
      OZONETEL_API_URL: telephony.url,
      OZONETEL_EVENTS_URL: telephony.url,
      OZONETEL_ACCOUNT: account.userName,
      OZONETEL_API_KEY: account.apiKey,
      OZONETEL_DID: campaign.did,
      OZONETEL_CAMPAIGN_NAME: campaign.name,
      SIP_DOMAIN: sipDomain,
      SIP_WS_PORT: new URL(sip.url).port,
      CONSOLE_SIP_SERVERS: sip.url,
      EXOTEL_URL: outbound.url,
      EXOTEL_ACCOUNT: second.sid,
      EXOTEL_API_KEY: second.key,
      EXOTEL_API_TOKEN: second.token,
      EXOTEL_CALLER_ID: second.callerId,
      RECORDING_ORIGINS: speech.url,
    },
    models: {
      AI_PROVIDER: 'openai-compatible',
      AI_MODEL: modelName,
      OPENAI_COMPATIBLE_URL: `${models.url}/v1`,
      OPENAI_COMPATIBLE_API_KEY: modelKey,
    },
    speech: { DEEPGRAM_URL: speech.url, DEEPGRAM_API_KEY: speechKey },
  }
}

/** What the telephony account of the workspace knows, as an administrator would list it for the agents. */
export function choicesOfAccount(workspace: SandboxWorkspace): Readonly<Record<string, string>> {
  const { dispositions, pauseReasons } = telephonyAccounts[workspace]
  const choices = { OZONETEL_DISPOSITIONS: dispositions.join(','), OZONETEL_PAUSE_REASONS: pauseReasons.join(',') }
  return { ...choices, OZONETEL_WRAP_UP_SECONDS: '120' }
}
