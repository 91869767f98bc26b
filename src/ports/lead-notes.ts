import type { RecordAccess } from './record-access.ts'

/** Makes leads on the platform. Errors: as the platform's. */
export interface NewLeads {
  /**
   * Makes a lead under this id. False where one stands under it, deleted ones too, or where the workspace takes none such. What the
   * workspace has no field for is left out. Repeatable: false then.
   */
  create(access: RecordAccess, lead: NewLead): Promise<{ readonly created: boolean }>
}

export type NewLead = {
  readonly id: string
  readonly name: string
  /** E.164. */
  readonly phoneNumber: string
  /** Where the lead comes from. */
  readonly source: string
}

/** Notes on leads. Errors: as the platform's, NOT_CONFIGURED where the workspace keeps none. */
export interface LeadNotes {
  /** Writes the note that the reference names, or changes it where it stands. Repeatable. */
  write(access: RecordAccess, note: LeadNote): Promise<void>
}

export type LeadNote = { readonly leadId: string; readonly reference: string; readonly title: string; readonly text: string }
