import { z } from 'zod'
import { type Api, read } from './api.ts'
import type { SignIn } from './session-steps.ts'
import type { StepResult } from './step-result.ts'

const directorySchema = z.object({
  timeZone: z.string(),
  doctors: z.array(z.object({ id: z.string(), name: z.string(), speciality: z.string().nullable(), languages: z.array(z.string()) })),
  slots: z.array(z.object({ doctorId: z.string().nullable(), localStartsAt: z.string(), state: z.string() })),
})

/** Shows the doctors for a caller, and their free times. */
export async function doctorsAndTimes(api: Api, { token }: SignIn): Promise<StepResult> {
  const { timeZone, doctors, slots } = read(await api.rest('GET', '/api/doctors', { token }), 200, directorySchema)
  const free = slots.filter(({ state }) => state === 'FREE')
  const [first] = free
  const doctor = doctors.find(({ id }) => id === first?.doctorId)
  return {
    summary: `${doctors.length} doctors, ${free.length} of their ${slots.length} next slots free`,
    facts: {
      'next free': first ? `${first.localStartsAt.slice(0, 16).replace('T', ' ')} (${timeZone})` : 'none',
      with: doctor ? [doctor.name, doctor.speciality, doctor.languages.join(', ')].filter(Boolean).join('; ') : null,
    },
    value: undefined,
  }
}
