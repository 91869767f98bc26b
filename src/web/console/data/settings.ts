/** What the service says to the page, in a `meta` element: `src/server/console/handler.ts`. */
type ConsoleSettings = {
  /** The workspace that the sign-in form shows first. Empty: none. */
  readonly workspace: string
  /** The address of a workspace's frontend, with `{workspace}` in it. */
  readonly workspaceUrl: string
  /** Members of the sandbox who sign in by one click. */
  readonly demo: {
    readonly password: string
    readonly accounts: Readonly<Record<string, string>>
    /** Whether `POST /console/demo/ring` lets a customer call. */
    readonly rings: boolean
  } | null
}

function readSettings(): ConsoleSettings {
  const content = document.querySelector('meta[name="console-settings"]')?.getAttribute('content') ?? '{}'
  const given: unknown = JSON.parse(content)
  const { workspace, workspaceUrl, demo } = { workspace: '', workspaceUrl: '', demo: null, ...asSettings(given) }
  return { workspace, workspaceUrl, demo }
}

/** The page comes from the service, which writes them. */
function asSettings(given: unknown): Partial<ConsoleSettings>
function asSettings(given: unknown): unknown {
  return given
}

export const consoleSettings = readSettings()
