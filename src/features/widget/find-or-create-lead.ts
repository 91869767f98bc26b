import { AppError } from '../../kernel/errors.ts'
import { derivedId } from '../../kernel/ids.ts'
import type { Ports } from '../../ports/ports.ts'
import { asService } from '../../ports/record-access.ts'
import type { VisitorContact } from './parse-contact.ts'

/** A deleted lead still has its id, so the next id is tried. */
const maxIds = 5

/**
 * The lead with this phone number, created if there is none. Concurrent calls on all instances create one lead, because its id is derived
 * from the number. No answer to a visitor may reveal whether the lead existed. Errors: the platform's, NOT_CONFIGURED if the workspace
 * cannot store leads.
 */
export async function findOrCreateLead(
  { leadRecords, newLeads }: Pick<Ports, 'leadRecords' | 'newLeads'>,
  workspaceId: string,
  { name, phoneNumber }: VisitorContact,
): Promise<{ readonly id: string }> {
  const access = asService(workspaceId, 'WIDGET')
  const [known] = await leadRecords.byPhone(access, phoneNumber)
  if (known) return { id: known.id }
  for (let count = 0; count < maxIds; count += 1) {
    const id = derivedId('widget-lead', workspaceId, phoneNumber, String(count))
    const { created } = await newLeads.create(access, { id, name, phoneNumber, source: 'Website' })
    if (created || (await leadRecords.byId(access, id))) return { id }
  }
  throw new AppError('NOT_CONFIGURED', { detail: 'The workspace takes no lead from the widget' })
}
