import { z } from 'zod'
import { DueList } from '../../../ports/due/due-list.ts'
import type { Ports } from '../../../ports/ports.ts'
import { Family } from '../../../ports/stored/family.ts'
import { SortedList } from '../../../ports/stored/sorted-list.ts'
import type { KnownCall } from '../state/call-facts.ts'
import type { CallKey } from '../state/call-state-store.ts'

/** Calls whose caller may need a lead. Errors of all functions: STORE_UNAVAILABLE. */

const progressForm = z.object({
  /** Nothing more happens to the caller's lead. */
  isDone: z.boolean(),
  /** The provider's record of the whole call was received: its events are published with the lead. */
  isEndDeferred: z.boolean(),
})
/** How far the lead of a call's caller is. */
export type CallerProgress = z.output<typeof progressForm>

const begun: CallerProgress = { isDone: false, isEndDeferred: false }
/**
 * What another version of this service has stored, in another form, begins again: it must not hold up the callers
 * behind it. The end may have been deferred: its events have the same IDs each time, so publishing them twice is
 * harmless, and not at all is not.
 */
const progressSchema = progressForm.catch({ ...begun, isEndDeferred: true })
const dayMs = 86_400_000

export const callerProgress = new Family({
  name: 'unknown-caller',
  key: ({ workspaceId, ucid }: CallKey) => [workspaceId, ucid],
  schema: progressSchema,
  lifetime: dayMs,
  about: 'call',
  what: 'a caller who is to become a lead: number',
})

export const unknownCallers = new DueList({
  name: 'callers-without-lead',
  about: 'call',
  what: 'calls whose caller may become a lead',
  retry: { firstMs: 2_000, longestMs: 60_000 },
  // Then the call goes on without a lead.
  giveUpAfterMs: 8 * 60_000,
  batch: 200,
})

export const formerUnknownCallers = new SortedList({
  name: 'unknown-callers',
  scope: 'installation',
  key: () => [],
  lifetime: dayMs,
  about: 'call',
  what: 'the same of an earlier version',
})

/**
 * Queues an inbound call that was answered or missed and has no lead, if the workspace wants leads of unknown callers.
 * True if it waits for its lead.
 */
export async function queueUnknownCaller(
  ports: Pick<Ports, 'clock' | 'configuration' | 'store'>,
  workspaceId: string,
  { ucid, direction, phase, phoneNumber, leadId }: KnownCall,
): Promise<boolean> {
  if (direction !== 'INBOUND' || phase === 'RINGING' || phoneNumber === null || leadId !== null) return false
  if (!(await ports.configuration.read(workspaceId, 'telephony')).newLeads.enabled) return false
  if ((await callerProgress.read(ports, { workspaceId, ucid }))?.isDone) return false
  await unknownCallers.add(ports, { workspaceId, id: ucid }, ports.clock.now())
  return true
}

/**
 * Has the events of the call's end wait for the lead. False if the lead is settled: then nobody publishes them later.
 */
export async function deferEnd(ports: Pick<Ports, 'store'>, key: CallKey): Promise<boolean> {
  return !(await changeProgress(ports, key, { isEndDeferred: true })).isDone
}

/** Nothing more happens to the caller's lead. */
export function settleCaller(ports: Pick<Ports, 'store'>, key: CallKey): Promise<CallerProgress> {
  return changeProgress(ports, key, { isDone: true })
}

async function changeProgress(ports: Pick<Ports, 'store'>, key: CallKey, change: Partial<CallerProgress>): Promise<CallerProgress> {
  const next = (known: CallerProgress | null): CallerProgress => ({ ...begun, ...known, ...change })
  return (await callerProgress.change(ports, key, { next })).after
}
