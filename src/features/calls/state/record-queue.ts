import { DueList } from '../../../ports/due/due-list.ts'
import type { Ports } from '../../../ports/ports.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
import type { CallKey } from './call-state-store.ts'

/** Calls whose platform record is older than what we know. Errors of all functions: STORE_UNAVAILABLE. */

/** A call becomes due after this time, so that further changes join it and become one write. */
const quietMs = 1_000
const maxWorkspaces = 10_000
const day = 86_400_000

export const callWorkspaces = new SortedList({
  name: 'call-records-workspaces',
  scope: 'installation',
  key: () => [],
  lifetime: 365 * day,
  about: 'workspace',
  what: 'workspaces with calls, since their last call',
})

export const queuedRecords = new DueList({
  name: 'call-records-queued',
  about: 'call',
  what: 'calls whose record is to be written',
  retry: { firstMs: 5_000, longestMs: 5_000 },
  // What we know of a call is forgotten after a week.
  giveUpAfterMs: 6 * day,
  // One request of the hundred per minute that an API key may make.
  batch: 50,
})

export const formerTakenRecords = new SortedList({
  name: 'call-records-taken',
  key: (workspaceId: string) => [workspaceId],
  lifetime: 7 * day,
  about: 'call',
  what: 'calls whose record an earlier version was writing',
})

/** Queues the call's record for writing. */
export async function queueRecord(ports: Pick<Ports, 'store' | 'clock'>, { workspaceId, ucid }: CallKey): Promise<void> {
  await queuedRecords.add(ports, { workspaceId, id: ucid }, ports.clock.now() + quietMs)
}

/** Jobs that go through all workspaces then go through this one too. */
export async function noteWorkspace(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string): Promise<void> {
  await callWorkspaces.add(ports, null, { member: workspaceId, score: ports.clock.now() })
}

/** Workspaces whose records were ever written, or are to be. */
export async function workspacesWithCalls(ports: Pick<Ports, 'store'>): Promise<readonly string[]> {
  const [noted, queued] = await Promise.all([callWorkspaces.range(ports, null, { limit: maxWorkspaces }), queuedRecords.workspaces(ports)])
  return [...new Set([...noted.map(({ member }) => member), ...queued])]
}

/**
 * Call records that could not be written with others, on the same durable queue as the events: each is written alone
 * with back-off, parked while the API key is missing or refused, and becomes a dead letter if it cannot be written.
 */
export interface RecordRetries {
  /** Resolves when the call is durable. Errors: OVERLOADED, STORE_UNAVAILABLE. */
  add(call: CallKey): Promise<void>
  start(): void
  /** Waits for records that are being written. */
  stop(): Promise<void>
}
