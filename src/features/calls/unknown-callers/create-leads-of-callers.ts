import { z } from 'zod'
import { AppError } from '../../../kernel/errors.ts'
import { acquireLease } from '../../../ports/lease.ts'
import type { Ports } from '../../../ports/ports.ts'
import { factsOf, type KnownCall } from '../call-facts.ts'
import { type CallKey, readCall } from '../call-state-store.ts'
import { linkMissedCall } from '../missed-call-store.ts'
import { publishEndedCall } from '../publish-ended-call.ts'
import { updateCall } from '../update-call.ts'
import { leadOfCaller, type LeadOfCallerPorts } from './lead-of-caller.ts'
import { dueCallers, leaveQueue, postponeCaller, readProgress, settleCaller } from './queue-unknown-caller.ts'

export type CreateLeadsPorts = LeadOfCallerPorts & Pick<Ports, 'bus' | 'notifications'>

/** After about eight minutes the call goes on without a lead. */
const maxFailures = 12
const backoff = { firstMs: 2_000, longestMs: 60_000 }

/**
 * Creates the leads of unknown callers and links them to their calls, so that screen pops, call records and missed calls show them. One
 * instance at a time works for a workspace. Errors: STORE_UNAVAILABLE.
 */
export async function createLeadsOfCallers(ports: CreateLeadsPorts): Promise<void> {
  const due = Map.groupBy(await dueCallers(ports), ({ workspaceId }) => workspaceId)
  await Promise.all([...due].map(([workspaceId, calls]) => createLeadsOf(ports, workspaceId, calls)))
}

async function createLeadsOf(ports: CreateLeadsPorts, workspaceId: string, calls: readonly CallKey[]): Promise<void> {
  await using lease = await acquireLease(ports.store, `unknown-callers:${workspaceId}`, { log: ports.log })
  if (!lease) return
  // Many calls from one number cost the platform one look-up.
  const leads = new Map<string, string | null>()
  let outage: unknown = null
  for (const key of calls) {
    if (lease.lost.aborted) return
    // Also the calls that were not tried wait longer and longer, and neither they nor other workspaces are held up.
    if (outage !== null) await handleFailure(ports, key, outage)
    else outage = await createLeadOf(ports, key, leads)
  }
}

/** Resolves to the error if it would be the same for other calls of the workspace; null if not, or if all went well. */
async function createLeadOf(ports: CreateLeadsPorts, key: CallKey, leads: Map<string, string | null>): Promise<unknown> {
  const [call, { isDone }] = await Promise.all([readKnown(ports, key), readProgress(ports, key)])
  if (call === unreadable) {
    await handleFailure(ports, key, null)
    return null
  }
  const phoneNumber = call?.phoneNumber ?? null
  try {
    if (call && call.leadId === null && phoneNumber !== null && !isDone) {
      const known = leads.get(phoneNumber)
      const leadId = known === undefined ? await leadOfCaller(ports, key.workspaceId, { phoneNumber, did: call.did }) : known
      leads.set(phoneNumber, leadId)
      if (leadId !== null) await linkLead(ports, key, leadId)
    }
    await finish(ports, key)
    return null
  } catch (error) {
    await handleFailure(ports, key, error)
    return error instanceof AppError && error.reason === 'PROVIDER_REFUSED' ? null : error
  }
}

const unreadable = 'UNREADABLE' as const

/** What another version of this service has written, in another form, must not hold up the callers behind it. */
async function readKnown(ports: CreateLeadsPorts, key: CallKey): Promise<KnownCall | typeof unreadable | null> {
  return readCall(ports, key).catch((error: unknown) => {
    if (error instanceof z.ZodError) return unreadable
    throw error
  })
}

async function linkLead(ports: CreateLeadsPorts, key: CallKey, leadId: string): Promise<void> {
  await updateCall(ports, key, factsOf({ leadId }, { source: 'GUESSED', receivedAt: ports.clock.now() }))
  await linkMissedCall(ports, key, leadId)
}

/** The call goes on, with or without a lead. After a crash in between, it is still in the queue and goes on then. */
async function finish(ports: CreateLeadsPorts, key: CallKey): Promise<void> {
  const { isEndDeferred } = await settleCaller(ports, key)
  const call = isEndDeferred ? await readCall(ports, key) : null
  if (call) await publishEndedCall(ports, key.workspaceId, call)
  await leaveQueue(ports, key)
}

async function handleFailure(ports: CreateLeadsPorts, key: CallKey, error: unknown): Promise<void> {
  const failures = (await readProgress(ports, key)).failures + 1
  const facts = { ...key, failures, reason: error instanceof AppError ? error.reason : 'UNKNOWN' }
  if (failures >= maxFailures) {
    ports.log.error(facts, 'new-lead.given-up')
    // It must not hold up the callers behind it.
    return finish(ports, key).catch(() => postponeCaller(ports, key, { failures, delayMs: backoff.longestMs }))
  }
  const delayMs = Math.min(backoff.longestMs, backoff.firstMs * 2 ** (failures - 1))
  ports.log.warn({ ...facts, delayMs }, 'new-lead.failed')
  await postponeCaller(ports, key, { failures, delayMs })
}
