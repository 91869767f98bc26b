import type { NewLeads } from '../../ports/lead-notes.ts'
import type { Records } from './records.ts'

/** Leads by an id that their maker chooses, so that a repetition makes no second one. */
export function createNewLeads(records: Records): NewLeads {
  return {
    create: (access, { id, name, phoneNumber, source }) =>
      records.create(access, 'lead', { id, values: { name, phones: phoneNumber, source, status: 'NEW' } }),
  }
}
