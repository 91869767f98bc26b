import type { Resolvers } from '../../generated.ts'
import type { ListDirectory } from './list-directory.ts'

export type DoctorUseCases = { readonly listDirectory: ListDirectory }

export function createDoctorResolvers({ listDirectory }: DoctorUseCases): Resolvers {
  return {
    Query: {
      async doctorDirectory(_root, { filter }, context) {
        const { timeZone, doctors, slots } = await listDirectory(await context.caller(), filter ?? {})
        return { timeZone, doctors: doctors.map((doctor) => ({ ...doctor, languages: [...doctor.languages] })), slots: [...slots] }
      },
    },
  }
}
