import type { RecordAccess } from './record-access.ts'
import type { Doctor } from './doctor.ts'
import type { VisitSlot } from './visit-slot.ts'

/** Doctors and visit slots of the platform, by the names that the workspace's configuration gives. Errors of all methods: as the platform's. */
export interface DoctorRecords {
  /** By name, those who are not active too; at most 600. None where the workspace keeps no doctors. Reads only. */
  doctors(access: RecordAccess, signal?: AbortSignal): Promise<readonly Doctor[]>
  /** By start. None where the workspace keeps no slots. Reads only. */
  slots(access: RecordAccess, query: SlotQuery): Promise<readonly VisitSlot[]>
  /**
   * Makes a free slot that lies ahead the lead's visit: at most one of many callers wins it, on all instances together. Repeatable: true
   * again for the lead whose visit it is already. Errors: NOT_CONFIGURED where the workspace's slots have no way to say it.
   */
  book(access: RecordAccess, booking: Booking): Promise<{ readonly booked: boolean }>
}

/** All doctors and visit slots that a reader may see. */
export type Directory = { readonly doctors: readonly Doctor[]; readonly slots: readonly VisitSlot[] }

/** Ids of records, UUIDs. */
export type Booking = { readonly slotId: string; readonly leadId: string }

export type SlotQuery = {
  /** ISO 8601: from this start on, and before that one. */
  readonly from: string
  readonly to?: string | undefined
  readonly doctorId?: string | readonly string[] | undefined
  readonly leadId?: string | undefined
  /** At most this many, the earliest. */
  readonly first: number
  readonly signal?: AbortSignal | undefined
}

/** The platform's longest page: reading more takes a request for each so many, and one more where the last of them is full. */
export const recordsPerRequest = 200
