import { createHash } from 'node:crypto'
import type { Resolvers } from '../../generated.ts'
import type { Ports } from '../../ports/ports.ts'
import { bookVisit } from './book-visit.ts'
import { listSlots } from './list-slots.ts'
import { type DirectoryFilter, type DirectoryPorts, openDirectory } from './open-directory.ts'

export function doctorResolvers(ports: DirectoryPorts & Pick<Ports, 'doctorDirectory' | 'leadRecords'>): Resolvers {
  return {
    Query: {
      doctorDirectory: async (_root, { filter }, context) => openDirectory(ports, await context.actor(), filter ?? {}),
    },
    Mutation: {
      bookVisit: async (_root, booking, context) => ({ id: booking.slotId, ...(await bookVisit(ports, await context.actor(), booking)) }),
    },
    DoctorDirectory: {
      id: ({ filter }) => idOf(filter),
      timeZone: async ({ access }) => (await ports.configuration.read(access.workspaceId, 'platform')).visits.timeZone,
      doctors: async ({ doctors }) => (await doctors()).matching.map((doctor) => ({ ...doctor, languages: [...doctor.languages] })),
      slots: async (directory, page) => listSlots(ports, directory, page),
    },
  }
}

/** Short, and the same for the same filter. */
function idOf(filter: DirectoryFilter): string {
  const given = Object.entries(filter).filter(([, value]) => value !== null && value !== undefined)
  const text = JSON.stringify(given.toSorted(([one], [other]) => one.localeCompare(other)))
  return createHash('sha256').update(text).digest('base64url').slice(0, 16)
}
