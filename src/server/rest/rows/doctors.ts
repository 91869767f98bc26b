import { mutation, query } from '../row.ts'

export const doctorRows = [
  query('doctorDirectory', {
    method: 'GET',
    path: '/api/doctors',
    arguments: {
      'filter.speciality': 'query.speciality',
      'filter.clinic': 'query.clinic',
      'filter.language': 'query.language',
      'filter.search': 'query.search',
      'filter.doctorId': 'query.doctorId',
      'filter.inactive': 'query.inactive',
      'filter.from': 'query.from',
      'filter.to': 'query.to',
      'filter.state': 'query.state',
      doctorDirectory_slots_first: 'query.first',
      doctorDirectory_slots_after: 'query.after',
    },
    summary: 'Doctors and their visit slots, filtered by speciality, clinic, language, words and dates',
    refusals: ['PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
  mutation('bookVisit', {
    method: 'POST',
    path: '/api/doctors/slots/{slotId}/book',
    arguments: { slotId: 'path.slotId', leadId: 'body.leadId' },
    summary: 'Book a free visit slot for a lead',
    refusals: ['NOT_FOUND', 'SLOT_TAKEN', 'NOT_CONFIGURED', 'PLATFORM_REFUSED', 'PROVIDER_UNAVAILABLE'],
  }),
]
