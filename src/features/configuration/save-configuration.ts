import type { Validation } from './validation.ts'
import type { Actor } from '../../access/actor.ts'
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
export type SaveConfiguration = (actor: Actor, request: SaveRequest) => Promise<DocumentValues>

export type SaveConfigurationOptions = {
  readonly change: ChangeConfiguration
  readonly schemas: SectionSchemas
  readonly accept: Validation
}

export function createSaveConfiguration({ change, schemas, accept }: SaveConfigurationOptions): SaveConfiguration {
  const save = <Name extends SectionName>(actor: Actor, section: Name, { document, ifVersion }: SaveRequest): Promise<DocumentValues> =>
    change<Name>(actor, section, {
      action: 'SAVED',
      ifVersion,
      async edit({ values: present }) {
        const next = mergeDocument(schemas[section], present, document)
        await accept({ workspaceId: actor.principal.workspaceId, section }, next, present)
        return next
      },
    })
  return (actor, request) => save(actor, request.section, request)
}
