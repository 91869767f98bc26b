import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import { readJson, readManyJson, writeJson } from '../stored-json.ts'

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
const ttlMs = 30 * 86_400_000

const maxWorkspaces = 10_000
const workspaceList = 'call-reconciliation-workspaces'

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

export async function readState({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<ReconciliationState | null> {
  return readJson(store, stateKey(workspaceId), stateSchema)
}

export async function writeState(
  { store, clock }: Pick<Ports, 'clock' | 'store'>,
  workspaceId: string,
  value: ReconciliationState,
): Promise<void> {
  await writeJson(store, stateKey(workspaceId), { value, ttlMs })
  await store.sortedAdd(workspaceList, workspaceId, clock.now())
}

/** The states of all workspaces. */
export async function readStates({ store }: Pick<Ports, 'store'>): Promise<readonly ReconciliationState[]> {
  const members = await store.sortedRange(workspaceList, { limit: maxWorkspaces })
  const keys = members.map(({ member }) => stateKey(member))
  return (await readManyJson(store, keys, stateSchema)).filter((state) => state !== null)
}

const stateKey = (workspaceId: string): string => `call-reconciliation:${workspaceId}`
