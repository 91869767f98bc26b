import { withDeadline } from '../../kernel/with-fallback.ts'
import type { Doctor } from '../../ports/doctors.ts'
import type { Ports } from '../../ports/ports.ts'

const deadlineMs = 5_000

/** The doctors for a language model's prompt; empty if they cannot be read now, because the prompt works without them. */
export async function listDoctorsForModels(
  { doctorDirectory }: Pick<Ports, 'doctorDirectory'>,
  workspaceId: string,
): Promise<readonly Doctor[]> {
  const reading = withDeadline(doctorDirectory.read(workspaceId), deadlineMs)
  return reading.then(({ doctors }) => doctors).catch(() => [])
}
