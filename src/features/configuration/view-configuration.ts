import { hasRole } from '../../access/principal.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationView } from './configuration-view.ts'
import type { DocumentValues } from './document-values.ts'
import type { Documents } from './documents.ts'

/** A section for a manager; the theme for every member. Errors: ROLE_MISSING, NOT_CONFIGURED (it cannot be read), STORE_UNAVAILABLE. */
export type ViewConfiguration = (actor: Actor, section: SectionName) => Promise<DocumentValues>

export function createViewConfiguration({ documents, view }: { documents: Documents; view: ConfigurationView }): ViewConfiguration {
  return async ({ principal }, section) => {
    if (section !== 'theme' && !hasRole(principal.role, 'MANAGER')) {
      throw new AppError('ROLE_MISSING', { detail: `The ${section} configuration is for managers` })
    }
    const target = { workspaceId: principal.workspaceId, section }
    return view(target, await documents.load(target), principal)
  }
}
