import type { Actor } from '../../access/actor.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Booking } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'
import { asPerson } from '../../ports/record-access.ts'

/**
 * Books a free visit slot for a lead, with the actor's own rights on the platform. Of many who want the slot one succeeds; the same booking again
 * changes nothing. Errors: NOT_FOUND (no such lead), SLOT_TAKEN (also if it has begun, or does not exist), NOT_CONFIGURED (the workspace's slots have
 * no field or state for a booking), the platform's.
 */
export async function bookVisit(
  ports: Pick<Ports, 'doctorDirectory' | 'doctorRecords' | 'leadRecords'>,
  actor: Actor,
  { slotId, leadId }: Booking,
): Promise<Booking> {
  const { workspaceId } = actor.principal
  const access = asPerson(workspaceId, actor.accessToken)
  if (!(await ports.leadRecords.byId(access, leadId))) throw new AppError('NOT_FOUND', { detail: 'There is no such lead' })
  const { booked } = await ports.doctorRecords.book(access, { slotId, leadId }).catch((error: unknown) => {
    // The platform may have written it although the answer was an error.
    ports.doctorDirectory.invalidate(workspaceId)
    throw error
  })
  ports.doctorDirectory.invalidate(workspaceId, slotId)
  if (!booked) throw new AppError('SLOT_TAKEN', { detail: 'This time is not free: somebody has taken it, or it has begun. Choose another' })
  return { slotId, leadId }
}
