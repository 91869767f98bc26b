import type { Ports } from '../../ports/ports.ts'

export type EventPorts = Pick<Ports, 'bus' | 'audit'> & {
  /** `workspaces`: the subdomains of all workspaces that this service works for. */
  readonly servedWorkspaces: { readonly workspaces: readonly string[] }
}

/**
 * The workspaces whose dead letters a manager of this workspace may see and replay; null stands for dead letters that name no workspace
 * (broken JSON, for example). Those may belong to any workspace, so if the service works for several, only operators see them: in the log
 * and in the broker's `.dead` topics.
 */
export function visibleWorkspaceIds(
  { servedWorkspaces }: Pick<EventPorts, 'servedWorkspaces'>,
  workspaceId: string,
): readonly (string | null)[] {
  return servedWorkspaces.workspaces.length === 1 ? [workspaceId, null] : [workspaceId]
}
