import type { CountryCode } from '../../kernel/phone.ts'

/** What an admin may change while the service runs, per workspace. Read at the time of each use, never kept. */
export interface Configuration {
  /**
   * The section as it stands now, secrets open, frozen. Throws NOT_CONFIGURED only where a stored document cannot be read (the
   * detail names the file), STORE_UNAVAILABLE where the store does not answer. Costs nothing while the section stands unchanged.
   */
  read<Section extends keyof Sections>(workspaceId: string, section: Section): Promise<Sections[Section]>
}

export type Sections = {
  readonly telephony: TelephonySection
  readonly ai: AiSection
  readonly widget: WidgetSection
  readonly theme: ThemeSection
  readonly platform: PlatformSection
}

export const sectionNames = ['telephony', 'ai', 'widget', 'theme', 'platform'] as const satisfies readonly (keyof Sections)[]
export type SectionName = (typeof sectionNames)[number]

export type TelephonySection = {
  readonly defaultCountry: CountryCode
  /** Stands in where an agent record names no provider agent. */
  readonly defaultAgentId: string | null
  readonly defaultAgentPassword: string | null
  readonly sipId: string | null
  readonly did: string | null
  readonly campaignName: string | null
  /** The outcome codes that agents may send, where the account cannot be asked. */
  readonly dispositions: readonly string[]
  readonly sip: { readonly domain: string | null; readonly wsPort: number }
  /** The telephony provider: its id and its own settings, or null where none is set up. */
  readonly provider: ProviderSettings | null
  /** The second, outbound provider. */
  readonly outbound: ProviderSettings | null
}

/** A provider's id and the settings that its own schema describes. */
export type ProviderSettings = { readonly id: string; readonly [setting: string]: unknown }

export type AiSection = {
  /** The id of one of the registered model providers. */
  readonly provider: string
  /** The provider's name of the model; null: none chosen. */
  readonly model: string | null
  readonly temperature: number
  /** Added to the instructions of every prompt. */
  readonly systemPromptAddendum: string
  readonly recordings: RecordingsSection
}

export type RecordingsSection = {
  /** From which recordings may be fetched; `*.example.com` is all below it. Empty: any public host. */
  readonly hosts: readonly string[]
  /** Which channel is the agent's where a recording has two. */
  readonly agentChannel: 'FIRST' | 'SECOND'
  readonly complianceRules: readonly string[]
  /** Whether numbers and e-mail addresses are hidden from the language model. */
  readonly maskPersonalData: boolean
}

export type WidgetSection = {
  readonly enabled: boolean
  readonly greeting: string
  readonly placeholder: string
  readonly position: 'LEFT' | 'RIGHT'
  readonly bookingEnabled: boolean
  /** Of the language model, all visitors together, from midnight to midnight in UTC. */
  readonly dailyTokenBudget: number
}

export type ThemeSection = {
  readonly brand: { readonly hospitalName: string | null; readonly logoUrl: string | null }
  /** Colours as `#rrggbb`. */
  readonly colors: { readonly primary: string; readonly accent: string; readonly background: string; readonly text: string }
  readonly fonts: { readonly heading: string; readonly body: string }
}

export type PlatformSection = {
  /** The workspace's API key: writes that no person makes. */
  readonly apiKey: string | null
  readonly roles: { readonly manager: string; readonly user: string }
  readonly objects: PlatformObjects
  readonly visits: VisitsSection
}

export type VisitsSection = {
  /** The clinic's, a name of the IANA database. */
  readonly timeZone: string
  /** How long a visit is whose slot says no end. */
  readonly slotMinutes: number
}

/** What the platform's objects and fields are called in this workspace: our name -> the workspace's name. */
export type PlatformObjects = {
  readonly [Name in keyof PlatformFields]: {
    readonly singular: string
    readonly plural: string
    readonly fields: { readonly [Field in PlatformFields[Name]]: string }
  }
}

export type PlatformFields = {
  agent: 'name' | 'workspaceMember' | 'sipExtension' | 'sipPassword' | 'providerAgentId' | 'providerAgentPassword' | 'campaignName'
  lead: 'name' | 'phones' | 'emails' | 'status' | 'source' | 'agent' | 'aiSummary' | 'aiSuggestedAction' | 'aiInsightAt'
  call:
    | 'name'
    | 'ucid'
    | 'direction'
    | 'status'
    | 'startedAt'
    | 'answeredAt'
    | 'endedAt'
    | 'durationSeconds'
    | 'phone'
    | 'did'
    | 'campaignName'
    | 'disposition'
    | 'notes'
    | 'recording'
    | 'agent'
    | 'lead'
  doctor: 'name' | 'speciality' | 'clinic' | 'languages' | 'fee' | 'active'
  visitSlot: 'name' | 'doctor' | 'startsAt' | 'endsAt' | 'state' | 'lead'
}
