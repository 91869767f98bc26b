import { AppError } from '../../kernel/errors.ts'
import { newId } from '../../kernel/ids.ts'
import type { Log } from '../../kernel/log.ts'
import { asService, type ServiceAccess } from '../../ports/record-access.ts'
import type { Store } from '../../ports/store.ts'
import type { CallStateStore } from './call-state-store.ts'
import { factsOf, type KnownCall } from './call-facts.ts'
import type { AgentDirectory, CallRecords, CallWrite, LeadRecords } from '../../ports/call-records.ts'
import type { CallStatus } from '../../ports/records/call.ts'
import type { RecordQueue } from './record-queue.ts'

export type WriteRecordsDeps = {
  readonly queue: RecordQueue
  readonly book: CallStateStore
  readonly calls: CallRecords
  readonly leads: LeadRecords
  readonly agents: AgentDirectory
  readonly store: Store
  readonly now: () => number
  readonly log: Log
}

/** One request of the API key's hundred a minute for as many calls. */
const atOnce = 50
const retryMs = 5_000
/** Longer than one batch takes, its waiting for the API key's limit included. */
const turnMs = 180_000

/**
 * Brings the platform's call records up to what we know, many calls with one request. One instance at a time does so for a workspace, and
 * each write carries the whole call as it stands, so that no older state overwrites a newer one. Answers how many calls it wrote.
 */
export function createWriteRecords(deps: WriteRecordsDeps) {
  return async (): Promise<number> => {
    const workspaces = await deps.queue.workspaces()
    const written = await Promise.all(workspaces.map((workspaceId) => inTurn(deps, workspaceId)))
    return written.reduce((sum, count) => sum + count, 0)
  }
}

async function inTurn(deps: WriteRecordsDeps, workspaceId: string): Promise<number> {
  const key = `call-records-turn:${workspaceId}`
  const holder = newId()
  if (!(await deps.store.setIfAbsent(key, holder, { ttlMs: turnMs }))) return 0
  try {
    return await writeDue(deps, workspaceId)
  } finally {
    await deps.store.compareAndDelete(key, holder)
  }
}

/** One batch per turn: a turn never lasts longer than its lease. */
async function writeDue(deps: WriteRecordsDeps, workspaceId: string): Promise<number> {
  const { queue, book, calls, log } = deps
  const ucids = await queue.take(workspaceId, atOnce)
  if (ucids.length === 0) return 0
  const access = asService(workspaceId, 'CALLBACKS')
  try {
    const known = (await book.readMany(workspaceId, ucids)).filter((call) => call !== null)
    await calls.writeMany(access, await completed(deps, access, known))
    await queue.settle(workspaceId, ucids)
    return known.length
  } catch (error) {
    const reason = error instanceof AppError ? error.reason : String(error)
    log.warn({ workspaceId, calls: ucids.length, reason }, 'call records could not be written; they are tried again')
    await queue.putBack(workspaceId, ucids, retryMs)
    return 0
  }
}

/** The calls with their leads and agents, as far as they are known; what is found is kept with the call. */
async function completed(deps: WriteRecordsDeps, access: ServiceAccess, calls: readonly KnownCall[]): Promise<readonly CallWrite[]> {
  const { book, leads, agents, now } = deps
  const numbers = calls.flatMap(({ leadId, phoneNumber }) => (leadId === null && phoneNumber !== null ? [phoneNumber] : []))
  const byPhone = await leads.byPhones(access, [...new Set(numbers)])
  return Promise.all(
    calls.map(async (call) => {
      const leadId = call.leadId ?? byPhone.get(call.phoneNumber ?? '')?.id ?? null
      const agentRecordId =
        call.agentRecordId ?? (call.agentId === null ? null : ((await agents.recordOf(access, call.agentId))?.id ?? null))
      const found = { leadId, agentRecordId }
      if (leadId !== call.leadId || agentRecordId !== call.agentRecordId) {
        await book.add(access.workspaceId, call.ucid, factsOf(found, { source: 'GUESSED', receivedAt: now() }))
      }
      return { ucid: call.ucid, values: valuesOf({ ...call, ...found }) }
    }),
  )
}

const statuses: Readonly<Record<KnownCall['phase'], CallStatus>> = {
  RINGING: 'RINGING',
  ANSWERED: 'ANSWERED',
  COMPLETED: 'COMPLETED',
  MISSED: 'MISSED',
}

export function valuesOf(call: KnownCall): CallWrite['values'] {
  return {
    direction: call.direction,
    status: statuses[call.phase],
    startedAt: call.startedAt ?? undefined,
    answeredAt: call.answeredAt ?? undefined,
    endedAt: call.endedAt ?? undefined,
    durationSeconds: call.talkSeconds ?? undefined,
    phoneNumber: call.phoneNumber ?? undefined,
    did: call.did ?? undefined,
    campaignName: call.campaignName ?? undefined,
    disposition: call.disposition ?? undefined,
    notes: call.notes ?? undefined,
    recordingUrl: call.recordingUrl ?? undefined,
    agentId: call.agentRecordId ?? undefined,
    leadId: call.leadId ?? undefined,
  }
}
