import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { type ChangePorts, changeConfiguration } from './change-configuration.ts'
import type { DocumentValues } from './document-values.ts'

export type ResetRequest = { readonly section: SectionName; readonly ifVersion?: number | null | undefined }

/** Resets a section to its defaults and, if the environment has values for this workspace, to those. Errors: those of a change. */
export async function resetConfiguration(ports: ChangePorts, actor: Actor, { section, ifVersion }: ResetRequest): Promise<DocumentValues> {
  const target = { workspaceId: actor.principal.workspaceId, section }
  return changeConfiguration(ports, actor, { section, action: 'RESET', ifVersion, edit: () => ports.sections.initial(target) })
}
