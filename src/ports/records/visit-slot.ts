import { clinicInstant, line, relation } from './field.ts'
import { recordType } from './record.ts'

/** A time at which a doctor sees somebody. */
export const visitSlotRecord = recordType({
  singular: 'visitSlot',
  icon: 'IconCalendar',
  columns: ['title', 'doctorId', 'startsAt', 'endsAt', 'state', 'leadId'],
  fields: {
    title: { ...line, standardName: 'name', description: 'Title of the visit' },
    doctorId: { ...relation, standardName: 'doctor', target: 'doctor', description: 'The doctor' },
    startsAt: { ...clinicInstant, description: 'When the visit begins' },
    endsAt: { ...clinicInstant, description: 'When the visit ends' },
    state: { ...line, types: ['SELECT', 'TEXT'], options: ['FREE', 'HELD', 'BOOKED'], description: 'Whether the slot can be booked' },
    leadId: { ...relation, standardName: 'lead', target: 'lead', description: 'The lead whose visit it is' },
  },
})
