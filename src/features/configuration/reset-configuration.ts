import type { Actor } from '../../access/actor.ts'
import type { ChangeConfiguration } from './change-configuration.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'
import type { Documents } from './documents.ts'

export type ResetRequest = { readonly section: SectionName; readonly ifVersion?: number | null | undefined }

/** Brings a section back to its defaults, overlaid by the environment where that belongs to this workspace. Errors as of a change. */
export type ResetConfiguration = (actor: Actor, request: ResetRequest) => Promise<DocumentValues>

export type ResetConfigurationOptions = { readonly change: ChangeConfiguration; readonly documents: Documents }

export function createResetConfiguration({ change, documents }: ResetConfigurationOptions): ResetConfiguration {
  return (actor, { section, ifVersion }) => {
    const target = { workspaceId: actor.principal.workspaceId, section }
    return change(actor, section, { action: 'RESET', ifVersion, edit: () => documents.initial(target) })
  }
}
