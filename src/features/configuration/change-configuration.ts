import type { Audit } from '../../ports/audit.ts'
import type { Log } from '../../kernel/log.ts'
import type { Actor } from '../../access/actor.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationView } from './configuration-view.ts'
import type { DocumentValues } from './document-values.ts'
import type { Change, Documents, Standing } from './documents.ts'

/** A manager's change: stored, in the audit, and answered as the section then stands. Errors: those of `Documents.change`. */
export type ChangeConfiguration = <Name extends SectionName>(
  actor: Actor,
  section: Name,
  change: Omit<Change<Name>, 'editor'>,
) => Promise<DocumentValues>

export type ChangeConfigurationOptions = {
  readonly documents: Documents
  readonly view: ConfigurationView
  readonly audit: Audit
  readonly log: Log
}

export function createChangeConfiguration({ documents, view, audit, log }: ChangeConfigurationOptions): ChangeConfiguration {
  /** The history in the document says the same, so a change stands even while the audit cannot be written. */
  const record = async ({ principal, clientAddress }: Actor, section: SectionName, { history: [last] }: Standing): Promise<void> => {
    const { userId, memberId, workspaceId } = principal
    try {
      await audit.record(workspaceId, {
        actor: { userId, memberId, ip: clientAddress },
        action: `configuration.${last.action.toLowerCase()}`,
        target: { kind: 'configuration', id: section },
        details: { version: last.version, fields: last.fields.join(', ') },
      })
    } catch (error) {
      log.error({ err: error, workspaceId, section, version: last.version }, 'a change of the configuration is missing in the audit')
    }
  }

  return async (actor, section, change) => {
    const { principal } = actor
    const target = { workspaceId: principal.workspaceId, section }
    const before = { version: 0 }
    const standing = await documents.change(target, {
      ...change,
      editor: { memberId: principal.memberId, name: `${principal.firstName} ${principal.lastName}`.trim() || principal.email },
      edit: (present) => {
        before.version = present.history[0].version
        return change.edit(present)
      },
    })
    if (standing.history[0].version !== before.version) await record(actor, section, standing)
    return view(target, standing, principal)
  }
}
