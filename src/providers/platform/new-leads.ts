import type { NewLeads } from '../../ports/lead-notes.ts'
import type { Records } from './records.ts'

/** The creator of a lead chooses its id, so that a repetition creates no second one. */
export function createNewLeads(records: Records): NewLeads {
  return {
    create: (access, { id, phoneNumber, ...values }) =>
      records.create(access, 'lead', { id, values: { ...values, phones: phoneNumber, status: 'NEW' } }),
  }
}
