import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { asService } from '../../ports/record-access.ts'
import type { PassOn } from './chat/ports.ts'
import type { LeadNotes } from '../../ports/lead-notes.ts'
import type { VisitorLead } from './visitor-lead.ts'

export type PassOnDeps = { readonly visitorLead: VisitorLead; readonly leadNotes: LeadNotes; readonly log: Log }

/** A workspace without notes gets the lead alone. */
export function createPassOn({ visitorLead, leadNotes, log }: PassOnDeps): PassOn {
  return async ({ workspaceId, name, phone, note, reference }) => {
    const lead = await visitorLead({ workspaceId, name: name ?? 'Website visitor', phoneNumber: phone })
    try {
      await leadNotes.write(asService(workspaceId, 'WIDGET'), { leadId: lead.id, reference, title: 'Chat on the website', text: note })
    } catch (error) {
      if (!(error instanceof AppError) || error.reason !== 'NOT_CONFIGURED') throw error
      log.warn({ err: error, workspaceId }, 'a talk could not be noted on its lead')
    }
  }
}
