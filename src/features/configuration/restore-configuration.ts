import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { type ChangePorts, changeConfiguration } from './change-configuration.ts'
import type { DocumentValues } from './document-values.ts'

export type RestoreRequest = { readonly section: SectionName; readonly version: number; readonly ifVersion?: number | null | undefined }

/**
 * Stores an earlier version as a new version, with the secrets that it had: its addresses are restored too, so they go where they went
 * then. Errors: those of a change, and NOT_FOUND (the version is no longer stored).
 */
export async function restoreConfiguration(
  ports: ChangePorts,
  actor: Actor,
  { section, version, ifVersion }: RestoreRequest,
): Promise<DocumentValues> {
  const target = { workspaceId: actor.principal.workspaceId, section }
  return changeConfiguration(ports, actor, { section, action: 'RESTORED', ifVersion, edit: () => ports.sections.earlier(target, version) })
}
