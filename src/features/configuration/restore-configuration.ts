import type { Actor } from '../../access/actor.ts'
import type { ChangeConfiguration } from './change-configuration.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'
import type { Documents } from './documents.ts'

export type RestoreRequest = { readonly section: SectionName; readonly version: number; readonly ifVersion?: number | null | undefined }

/**
 * Makes an earlier version stand again, as a new one, with the secrets that it had: they go where they went then. Errors as of a change,
 * and NOT_FOUND (that version is not kept).
 */
export type RestoreConfiguration = (actor: Actor, request: RestoreRequest) => Promise<DocumentValues>

export type RestoreConfigurationOptions = { readonly change: ChangeConfiguration; readonly documents: Documents }

export function createRestoreConfiguration({ change, documents }: RestoreConfigurationOptions): RestoreConfiguration {
  return (actor, { section, version, ifVersion }) => {
    const target = { workspaceId: actor.principal.workspaceId, section }
    return change(actor, section, { action: 'RESTORED', ifVersion, edit: () => documents.earlier(target, version) })
  }
}
