import type { Acceptance } from './validation.ts'
import type { Asker } from '../../access/actor.ts'
import type { ChangeConfiguration } from './change-configuration.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { DocumentValues } from './document-values.ts'
import { mergeDocument } from './merge-document.ts'
import type { SectionSchemas } from './section-schemas.ts'

export type SaveRequest = {
  readonly section: SectionName
  /** Fields that are left out stay as they are. */
  readonly document: unknown
  readonly ifVersion?: number | null | undefined
}

/**
 * Puts a document over a section and answers it as it then stands. Errors: INVALID_INPUT (every faulty field named, nothing stored),
 * CHANGED_MEANWHILE, NOT_CONFIGURED (the stored one cannot be read), STORE_UNAVAILABLE; for a platform API key also those of asking the
 * platform.
 */
export type SaveConfiguration = (asker: Asker, request: SaveRequest) => Promise<DocumentValues>

export type SaveConfigurationOptions = {
  readonly change: ChangeConfiguration
  readonly schemas: SectionSchemas
  readonly accept: Acceptance
}

export function createSaveConfiguration({ change, schemas, accept }: SaveConfigurationOptions): SaveConfiguration {
  const save = <Name extends SectionName>(asker: Asker, section: Name, { document, ifVersion }: SaveRequest): Promise<DocumentValues> =>
    change<Name>(asker, section, {
      action: 'SAVED',
      ifVersion,
      async edit({ values: present }) {
        const next = mergeDocument(schemas[section], present, document)
        await accept({ workspaceId: asker.principal.workspaceId, section }, next, present)
        return next
      },
    })
  return (asker, request) => save(asker, request.section, request)
}
