import type { NewLeads } from '../../ports/lead-notes.ts'
import type { Records } from './records.ts'

/** Leads by an id that their maker chooses, so that a repetition makes no second one. */
export function createNewLeads(records: Records): NewLeads {
  return {
    create: (access, { id, phoneNumber, ...values }) =>
      records.create(access, 'lead', { id, values: { ...values, phones: phoneNumber, status: 'NEW' } }),
  }
}
