import { createHash } from 'node:crypto'
import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { type DirectoryFilter, listDirectory } from './list-directory.ts'

export function doctorResolvers(ports: Pick<Ports, 'doctorRecords' | 'configuration' | 'clock'>): Resolvers {
  return {
    Query: {
      async doctorDirectory(_root, { filter }, context) {
        const { timeZone, doctors, slots } = await listDirectory(ports, await context.actor(), filter ?? {})
        return {
          id: idOf(filter ?? {}),
          timeZone,
          doctors: doctors.map((doctor) => ({ ...doctor, languages: [...doctor.languages] })),
          slots: [...slots],
        }
      },
    },
  }
}

/** Short, and the same for the same filter. */
function idOf(filter: DirectoryFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined)
  const text = JSON.stringify(given.toSorted(([one], [other]) => one.localeCompare(other)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
