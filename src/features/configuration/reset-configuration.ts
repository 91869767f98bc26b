import type { Asker } from '../../access/actor.ts'
import type { ChangeConfiguration } from './change-configuration.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'
import type { Documents } from './documents.ts'

export type ResetRequest = { readonly section: SectionName; readonly ifVersion?: number | null | undefined }

/** Brings a section back to its defaults, overlaid by the environment where that belongs to this workspace. Errors as of a change. */
export type ResetConfiguration = (asker: Asker, request: ResetRequest) => Promise<DocumentValues>

export type ResetConfigurationOptions = { readonly change: ChangeConfiguration; readonly documents: Documents }

export function createResetConfiguration({ change, documents }: ResetConfigurationOptions): ResetConfiguration {
  return (asker, { section, ifVersion }) => {
    const target = { workspaceId: asker.principal.workspaceId, section }
    return change(asker, section, { action: 'RESET', ifVersion, edit: () => documents.initial(target) })
  }
}
