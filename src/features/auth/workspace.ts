import { AppError, invalidInput } from '../../kernel/errors.ts'
import { isOrigin } from '../../kernel/origin-pattern.ts'

export type ServedWorkspaces = {
  /** Subdomains. */
  readonly workspaces: readonly string[]
  /** The URL of a workspace's frontend, with `{workspace}` in place of the subdomain. */
  readonly template: string
}

export type WorkspaceHints = {
  /** The workspace in the input. */
  readonly named: string | null | undefined
  /** The Origin header. */
  readonly origin: string | null
  /** The input field that names it, for error messages. */
  readonly field: string
}

const placeholder = '{workspace}'
const dnsLabel = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

/**
 * The workspace that a client signs in to: the one in its input, else the one in the host of its Origin header, else the only one that is
 * served. Errors: INVALID_INPUT (none is named, or it is no DNS label), WORKSPACE_NOT_SERVED.
 */
export function workspaceToSignInTo({ named, origin, field }: WorkspaceHints, served: ServedWorkspaces): string {
  const workspace = named?.toLowerCase() ?? workspaceOfOrigin(origin, served) ?? onlyOne(served)
  if (workspace === null) throw invalidInput(field, 'must name the workspace (the Origin header names none)')
  if (!dnsLabel.test(workspace)) throw invalidInput(field, 'must be a DNS label: letters, digits and inner hyphens, 63 at most')
  requireServed(workspace, served)
  return workspace
}

function onlyOne({ workspaces }: ServedWorkspaces): string | null {
  return workspaces.length === 1 ? (workspaces[0] ?? null) : null
}

/** Throws WORKSPACE_NOT_SERVED if this service does not serve the workspace. */
export function requireServed(workspace: string, { workspaces }: Pick<ServedWorkspaces, 'workspaces'>): void {
  if (!workspaces.includes(workspace)) {
    throw new AppError('WORKSPACE_NOT_SERVED', {
      detail: 'This workspace is not served here: check its name, or let an administrator add it to the setting WORKSPACES',
    })
  }
}

/** The URL of a workspace's frontend, as the platform asks for it. */
export function originOf(workspace: string, template: string): string {
  return template.replace(placeholder, workspace)
}

/** Whether this is the origin of a served workspace's frontend: its pages may read our answers. */
export function isFrontendOrigin(origin: string, served: ServedWorkspaces): boolean {
  const workspace = isOrigin(origin) ? workspaceOfOrigin(origin, served) : null
  return (
    workspace !== null &&
    served.workspaces.includes(workspace) &&
    new URL(origin).protocol === new URL(originOf(workspace, served.template)).protocol
  )
}

function workspaceOfOrigin(origin: string | null, served: ServedWorkspaces): string | null {
  const { template } = served
  if (origin === null || !URL.canParse(origin)) return null
  const { host } = new URL(origin)
  const templateHost = new URL(originOf('workspace-goes-here', template)).host
  const [before, after] = templateHost.split('workspace-goes-here')
  // A platform with one workspace has no placeholder in its address.
  if (before === undefined || after === undefined) return host === templateHost ? onlyOne(served) : null
  if (host.length <= before.length + after.length || !host.startsWith(before) || !host.endsWith(after)) return null
  return host.slice(before.length, host.length - after.length)
}
