/** The accounts that the sandbox's third parties know: one of each per workspace. Nothing here works anywhere else. */

export type SandboxWorkspace = 'demo' | 'acme'

/** An agent as the telephony account knows them. `phoneNumber` is the extension that rings. */
export type SandboxAgent = {
  readonly id: string
  readonly name: string
  readonly password: string
  readonly phoneName: string
  readonly phoneNumber: string
  /** The provider's own number for the agent, `AgentUniqueID` on its wire. */
  readonly uniqueId: string
}

/** `did` is a number of the hospital in E.164; calls to it go to the agents of the campaign. */
export type SandboxCampaign = { readonly name: string; readonly did: string; readonly skill: string }

export type TelephonyAccount = {
  readonly workspace: SandboxWorkspace
  readonly userName: string
  readonly apiKey: string
  readonly agents: readonly SandboxAgent[]
  /** Agents whom no member of the workspace has yet. */
  readonly freeAgents: readonly SandboxAgent[]
  readonly campaigns: readonly [SandboxCampaign, ...SandboxCampaign[]]
  readonly dispositions: readonly string[]
  readonly pauseReasons: readonly string[]
}

export type OutboundAccount = {
  readonly workspace: SandboxWorkspace
  readonly sid: string
  readonly key: string
  readonly token: string
  /** The number that the customer sees, E.164. */
  readonly callerId: string
}

const dispositions = [
  'Appointment Booked',
  'Appointment Rescheduled',
  'Appointment Cancelled',
  'Information Given',
  'Call Back Later',
  'Not Interested',
  'Wrong Number',
  'Complaint',
] as const

const freeNames = ['Agent 4', 'Agent 5', 'Agent 6'] as const

const pauseReasons = ['Lunch', 'Tea Break', 'Training', 'Meeting'] as const

export const telephonyAccounts: Readonly<Record<SandboxWorkspace, TelephonyAccount>> = {
  demo: {
    workspace: 'demo',
    userName: 'demo-account',
    apiKey: 'demo-telephony-key',
    ...agentsOf('demo', ['Asha Menon', 'Ravi Kumar', 'Farah Khan'], 5231),
    campaigns: [
      { name: 'Inbound_Appointments', did: '+918069876501', skill: 'appointments' },
      { name: 'Inbound_Billing', did: '+918069876502', skill: 'billing' },
    ],
    dispositions,
    pauseReasons,
  },
  acme: {
    workspace: 'acme',
    userName: 'acme-account',
    apiKey: 'acme-telephony-key',
    ...agentsOf('acme', ['Meera Iyer', 'Joseph Mathew', 'Sunita Rao'], 6231),
    campaigns: [{ name: 'Inbound_Frontdesk', did: '+912269876601', skill: 'frontdesk' }],
    dispositions,
    pauseReasons,
  },
}

export const outboundAccounts: Readonly<Record<SandboxWorkspace, OutboundAccount>> = {
  demo: { workspace: 'demo', sid: 'demo1', key: 'demo-outbound-key', token: 'demo-outbound-token', callerId: '+918069876590' },
  acme: { workspace: 'acme', sid: 'acme1', key: 'acme-outbound-key', token: 'acme-outbound-token', callerId: '+912269876690' },
}

/** Of the agents' phones at the SIP server; null for an extension that no agent has. Agents for load have those above 20,000. */
export function sipPasswordOf(extension: string): string | null {
  const agents = Object.values(telephonyAccounts).flatMap(allAgents)
  const isAgent = agents.some(({ phoneNumber }) => phoneNumber === extension)
  return isAgent || /^2\d{4}$/.test(extension) ? `sandbox-sip-${extension}` : null
}

export const speechKey = 'sandbox-speech-key'
export const modelKey = 'sandbox-model-key'
/** The model that the OpenAI-compatible stand-in offers; any other name is answered as unknown. */
export const modelName = 'sandbox-model'

/** Every agent of the account. */
export function allAgents({ agents, freeAgents }: Pick<TelephonyAccount, 'agents' | 'freeAgents'>): readonly SandboxAgent[] {
  return [...agents, ...freeAgents]
}

function agentsOf(
  workspace: SandboxWorkspace,
  names: readonly string[],
  firstExtension: number,
): Pick<TelephonyAccount, 'agents' | 'freeAgents'> {
  const all = [...names, ...freeNames].map((name, index) => ({
    id: `agent${index + 1}`,
    name,
    password: `${workspace}-agent${index + 1}-password`,
    phoneName: `${workspace}-phone-${index + 1}`,
    phoneNumber: String(firstExtension + index),
    uniqueId: String(70_000 + firstExtension + index),
  }))
  return { agents: all.slice(0, names.length), freeAgents: all.slice(names.length) }
}
