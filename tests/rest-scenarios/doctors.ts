import { z } from 'zod'
import type { Asked } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const filtered = ({ first, ...filter }: Readonly<Record<string, string | number | boolean>>): Asked => ({
  query: Object.fromEntries(Object.entries({ ...filter, ...(first && { first }) }).map(([name, value]) => [name, String(value)])),
  variables: { filter, ...(first && { doctorDirectory_slots_first: first }) },
})

const noId = '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64'
const booking = (slotId: string, leadId: string): Asked => ({ path: { slotId }, body: { leadId }, variables: { slotId, leadId } })

export const doctorScenarios: Scenarios = {
  'GET /api/doctors': {
    sample: filtered({
      speciality: 'cardio',
      clinic: 'heart',
      language: 'kannada',
      search: 'rao heart',
      doctorId: '3f0c9a52-6d1e-4c4b-9a77-0b5d2e8f1c64',
      inactive: true,
      from: '2025-01-16T09:00:00.000Z',
      to: '2025-01-20T09:00:00.000Z',
      state: 'FREE',
      first: 5,
    }),
    results: ['OK', 'OK', 'OK', 'INVALID_INPUT', 'INVALID_INPUT'],
    play: (ask, { agent, user }) =>
      inSequence(
        () => ask({}, user.token),
        () => ask(filtered({ search: 'cardiology rao', state: 'FREE', first: 3 }), agent.token),
        () => ask(filtered({ language: 'Klingon' }), agent.token),
        () => ask(filtered({ from: '2025-01-16T09:00:00.000Z', to: '2025-01-15T09:00:00.000Z' }), agent.token),
        () => ask(filtered({ doctorId: 'Dr. Rao' }), agent.token),
      ),
  },
  'POST /api/doctors/slots/{slotId}/book': {
    sample: booking(noId, noId),
    results: ['OK', 'OK', 'SLOT_TAKEN', 'SLOT_TAKEN', 'NOT_FOUND', 'INVALID_INPUT'],
    async play(ask, { app, agent: { token } }) {
      const { body } = await app.rest('GET', '/api/doctors?state=FREE&first=200', { token })
      const [slot] = z.object({ slots: z.array(z.object({ id: z.string() })) }).parse(body).slots
      const slotId = slot?.id ?? noId
      const [lead, other] = app.standIns.platform.records('demo', 'lead', {}).map(({ id }) => String(id))
      return inSequence(
        () => ask(booking(slotId, lead ?? noId), token),
        () => ask(booking(slotId, lead ?? noId), token),
        () => ask(booking(slotId, other ?? noId), token),
        () => ask(booking(noId, lead ?? noId), token),
        () => ask(booking(slotId, noId), token),
        () => ask(booking('the first', noId), token),
      )
    },
  },
}
