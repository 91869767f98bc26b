import { z } from 'zod'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { asService } from '../../ports/record-access.ts'
import type { Directory } from '../../ports/doctors.ts'
import { type DoctorRecords, recordsPerRequest } from '../../ports/doctors.ts'
import { slotStates } from '../../ports/visit-slot.ts'

/** What one look at the platform came to: when it began, and how many requests it took. */
export type DirectoryView = Directory & { readonly readAt: number; readonly requests: number }

const doctor = z.object({
  id: z.string(),
  name: z.string(),
  speciality: z.string().nullable(),
  clinic: z.string().nullable(),
  languages: z.array(z.string()),
  fee: z.number().nullable(),
  active: z.boolean(),
})
const slot = z.object({
  id: z.string(),
  doctorId: z.string().nullable(),
  startsAt: z.string(),
  endsAt: z.string(),
  localStartsAt: z.string(),
  localEndsAt: z.string(),
  timeZone: z.string(),
  durationMinutes: z.number(),
  state: z.enum(slotStates),
  leadId: z.string().nullable(),
  title: z.string().nullable(),
})
/** A view as the store keeps it for all instances. */
export const viewSchema: z.ZodType<DirectoryView> = z.object({
  doctors: z.array(doctor),
  slots: z.array(slot),
  readAt: z.number(),
  requests: z.number(),
})

const hourMs = 3_600_000
/** Somewhat more than the fortnight that visitors may book in, and what began today. */
const window = { backMs: 12 * hourMs, aheadMs: 15 * 24 * hourMs }
const most = { doctors: 600, slots: 1_400 }
const requestsPerMinute = 10
const freshMs = 15_000
const readingMs = 20_000

/** Reads with the workspace's API key, behind everything else that uses it. */
export async function readView(records: DoctorRecords, workspaceId: string, clock: Clock): Promise<DirectoryView> {
  const access = asService(workspaceId, 'WIDGET')
  const readAt = clock.now()
  const signal = AbortSignal.timeout(readingMs)
  const [from, to] = [isoMoment(readAt - window.backMs), isoMoment(readAt + window.aheadMs)]
  const [doctors, slots] = await Promise.all([
    records.doctors(access, signal),
    records.slots(access, { from, to, first: most.slots, signal }),
  ])
  return { doctors, slots, readAt, requests: requestsFor(doctors.length, most.doctors) + requestsFor(slots.length, most.slots) }
}

function requestsFor(found: number, atMost: number): number {
  return Math.min(Math.floor(found / recordsPerRequest) + 1, atMost / recordsPerRequest)
}

/** How long after looking the platform may be looked at again, so that it is never asked more than ten times in any minute. */
export function pauseAfter(requests: number): number {
  return 60_000 / Math.max(Math.floor(requestsPerMinute / requests), 1)
}

export function isFresh({ readAt, requests }: DirectoryView, { now, changedAt }: { now: number; changedAt: number }): boolean {
  return readAt > changedAt && now - readAt < Math.max(freshMs, pauseAfter(requests))
}
