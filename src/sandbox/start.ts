import { join } from 'node:path'
import { type AlertReceiver, alertSecret, startAlertReceiver } from './alerts/alert-receiver.ts'
import { type Clock, systemClock } from './clock.ts'
import { allAgents, type SandboxWorkspace, sipPasswordOf, telephonyAccounts } from './accounts.ts'
import { type PlatformStandIn, startPlatform } from './platform/platform.ts'
import { sandboxPassword, sandboxWorkspaces } from './platform/seed.ts'
import { openPortKeeper } from './stored-ports.ts'
import { startVendors, vendorEnvironment, type Vendors } from './vendors.ts'

export type StandIns = Vendors & { readonly platform: PlatformStandIn; readonly alerts: AlertReceiver }

type FreeAgent = Readonly<Record<'providerAgentId' | 'providerAgentPassword' | 'sipExtension' | 'sipPassword' | 'campaignName', string>>

export type Demo = {
  readonly workspace: SandboxWorkspace
  readonly password: string
  /** E-mail addresses by role. */
  readonly accounts: Readonly<Record<string, string>>
  /** Agents of its telephony account whom no member has yet, as the team form takes them. */
  readonly freeAgents: readonly FreeAgent[]
  /** A customer calls the agent, by the ID at the provider. False: the agent takes no calls now, or has no phone open. Null: no call can ring in a browser. */
  readonly ring: ((workspace: string, agentId: string) => boolean) | null
}

/** The platform and every provider, played on loopback ports. */
export type Sandbox = AsyncDisposable & {
  readonly standIns: StandIns
  /** The customer whose widget is shown, and two of its members who sign in by one click. */
  readonly demo: Demo
  /** What the environment says of that customer's hospital. */
  readonly hospital: Readonly<Record<string, string>>
  /** The settings of a service that talks to it, as seen by the customer of this workspace. */
  environmentOf(workspace: SandboxWorkspace): Readonly<Record<string, string>>
}

/** Starts the stand-ins. */
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
  const ports = await openPortKeeper(dataDir)
  await using starting = new AsyncDisposableStack()
  const vendors = await startVendors({ ports, clock }, starting)
  const dataFile = dataDir === null ? null : join(dataDir, 'sandbox-platform.sqlite')
  const ofPlatform = { clock, dataFile, recordingBaseUrl: vendors.speech.url, isFresh: hasFreshPlatform }
  const platform = starting.use(await ports.start('platform', (at) => startPlatform({ ...at, ...ofPlatform })))
  const alerts = starting.use(await ports.start('alerts', (at) => startAlertReceiver({ ...at, clock })))
  await ports.store()
  const running = starting.move()

  return {
    standIns: { platform, alerts, ...vendors },
    demo: {
      workspace: 'demo',
      password: sandboxPassword,
      accounts: { Agent: 'agent1@demo.example', Manager: 'manager@demo.example' },
      freeAgents: freeAgentsOf('demo'),
      ring: vendors.sip.hasSound ? customerCalls(vendors) : null,
    },
    hospital: { HOSPITAL_NAME: 'Lakeside Hospital', WIDGET_ENABLED: 'on' },
    environmentOf(workspace) {
      const { telephony, models, speech } = vendorEnvironment(vendors, workspace)
      const receiver = { ALERT_WEBHOOK_URL: `${alerts.url}/alerts`, ALERT_WEBHOOK_SECRET: alertSecret }
      return { ...platformEnvironment(platform, workspace), ...telephony, ...models, ...speech, ...receiver }
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

function freeAgentsOf(workspace: SandboxWorkspace): readonly FreeAgent[] {
  const { freeAgents, campaigns } = telephonyAccounts[workspace]
  return freeAgents.map(({ id, password, phoneNumber }) => ({
    providerAgentId: id,
    providerAgentPassword: password,
    sipExtension: phoneNumber,
    sipPassword: sipPasswordOf(phoneNumber) ?? '',
    campaignName: campaigns[0].name,
  }))
}

/** Two who are known, then a number that nobody knows. */
const customers = ['+919814012345', '+919876543210', '+919820055555'] as const

function customerCalls({ telephony, sip }: Vendors): NonNullable<Demo['ring']> {
  let calls = 0
  return (workspace, agentId) => {
    const account = Object.values(telephonyAccounts).find((one) => one.workspace === workspace)
    const agent = account && allAgents(account).find(({ id }) => id === agentId)
    // Without a phone, the agent could neither answer the call nor end it.
    if (!account || !agent || !sip.isRegistered(agent.phoneNumber)) return false
    if (telephony.agent({ account: account.userName, agentId }).status !== 'IDLE') return false
    telephony.ring({ account: account.userName, agentId, from: customers[calls++ % customers.length] ?? customers[0] })
    return true
  }
}

export function platformEnvironment(platform: PlatformStandIn, workspace: SandboxWorkspace): Readonly<Record<string, string>> {
  return {
    PLATFORM_URL: platform.url,
    PLATFORM_WORKSPACE_URL: platform.workspaceUrl,
    WORKSPACES: sandboxWorkspaces.join(','),
    SEED_WORKSPACE: workspace,
    PLATFORM_API_KEY: platform.apiKeyOf(workspace),
  }
}
