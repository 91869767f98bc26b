import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { listDirectory } from './list-directory.ts'

export function doctorResolvers(ports: Pick<Ports, 'doctorRecords' | 'configuration' | 'clock'>): Resolvers {
  return {
    Query: {
      async doctorDirectory(_root, { filter }, context) {
        const { timeZone, doctors, slots } = await listDirectory(ports, await context.actor(), filter ?? {})
        return { timeZone, doctors: doctors.map((doctor) => ({ ...doctor, languages: [...doctor.languages] })), slots: [...slots] }
      },
    },
  }
}
