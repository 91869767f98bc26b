import { withDeadline } from '../../kernel/with-fallback.ts'
import type { Doctor } from '../../ports/doctor.ts'
import type { DoctorDirectory } from './doctor-directory.ts'

/** The doctors whom a model may be told of. */
export type KnownDoctors = (workspaceId: string) => Promise<readonly Doctor[]>

const longestMs = 5_000

/** From the directory; none where it cannot be read now: what is asked of a model does without them. */
export function createKnownDoctors(directory: Pick<DoctorDirectory, 'read'>): KnownDoctors {
  return async (workspaceId) => {
    const reading = withDeadline(directory.read(workspaceId), longestMs)
    return reading.then(({ doctors }) => doctors).catch(() => [])
  }
}
