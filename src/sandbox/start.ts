import { readFile, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { type Clock, systemClock } from './clock.ts'
import { modelKey, modelName, outboundAccounts, type SandboxWorkspace, speechKey, telephonyAccounts } from './accounts.ts'
import { sendCallbacksTo } from './register-webhooks.ts'
import { type ModelStandIn, startModels } from './models/models.ts'
import { type OutboundStandIn, startOutboundTelephony } from './outbound/outbound.ts'
import { type PlatformStandIn, startPlatform } from './platform/platform.ts'
import { sandboxPassword, sandboxWorkspaces } from './platform/seed.ts'
import { type SpeechStandIn, startSpeech } from './speech/speech.ts'
import type { StandIn } from './stand-in.ts'
import { startTelephony, type TelephonyStandIn } from './telephony/telephony.ts'

const portsSchema = z.object({ platform: z.int(), telephony: z.int(), outbound: z.int(), speech: z.int(), models: z.int() })
type Ports = z.output<typeof portsSchema>

export type StandIns = {
  readonly platform: PlatformStandIn
  readonly telephony: TelephonyStandIn
  readonly outbound: OutboundStandIn
  readonly speech: SpeechStandIn
  readonly models: ModelStandIn
}

/** The platform and every provider, played on loopback ports. */
export type Sandbox = AsyncDisposable & {
  readonly standIns: StandIns
  /** The customer whose widget is shown. */
  readonly demoWorkspace: SandboxWorkspace
  /** What the environment says of that customer's hospital. */
  readonly hospital: Readonly<Record<string, string>>
  /** The settings of a service that talks to it, as seen by the customer of this workspace. */
  environmentOf(workspace: SandboxWorkspace): Readonly<Record<string, string>>
  /** What a person wants to know, as a text for the terminal. */
  describe(): string
  /** Registers this service's webhooks at the telephony stand-in, as its managers would. Returns a message to print. Never rejects. */
  callBack(serviceUrl: string): Promise<string>
}

/** How long a number rings and talks that the service has dialled. */
const dialledCalls = { ringMs: 1_500, talkMs: 8_000 }

/** Starts the stand-ins. Their ports are stored in the data directory, because stored configuration and records contain them. */
export async function startSandbox({
  dataDir,
  clock = systemClock,
  hasFreshPlatform = false,
}: {
  /** The directory that stores the platform's records and the ports. Null: nothing is stored. */
  readonly dataDir: string | null
  readonly clock?: Clock
  /** Whether the platform is as just installed: roles Admin, Member and Guest, no custom objects, no records. */
  readonly hasFreshPlatform?: boolean
}): Promise<Sandbox> {
  if (dataDir !== null) await mkdir(dataDir, { recursive: true, mode: 0o700 })
  const portsFile = dataDir === null ? null : join(dataDir, 'sandbox-ports.json')
  const known = portsFile === null ? null : await readPorts(portsFile)
  const at = (name: keyof Ports): { clock: Clock; port?: number } => (known ? { clock, port: known[name] } : { clock })

  await using starting = new AsyncDisposableStack()
  const speech = starting.use(await claimed(startSpeech(at('speech')), portsFile))
  const platformFile = dataDir === null ? null : join(dataDir, 'sandbox-platform.sqlite')
  const recordingBaseUrl = speech.url
  const ofPlatform = { dataFile: platformFile, recordingBaseUrl, isFresh: hasFreshPlatform }
  const platform = starting.use(await claimed(startPlatform({ ...at('platform'), ...ofPlatform }), portsFile))
  const telephony = starting.use(
    await claimed(
      startTelephony({
        ...at('telephony'),
        recordingBaseUrl: `${recordingBaseUrl}/recordings/`,
        dialledCalls,
      }),
      portsFile,
    ),
  )
  const outbound = starting.use(await claimed(startOutboundTelephony({ ...at('outbound'), dialledCalls }), portsFile))
  const models = starting.use(await claimed(startModels(at('models')), portsFile))
  const standIns: StandIns = { platform, telephony, outbound, speech, models }
  if (portsFile !== null && !known) await writeFile(portsFile, JSON.stringify(portsOf(standIns)), { mode: 0o600 })
  const running = starting.move()

  return {
    standIns,
    demoWorkspace: 'demo',
    hospital: { HOSPITAL_NAME: 'Lakeside Hospital', WIDGET_ENABLED: 'on' },
    environmentOf: (workspace) => environmentOf(standIns, workspace),
    describe: () => describe(standIns),
    callBack: (serviceUrl) => callBack(serviceUrl, telephony),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

async function readPorts(file: string): Promise<Ports | null> {
  try {
    return portsSchema.parse(JSON.parse(await readFile(file, 'utf8')))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

async function claimed<T extends StandIn>(starting: Promise<T>, portsFile: string | null): Promise<T> {
  try {
    return await starting
  } catch (cause) {
    if (!(cause instanceof Error && 'code' in cause && cause.code === 'EADDRINUSE')) throw cause
    throw new Error(`A port that the sandbox used before is taken (${cause.message}). Is it running already? Else delete ${portsFile}.`, {
      cause,
    })
  }
}

function portsOf(standIns: StandIns): Ports {
  const port = ({ url }: StandIn): number => Number(new URL(url).port)
  const { platform, telephony, outbound, speech, models } = standIns
  return { platform: port(platform), telephony: port(telephony), outbound: port(outbound), speech: port(speech), models: port(models) }
}

function environmentOf({ platform, telephony, outbound, speech, models }: StandIns, workspace: SandboxWorkspace): Record<string, string> {
  const account = telephonyAccounts[workspace]
  const second = outboundAccounts[workspace]
  const [campaign] = account.campaigns
  return {
    PLATFORM_URL: platform.url,
    PLATFORM_WORKSPACE_URL: platform.workspaceUrl,
    WORKSPACES: sandboxWorkspaces.join(','),
    SEED_WORKSPACE: workspace,
    PLATFORM_API_KEY: platform.apiKeyOf(workspace),
    OZONETEL_API_URL: telephony.url,
    OZONETEL_EVENTS_URL: telephony.url,
    OZONETEL_ACCOUNT: account.userName,
    OZONETEL_API_KEY: account.apiKey,
    OZONETEL_DID: campaign.did,
    OZONETEL_CAMPAIGN_NAME: campaign.name,
    SIP_DOMAIN: 'sip.sandbox.example',
    EXOTEL_URL: outbound.url,
    EXOTEL_ACCOUNT: second.sid,
    EXOTEL_API_KEY: second.key,
    EXOTEL_API_TOKEN: second.token,
    EXOTEL_CALLER_ID: second.callerId,
    DEEPGRAM_URL: speech.url,
    DEEPGRAM_API_KEY: speechKey,
    RECORDING_ORIGINS: speech.url,
    AI_PROVIDER: 'openai-compatible',
    AI_MODEL: modelName,
    OPENAI_COMPATIBLE_URL: `${models.url}/v1`,
    OPENAI_COMPATIBLE_API_KEY: modelKey,
  }
}

async function callBack(serviceUrl: string, telephony: TelephonyStandIn): Promise<string> {
  try {
    await sendCallbacksTo(serviceUrl, telephony)
    return 'The telephony stand-in calls back: a call dialled here is answered after 1.5 s and ends 8 s later.'
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `The telephony stand-in calls nobody back, so that calls stay RINGING: ${why}. Have the managers the password of the table?`
  }
}

function describe(standIns: StandIns): string {
  const addresses = Object.values(standIns).map(({ name, url }) => `  ${name.padEnd(10)} ${url}`)
  const signIns = sandboxWorkspaces.map(
    (workspace) =>
      `  ${workspace.padEnd(10)} manager@${workspace}.example   agent1@ .. agent3@${workspace}.example   user@${workspace}.example (no agent record)`,
  )
  return [
    'SANDBOX: no PLATFORM_URL is set, so the platform and every provider are stand-ins on this machine. Nothing here is real.',
    '',
    'Stand-ins',
    ...addresses,
    '',
    `Workspaces and sign-ins (password: ${sandboxPassword})`,
    ...signIns,
  ].join('\n')
}
