import { AppError } from '../../kernel/errors.ts'
import type { Ports } from '../../ports/ports.ts'
import { asService } from '../../ports/record-access.ts'
import { findOrCreateLead } from './find-or-create-lead.ts'

export type HandOff = {
  readonly workspaceId: string
  readonly name: string | null
  /** E.164. */
  readonly phoneNumber: string
  readonly note: string
  /** The same reference replaces the note. */
  readonly reference: string
}
export type HandOffPorts = Pick<Ports, 'leadRecords' | 'newLeads' | 'leadNotes' | 'log'>

/**
 * Hands a visitor off to a human: writes the conversation as a note on the lead with this number, which is created if there is none.
 * Without notes in the workspace there is only the lead. Errors: the platform's.
 */
export async function handOffVisitor(ports: HandOffPorts, { workspaceId, name, phoneNumber, note, reference }: HandOff): Promise<void> {
  const lead = await findOrCreateLead(ports, workspaceId, { name: name ?? 'Website visitor', phoneNumber })
  try {
    const access = asService(workspaceId, 'WIDGET')
    await ports.leadNotes.write(access, { leadId: lead.id, reference, title: 'Chat on the website', text: note })
  } catch (error) {
    if (!(error instanceof AppError) || error.reason !== 'NOT_CONFIGURED') throw error
    ports.log.warn({ err: error, workspaceId }, 'widget.hand-off-without-note')
  }
}
