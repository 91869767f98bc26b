import { z } from 'zod'
import type { RecordAccess } from './record-access.ts'
import { doctorRecord } from './records/doctor.ts'
import { visitSlotRecord } from './records/visit-slot.ts'

/** A doctor, the same for every reader. A value that the workspace does not have is null or empty. */
export const doctorSchema = doctorRecord.schema
export type Doctor = Readonly<z.output<typeof doctorSchema>>

export const slotStates = ['FREE', 'HELD', 'BOOKED', 'PAST'] as const
/** Only FREE can be booked. HELD: blocked, whatever the workspace calls it. PAST: it has begun. */
export type SlotState = (typeof slotStates)[number]

/** A time at which a doctor sees a patient, the same for every reader. */
export const visitSlotSchema = visitSlotRecord.schema.extend({
  /** ISO 8601 in UTC. */
  startsAt: z.string(),
  endsAt: z.string(),
  /** In the clinic's time zone, with the offset: `2026-11-23T10:00:00+05:30`. */
  localStartsAt: z.string(),
  localEndsAt: z.string(),
  /** The clinic's time zone, a name of the IANA database. */
  timeZone: z.string(),
  durationMinutes: z.number(),
  state: z.enum(slotStates),
})
export type VisitSlot = Readonly<z.output<typeof visitSlotSchema>>

/** The slot at a moment: PAST once it has begun. */
export function slotAt(slot: VisitSlot, now: number): VisitSlot {
  return slot.state !== 'PAST' && Date.parse(slot.startsAt) <= now ? { ...slot, state: 'PAST' } : slot
}

/** All doctors and visit slots that a reader may see. */
export type Directory = { readonly doctors: readonly Doctor[]; readonly slots: readonly VisitSlot[] }

/**
 * The doctors and visit slots of a workspace as visitors, managers and models see them: cached for all of them, read with the workspace's
 * API key. All instances together send the platform at most 10 requests a minute and workspace.
 */
export interface DoctorDirectory {
  /**
   * Slots from half a day ago to 15 days ahead, the earliest 1,400; 600 doctors. Usually not older than 15 seconds, up to a minute if there
   * are many; up to 10 minutes old if the platform does not answer. Errors: the platform's, NOT_CONFIGURED without an API key.
   */
  read(workspaceId: string): Promise<Directory>
  /** Reads the directory again as soon as the rate limit allows. With a slot's id, all instances show that slot as BOOKED from now on. */
  invalidate(workspaceId: string, slotId?: string): void
}

/** Doctors and visit slots of the platform, by the names in the workspace's configuration. Errors of all methods: the platform's. */
export interface DoctorRecords {
  /** By name, including inactive doctors; at most 600. Empty if the workspace has no doctors. Read-only. */
  doctors(access: RecordAccess, signal?: AbortSignal): Promise<readonly Doctor[]>
  /** By start. Empty if the workspace has no slots. Read-only. */
  slots(access: RecordAccess, query: SlotQuery): Promise<readonly VisitSlot[]>
  /** The same, and whether these are the last. It may have fewer slots than `first` although later ones exist. Read-only. */
  slotPage(access: RecordAccess, query: SlotQuery): Promise<{ readonly slots: readonly VisitSlot[]; readonly isEnd: boolean }>
  /**
   * Books a free future slot for the lead. Only one of many concurrent callers succeeds, across all instances. Idempotent: returns true again
   * for the lead that has the slot already. Errors: NOT_CONFIGURED if the workspace's slots have no field or state for a booking.
   */
  book(access: RecordAccess, booking: Booking): Promise<{ readonly booked: boolean }>
}

/** Ids of records, UUIDs. */
export type Booking = { readonly slotId: string; readonly leadId: string }

export type SlotQuery = {
  /** ISO 8601: slots that start at or after `from` and before `to`. */
  readonly from: string
  readonly to?: string | undefined
  readonly doctorId?: string | readonly string[] | undefined
  readonly leadId?: string | undefined
  /** Returns at most this many slots, the earliest ones. */
  readonly first: number
  readonly signal?: AbortSignal | undefined
}

/** The platform's page size. Reading n records takes floor(n / recordsPerRequest) + 1 requests. */
export const recordsPerRequest = 200
