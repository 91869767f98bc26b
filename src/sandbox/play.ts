import { systemClock } from './clock.ts'
import { allAgents, sipPasswordOf, telephonyAccounts } from './accounts.ts'
import { sandboxPassword, sandboxWorkspaces } from './platform/seed.ts'
import { enterEndOfCallAddress } from './enter-end-of-call-address.ts'
import type { StandIn } from './stand-in.ts'
import { type Demo, platformEnvironment, type StandIns, startSandbox } from './start.ts'
import { openPortKeeper } from './stored-ports.ts'
import { choicesOfAccount, startVendors, type Vendor, vendorEnvironment, type Vendors } from './vendors.ts'

/** A partner of the service that can be a stand-in. */
export type Party = 'platform' | Vendor

type Environment = Readonly<Record<string, string>>

/** The chosen stand-ins, for a service that a person starts. */
export type Played = AsyncDisposable & {
  /** The settings of the service; then those of the platform's further customers, for their initial configuration. */
  readonly environments: readonly [Environment, ...Environment[]]
  /** The customer whose widget is shown; null if the platform is real. */
  readonly demo: Demo | null
  /** What a person wants to know, as a text for the terminal. */
  describe(): string
  /** Lets the telephony stand-in report ended calls to the service, if it can. Returns a message to print, or null. Never rejects. */
  callBack(serviceUrl: string): Promise<string | null>
}

/** Starts the chosen stand-ins. `dataDir` stores the platform's records and all ports. */
export function play(parties: readonly Party[], dataDir: string): Promise<Played> {
  return parties.includes('platform') ? playWithPlatform(parties, dataDir) : playVendors(parties, dataDir)
}

async function playWithPlatform(parties: readonly Party[], dataDir: string): Promise<Played> {
  const sandbox = await startSandbox({ dataDir })
  const { standIns, hospital, demo } = sandbox
  const environmentOf = (workspace: 'demo' | 'acme'): Environment => ({
    ...platformEnvironment(standIns.platform, workspace),
    ...chosen(parties, vendorEnvironment(standIns, workspace)),
  })
  return {
    environments: [{ ...environmentOf('demo'), ...choices(parties), ...hospital }, environmentOf('acme')],
    demo: parties.includes('telephony') ? demo : { ...demo, ring: null, freeAgents: [] },
    describe: () => [heading(parties), ...addressesOf(parties, standIns), '', ...signIns()].join('\n'),
    callBack: async (serviceUrl) => (parties.includes('telephony') ? registerWebhooks(serviceUrl, standIns) : null),
    [Symbol.asyncDispose]: () => sandbox[Symbol.asyncDispose](),
  }
}

async function playVendors(parties: readonly Party[], dataDir: string): Promise<Played> {
  await using starting = new AsyncDisposableStack()
  const ports = await openPortKeeper(dataDir)
  const vendors = await startVendors({ ports, clock: systemClock }, starting)
  await ports.store()
  const running = starting.move()
  return {
    environments: [{ ...chosen(parties, vendorEnvironment(vendors, 'demo')), ...choices(parties) }],
    demo: null,
    describe: () => [heading(parties), ...addressesOf(parties, vendors), ...(parties.includes('telephony') ? account() : [])].join('\n'),
    callBack: async () => null,
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function chosen(parties: readonly Party[], environments: Readonly<Record<Vendor, Environment>>): Environment {
  return Object.fromEntries(vendorNames.flatMap((vendor) => (parties.includes(vendor) ? Object.entries(environments[vendor]) : [])))
}

function choices(parties: readonly Party[]): Environment {
  return parties.includes('telephony') ? choicesOfAccount('demo') : {}
}

const vendorNames: readonly Vendor[] = ['telephony', 'models', 'speech']

function heading(parties: readonly Party[]): string {
  const isAll = parties.includes('platform') && vendorNames.every((vendor) => parties.includes(vendor))
  if (isAll)
    return 'SANDBOX: no PLATFORM_URL is set, so the platform and every provider are stand-ins on this machine. Nothing here is real.\n'
  return `SANDBOX: stand-ins on this machine play ${parties.join(', ')}; settings for these are ignored. Everything else is real.\n`
}

function addressesOf(parties: readonly Party[], standIns: Vendors & Partial<StandIns>): readonly string[] {
  const started: readonly (readonly [Party, Pick<StandIn, 'name' | 'url'> | undefined])[] = [
    ['platform', standIns.platform],
    ['telephony', standIns.telephony],
    ['telephony', standIns.outbound],
    ['telephony', standIns.sip],
    ['speech', standIns.speech],
    ['models', standIns.models],
  ]
  const lines = started.flatMap(([party, standIn]) =>
    standIn && parties.includes(party) ? [`  ${standIn.name.padEnd(10)} ${standIn.url}`] : [],
  )
  const hint = '  Calls do not ring in browsers: the optional package node-datachannel is not installed.'
  return ['Stand-ins', ...lines, ...(parties.includes('telephony') && !standIns.sip.hasSound ? [hint] : [])]
}

function signIns(): readonly string[] {
  const lines = sandboxWorkspaces.map(
    (workspace) =>
      `  ${workspace.padEnd(10)} manager@${workspace}.example   agent1@ .. agent3@${workspace}.example   user@${workspace}.example (no agent record)`,
  )
  return [`Workspaces and sign-ins (password: ${sandboxPassword})`, ...lines]
}

/** What the agents of a real platform need, to work with the telephony stand-in. */
function account(): readonly string[] {
  const { campaigns, dispositions } = telephonyAccounts.demo
  const [campaign] = campaigns
  return [
    '',
    `Agents at the telephony stand-in (campaign ${campaign.name}, number ${campaign.did})`,
    ...allAgents(telephonyAccounts.demo).map(
      ({ id, password, phoneNumber }) =>
        `  providerAgentId ${id}   providerAgentPassword ${password}   sipExtension ${phoneNumber}   sipPassword ${sipPasswordOf(phoneNumber)}`,
    ),
    `  dispositions: ${dispositions.join(', ')}`,
    '',
    'The service subscribes to live events by itself. Where the ends of calls are reported is entered once: see docs/platform.md.',
  ]
}

async function registerWebhooks(serviceUrl: string, { telephony }: StandIns): Promise<string> {
  try {
    await enterEndOfCallAddress(serviceUrl, telephony)
    return 'The telephony stand-in reports calls to the service: a call dialled here is answered after 1.5 s, and ends 8 s later unless a browser has it.'
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return `The telephony stand-in does not report the ends of calls, so that they have no recordings: ${why}. Have the managers the password of the table?`
  }
}
