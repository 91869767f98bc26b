import { createSeeded } from './seed-records.ts'
import type { LiveWorkspace } from './fixtures.ts'

/** Adds many plain leads, and calls spread over them, for tests under load. */
export function seedLoad(workspace: LiveWorkspace, { leads = 0, calls = 0 }: { leads?: number; calls?: number }, now: number): void {
  const offset = workspace.records.find(objectOf(workspace, 'lead'), {}).length
  const ids = Array.from({ length: leads }, (_, index) => {
    const number = offset + index
    return createSeeded(workspace, 'lead', {
      name: `Lead ${number}`,
      phones: { primaryPhoneNumber: `+9170${String(number).padStart(8, '0')}` },
      status: 'NEW',
      source: 'Import',
    }).id
  })
  const known = ids.length > 0 ? ids : workspace.records.find(objectOf(workspace, 'lead'), {}).map(({ id }) => id)
  const before = workspace.records.find(objectOf(workspace, 'call'), {}).length
  for (let index = 0; index < calls; index += 1) {
    const startedAt = now - index * 9000
    createSeeded(workspace, 'call', {
      name: `Call ${before + index}`,
      ucid: String(18_000_000_000_000 + before + index),
      direction: 'INBOUND',
      status: 'COMPLETED',
      startedAt: new Date(startedAt),
      answeredAt: new Date(startedAt + 8000),
      endedAt: new Date(startedAt + 98_000),
      durationSeconds: 90,
      leadId: known[index % Math.max(1, known.length)] ?? null,
    })
  }
}

function objectOf(workspace: LiveWorkspace, name: string) {
  const object = workspace.model.object(name)
  if (!object) throw new Error(`no object ${name}`)
  return object
}
