import type { LeadRecords } from '../../ports/call-records.ts'
import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import { asService } from '../../ports/record-access.ts'
import type { NewLeads } from '../../ports/lead-notes.ts'
import type { VisitorContact } from './visitor-contact.ts'

export type VisitorLeadDeps = { readonly leads: LeadRecords; readonly newLeads: NewLeads }

/**
 * The one lead that has the visitor's number: found, or made with the workspace's API key. However many ask at once on however many
 * instances, one lead is made, because its id follows from the number. Whether it was there before is nobody's business: no answer to a
 * visitor may differ by it. Errors: as the platform's, NOT_CONFIGURED where the workspace keeps no leads.
 */
export type VisitorLead = (visitor: VisitorContact & { readonly workspaceId: string }) => Promise<{ readonly id: string }>

/** A lead that somebody deleted keeps its id: the next one is taken then. */
const mostIds = 5

export function createVisitorLead({ leads, newLeads }: VisitorLeadDeps): VisitorLead {
  return async ({ workspaceId, name, phoneNumber }) => {
    const access = asService(workspaceId, 'WIDGET')
    const [known] = await leads.byPhone(access, phoneNumber)
    if (known) return { id: known.id }
    for (let count = 0; count < mostIds; count += 1) {
      const id = derivedId('widget-lead', workspaceId, phoneNumber, String(count))
      const { created } = await newLeads.create(access, { id, name, phoneNumber, source: 'Website' })
      if (created || (await leads.byId(access, id))) return { id }
    }
    throw new AppError('NOT_CONFIGURED', { detail: 'The workspace takes no lead from the widget' })
  }
}
