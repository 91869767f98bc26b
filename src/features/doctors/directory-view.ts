import { deadlineSignal } from '../../kernel/deadlines.ts'
import { z } from 'zod'
import { type Clock, isoMoment } from '../../kernel/clock.ts'
import { type DoctorRecords, doctorSchema, recordsPerRequest, visitSlotSchema } from '../../ports/doctors.ts'
import { asService } from '../../ports/record-access.ts'

/** One read of the platform: what it returned, when it began (epoch milliseconds) and how many requests it took. */
export const viewSchema = z.object({
  doctors: z.array(doctorSchema).readonly(),
  slots: z.array(visitSlotSchema).readonly(),
  readAt: z.number(),
  requests: z.number(),
})
export type DirectoryView = Readonly<z.output<typeof viewSchema>>

const hourMs = 3_600_000
/** Visitors may book 14 days ahead; the window has a day more, and the slots that began today. */
const window = { backMs: 12 * hourMs, aheadMs: 15 * 24 * hourMs }
const limits = { doctors: 600, slots: 1_400 }
const requestsPerMinute = 10
const freshMs = 15_000
const readTimeoutMs = 20_000

/** Reads with the workspace's API key, in the lane of the lowest priority. */
export async function readView(records: DoctorRecords, workspaceId: string, clock: Clock): Promise<DirectoryView> {
  const access = asService(workspaceId, 'WIDGET')
  const readAt = clock.now()
  const signal = deadlineSignal(readTimeoutMs)
  const [from, to] = [isoMoment(readAt - window.backMs), isoMoment(readAt + window.aheadMs)]
  const [doctors, slots] = await Promise.all([
    records.doctors(access, signal),
    records.slots(access, { from, to, first: limits.slots, signal }),
  ])
  return { doctors, slots, readAt, requests: requestsFor(doctors.length, limits.doctors) + requestsFor(slots.length, limits.slots) }
}

function requestsFor(found: number, limit: number): number {
  return Math.min(Math.floor(found / recordsPerRequest) + 1, limit / recordsPerRequest)
}

/** Milliseconds until the next read of this many requests, so that any minute has at most ten requests. */
export function pauseAfter(requests: number): number {
  return 60_000 / Math.max(Math.floor(requestsPerMinute / requests), 1)
}

export function isFresh({ readAt, requests }: DirectoryView, { now, changedAt }: { now: number; changedAt: number }): boolean {
  return readAt > changedAt && now - readAt < Math.max(freshMs, pauseAfter(requests))
}
