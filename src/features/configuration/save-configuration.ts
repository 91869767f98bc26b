import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import { type ChangePorts, changeConfiguration } from './change-configuration.ts'
import type { DocumentValues } from './document-values.ts'
import { mergeDocument } from './merge-document.ts'
import { type ValidationPorts, validateSection } from './validate-section.ts'

export type SaveRequest<Name extends SectionName> = {
  readonly section: Name
  /** Fields that are left out do not change. */
  readonly document: unknown
  readonly ifVersion?: number | null | undefined
}

/**
 * Merges a document into a section and returns the changed section. Errors: INVALID_INPUT (names every invalid field, nothing is stored),
 * CHANGED_MEANWHILE, NOT_CONFIGURED (the stored section cannot be read), STORE_UNAVAILABLE; for a platform API key also those of asking
 * the platform.
 */
export async function saveConfiguration<Name extends SectionName>(
  ports: ChangePorts & ValidationPorts,
  actor: Actor,
  { section, document, ifVersion }: SaveRequest<Name>,
): Promise<DocumentValues> {
  return changeConfiguration<Name>(ports, actor, {
    section,
    action: 'SAVED',
    ifVersion,
    async edit({ values: present }) {
      const next = mergeDocument(ports.schemas[section], present, document)
      await validateSection(ports, { workspaceId: actor.principal.workspaceId, section }, { next, present })
      return next
    },
  })
}
