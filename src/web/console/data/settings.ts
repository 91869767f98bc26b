/** What the service says to the page, in a `meta` element: `src/server/console/handler.ts`. */
type ConsoleSettings = {
  /** The workspace that the sign-in form shows first. Empty: none. */
  readonly workspace: string
  /** The address of a workspace's frontend, with `{workspace}` in it. */
  readonly workspaceUrl: string
  /** Where third parties reach the service; null if `PUBLIC_URL` is not set. */
  readonly publicUrl: string | null
  /** Members of the sandbox who sign in by one click. */
  readonly demo: {
    readonly password: string
    readonly accounts: Readonly<Record<string, string>>
    /** Agents of the telephony account whom no member has yet. */
    readonly freeAgents: readonly Readonly<
      Record<'providerAgentId' | 'providerAgentPassword' | 'sipExtension' | 'sipPassword' | 'campaignName', string>
    >[]
    /** Whether `POST /console/demo/ring` lets a customer call. */
    readonly rings: boolean
  } | null
}

function readSettings(): ConsoleSettings {
  const content = document.querySelector('meta[name="console-settings"]')?.getAttribute('content') ?? '{}'
  const given: unknown = JSON.parse(content)
  return { workspace: '', workspaceUrl: '', publicUrl: null, demo: null, ...asSettings(given) }
}

/** The page comes from the service, which writes them. */
function asSettings(given: unknown): Partial<ConsoleSettings>
function asSettings(given: unknown): unknown {
  return given
}

export const consoleSettings = readSettings()

/** Where a provider sends its webhooks. `path`: with the key. */
export function webhookAddress(path: string): string {
  return `${consoleSettings.publicUrl ?? location.origin}${path}`
}
