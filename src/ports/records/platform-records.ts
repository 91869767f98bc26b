import { agentRecord } from './agent.ts'
import { callRecord } from './call.ts'
import { doctorRecord } from './doctor.ts'
import { leadRecord } from './lead.ts'
import { visitSlotRecord } from './visit-slot.ts'

/** Every record type that the service reads or writes on the platform. */
export const platformRecords = {
  agent: agentRecord,
  lead: leadRecord,
  call: callRecord,
  doctor: doctorRecord,
  visitSlot: visitSlotRecord,
} as const

export type RecordName = keyof typeof platformRecords
export type FieldsOf<Name extends RecordName> = (typeof platformRecords)[Name]['fields']
