import type { RecordAccess } from './record-access.ts'

/** Creates leads on the platform. Errors: the platform's. */
export interface NewLeads {
  /**
   * Creates a lead with this id. False if the id exists, also of a deleted lead, or if the workspace rejects such leads. Values without a
   * field in the workspace are omitted. May be repeated: then false.
   */
  create(access: RecordAccess, lead: NewLead): Promise<{ readonly created: boolean }>
  /** Deletes a lead that was just created; the platform can restore it. Repeatable. */
  withdraw(access: RecordAccess, leadId: string): Promise<void>
}

export type NewLead = {
  readonly id: string
  readonly name: string
  /** E.164. */
  readonly phoneNumber: string
  /** Where the lead comes from. */
  readonly source: string
}

/** Notes on leads. Errors: the platform's, NOT_CONFIGURED if the workspace has no notes. */
export interface LeadNotes {
  /** Creates the note of this reference, or replaces it. May be repeated. */
  write(access: RecordAccess, note: LeadNote): Promise<void>
}

export type LeadNote = { readonly leadId: string; readonly reference: string; readonly title: string; readonly text: string }
