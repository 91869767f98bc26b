import { z } from 'zod'
import type { Ports } from '../../../ports/ports.ts'
import type { KnownCall } from '../call-facts.ts'
import type { CallKey } from '../call-state-store.ts'
import { changeJson, readJson } from '../stored-json.ts'

/** Calls whose caller may need a lead. Errors of all functions: STORE_UNAVAILABLE. */

const progressForm = z.object({
  failures: z.number(),
  isDone: z.boolean(),
  /** The provider's record of the whole call was received: its events are published with the lead. */
  isEndDeferred: z.boolean(),
})
/** How far the lead of a call's caller is. */
export type CallerProgress = z.output<typeof progressForm>

const begun: CallerProgress = { failures: 0, isDone: false, isEndDeferred: false }
/**
 * What another version of this service has stored, in another form, begins again: it must not hold up the callers behind it. The end may have been
 * deferred: its events have the same IDs each time, so publishing them twice is harmless, and not at all is not.
 */
const progressSchema = progressForm.catch({ ...begun, isEndDeferred: true })
const progressTtlMs = 86_400_000
const maxPerRun = 200
const dueList = 'unknown-callers'

/** Queues an inbound call that was answered or missed and has no lead, if the workspace wants leads of unknown callers. True if it waits for its lead. */
export async function queueUnknownCaller(
  ports: Pick<Ports, 'clock' | 'configuration' | 'store'>,
  workspaceId: string,
  { ucid, direction, phase, phoneNumber, leadId }: KnownCall,
): Promise<boolean> {
  if (direction !== 'INBOUND' || phase === 'RINGING' || phoneNumber === null || leadId !== null) return false
  if (!(await ports.configuration.read(workspaceId, 'telephony')).newLeads.enabled) return false
  const key = { workspaceId, ucid }
  const { failures, isDone } = await readProgress(ports, key)
  if (isDone) return false
  // A call that failed is already queued, for later.
  if (failures === 0) await ports.store.sortedAdd(dueList, memberOf(key), ports.clock.now())
  return true
}

export async function dueCallers({ store, clock }: Pick<Ports, 'clock' | 'store'>): Promise<readonly CallKey[]> {
  const due = await store.sortedRange(dueList, { max: clock.now(), limit: maxPerRun })
  return due.map(({ member }) => {
    const end = member.indexOf(' ')
    return { workspaceId: member.slice(0, end), ucid: member.slice(end + 1) }
  })
}

export async function readProgress({ store }: Pick<Ports, 'store'>, key: CallKey): Promise<CallerProgress> {
  return (await readJson(store, progressKey(key), progressSchema)) ?? begun
}

/** Has the events of the call's end wait for the lead. False if the lead is settled: then nobody publishes them later. */
export async function deferEnd(ports: Pick<Ports, 'store'>, key: CallKey): Promise<boolean> {
  return !(await changeProgress(ports, key, { isEndDeferred: true })).isDone
}

/** Nothing more happens to the caller's lead. The call leaves the queue by `leaveQueue`. */
export function settleCaller(ports: Pick<Ports, 'store'>, key: CallKey): Promise<CallerProgress> {
  return changeProgress(ports, key, { isDone: true })
}

export async function leaveQueue({ store }: Pick<Ports, 'store'>, key: CallKey): Promise<void> {
  await store.sortedRemove(dueList, memberOf(key))
}

export type Postponement = { readonly failures: number; readonly delayMs: number }

export async function postponeCaller(
  ports: Pick<Ports, 'clock' | 'store'>,
  key: CallKey,
  { failures, delayMs }: Postponement,
): Promise<void> {
  await changeProgress(ports, key, { failures })
  await ports.store.sortedAdd(dueList, memberOf(key), ports.clock.now() + delayMs)
}

async function changeProgress({ store }: Pick<Ports, 'store'>, key: CallKey, change: Partial<CallerProgress>): Promise<CallerProgress> {
  const next = (known: CallerProgress | null): CallerProgress => ({ ...begun, ...known, ...change })
  return (await changeJson(store, progressKey(key), { schema: progressSchema, ttlMs: progressTtlMs, next })).after
}

const memberOf = ({ workspaceId, ucid }: CallKey): string => `${workspaceId} ${ucid}`
const progressKey = ({ workspaceId, ucid }: CallKey): string => `unknown-caller:${workspaceId}:${ucid}`
