import type { Actor } from '../../access/actor.ts'
import { hasRole } from '../../access/principal.ts'
import { requireConfirmed } from '../../access/require-role.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import type { DocumentValues } from './document-values.ts'
import { sectionDocument } from './section-document.ts'

/** A section for a manager; the theme for every member. Errors: ROLE_MISSING, PROVIDER_UNAVAILABLE, NOT_CONFIGURED (it cannot be read), STORE_UNAVAILABLE. */
export async function viewConfiguration(
  ports: Pick<ConfigurationPorts, 'sections' | 'schemas' | 'fingerprintKey'>,
  { principal }: Actor,
  section: SectionName,
): Promise<DocumentValues> {
  if (section !== 'theme' && !hasRole(principal.role, 'MANAGER')) {
    throw new AppError('ROLE_MISSING', { detail: `The ${section} configuration is for managers` })
  }
  if (section !== 'theme') requireConfirmed(principal)
  const target = { workspaceId: principal.workspaceId, section }
  return sectionDocument(ports, target, { state: await ports.sections.load(target), reader: principal })
}
