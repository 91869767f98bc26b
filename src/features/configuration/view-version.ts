import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import type { DocumentValues } from './document-values.ts'
import { sectionDocument } from './section-document.ts'

/**
 * A section as an earlier version had it, secrets masked: to compare it with another version before it is restored. Errors: NOT_FOUND (the version
 * is no longer stored), NOT_CONFIGURED (it cannot be read), STORE_UNAVAILABLE.
 */
export async function viewVersion(
  ports: Pick<ConfigurationPorts, 'sections' | 'schemas' | 'fingerprintKey'>,
  { principal }: Actor,
  { section, version }: { readonly section: SectionName; readonly version: number },
): Promise<DocumentValues> {
  const target = { workspaceId: principal.workspaceId, section }
  const { history } = await ports.sections.load(target)
  const revision = history.find((stored) => stored.version === version)
  if (!revision) throw new AppError('NOT_FOUND', { detail: `Version ${version} of the ${section} configuration is not stored` })
  const state = { values: await ports.sections.earlier(target, version), history: [revision] as const }
  return sectionDocument(ports, target, { state, reader: principal })
}
