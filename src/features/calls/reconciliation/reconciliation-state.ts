import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'

/** How far a workspace's calls were compared with the provider's records. Errors of all functions: STORE_UNAVAILABLE. */

const runSchema = z.object({
  /** The run compares the calls that began in this time (epoch milliseconds). */
  from: z.number(),
  to: z.number(),
  /** Calls that are live here and began before this time: their starts, in epoch milliseconds. Each is looked up first. */
  longCalls: z.array(z.number()).default([]),
  /** Where the next page begins; null for the first one. */
  after: z.string().nullable(),
  pages: z.number(),
  rows: z.number(),
  added: z.number(),
  unreadable: z.number(),
})
/** A run that goes on with the next page, in this process or another. */
export type ReconciliationRun = z.output<typeof runSchema>

const stateSchema = z.object({
  /** Calls that began before this were never compared: they are older than our knowledge of the workspace. */
  since: z.number(),
  /** All calls that began before this and ended in time were compared. */
  completeUntil: z.number(),
  /** When the last run ended; epoch milliseconds. */
  lastRunAt: z.number(),
  run: runSchema.nullable(),
  /** No try before this time. */
  notBefore: z.number(),
  lastRun: runSchema.pick({ rows: true, added: true, unreadable: true }),
  /** Since the state exists. */
  addedInAll: z.number(),
  /** Tries that failed since the last one that did not, and why. */
  failures: z.number(),
  lastError: z.string().nullable(),
})
export type ReconciliationState = z.output<typeof stateSchema>

/** Longer than any outage that a run can make up for. */
const thirtyDays = 30 * 86_400_000

const maxWorkspaces = 10_000

export const reconciliationStates = new Family({
  name: 'call-reconciliation',
  key: (workspaceId: string) => [workspaceId],
  schema: stateSchema,
  lifetime: thirtyDays,
  about: 'workspace',
  what: "how far calls were compared with the provider's records",
})

export const reconciledWorkspaces = new SortedList({
  name: 'call-reconciliation-workspaces',
  scope: 'installation',
  key: () => [],
  lifetime: thirtyDays,
  about: 'workspace',
  what: 'workspaces whose calls are compared',
})

/** The state of a workspace that was not known before: there is nothing to make up for yet. */
export function newState(now: number): ReconciliationState {
  return {
    since: now,
    completeUntil: now,
    lastRunAt: now,
    run: null,
    notBefore: now,
    lastRun: { rows: 0, added: 0, unreadable: 0 },
    addedInAll: 0,
    failures: 0,
    lastError: null,
  }
}

export async function readState(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<ReconciliationState | null> {
  return reconciliationStates.read(ports, workspaceId)
}

export async function writeState(ports: Pick<Ports, 'clock' | 'store'>, workspaceId: string, value: ReconciliationState): Promise<void> {
  await reconciliationStates.write(ports, workspaceId, { value })
  await reconciledWorkspaces.add(ports, null, { member: workspaceId, score: ports.clock.now() })
}

/** The states of all workspaces. */
export async function readStates(ports: Pick<Ports, 'store'>): Promise<readonly ReconciliationState[]> {
  const members = await reconciledWorkspaces.range(ports, null, { limit: maxWorkspaces })
  const states = await reconciliationStates.readMany(
    ports,
    members.map(({ member }) => member),
  )
  return states.filter((state) => state !== null)
}
