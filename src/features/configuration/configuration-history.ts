import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import type { Revision } from './stored-document.ts'

/** One version of a section: who made it, when, how, and the changed fields (dotted paths). Never a value. */
export type ConfigurationRevision = Readonly<Omit<Revision, 'values'>>

/** The stored versions, at most 50, newest first. Errors: NOT_CONFIGURED (the section cannot be read), STORE_UNAVAILABLE. */
export async function configurationHistory(
  { sections }: Pick<ConfigurationPorts, 'sections'>,
  { principal: { workspaceId } }: Actor,
  section: SectionName,
): Promise<readonly ConfigurationRevision[]> {
  const { history } = await sections.load({ workspaceId, section })
  return history.map(({ version, changedAt, changedBy, action, fields }) => ({ version, changedAt, changedBy, action, fields }))
}
