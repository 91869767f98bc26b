import { type Actor, auditActor } from '../../access/actor.ts'
import { memberName } from '../../access/principal.ts'
import type { AuditAction } from '../../ports/audit.ts'
import type { SectionName } from '../../ports/configuration/configuration.ts'
import type { ConfigurationPorts } from './configuration-ports.ts'
import type { DocumentValues } from './document-values.ts'
import { sectionDocument } from './section-document.ts'
import type { Change, EditAction, SectionState } from './section-store.ts'

export type ChangePorts = Pick<ConfigurationPorts, 'sections' | 'schemas' | 'fingerprintKey' | 'audit' | 'log'>

/** Stores a manager's change, records it in the audit log, and returns the changed section. Errors: those of `SectionStore.change`. */
export async function changeConfiguration<Name extends SectionName>(
  ports: ChangePorts,
  actor: Actor,
  { section, ...change }: Omit<Change<Name>, 'editor'> & { readonly section: Name },
): Promise<DocumentValues> {
  const { principal } = actor
  const target = { workspaceId: principal.workspaceId, section }
  const before = { version: 0 }
  const state = await ports.sections.change(target, {
    ...change,
    editor: { memberId: principal.memberId, name: memberName(principal) },
    edit: (present) => {
      before.version = present.history[0].version
      return change.edit(present)
    },
  })
  if (state.history[0].version !== before.version) await record(ports, actor, { section, state, action: change.action })
  return sectionDocument(ports, target, { state, reader: principal })
}

type Changed = { readonly section: SectionName; readonly state: SectionState; readonly action: EditAction }

const auditedAs: Readonly<Record<EditAction, AuditAction>> = {
  SAVED: 'configuration.saved',
  RESTORED: 'configuration.restored',
  RESET: 'configuration.reset',
}

/** The history in the document has the same facts, so a failure to write the audit log does not undo the change. */
async function record({ audit, log }: ChangePorts, actor: Actor, { section, state: { history }, action }: Changed): Promise<void> {
  const [last] = history
  const { workspaceId } = actor.principal
  try {
    await audit.record(workspaceId, {
      actor: auditActor(actor),
      action: auditedAs[action],
      target: { kind: 'configuration', id: section, name: null },
      details: { version: last.version, fields: last.fields.join(', ') },
    })
  } catch (error) {
    log.error({ err: error, workspaceId, section, version: last.version }, 'configuration.audit-failed')
  }
}
