import type { Asked } from '../harness/graphql-and-rest.ts'
import { inSequence, type Scenarios } from './scenario.ts'

const filtered = ({ first, ...filter }: Readonly<Record<string, string | number | boolean>>): Asked => ({
  query: Object.fromEntries(Object.entries({ ...filter, ...(first && { first }) }).map(([name, value]) => [name, String(value)])),
  variables: { filter, ...(first && { doctorDirectory_slots_first: first }) },
})

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
}
