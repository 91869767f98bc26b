import { AppError } from '../../kernel/errors.ts'
import type { CallWrite } from '../../ports/call-records.ts'
import { acquireLease } from '../../ports/lease.ts'
import { asService, type ServiceAccess } from '../../ports/record-access.ts'
import { factsOf, type KnownCall } from './call-facts.ts'
import type { CallPorts } from './call-ports.ts'
import { addCallFacts, readCalls } from './call-state-store.ts'
import { callValues } from './call-values.ts'
import { requeue, settleQueued, takeQueued, workspacesWithCalls } from './record-queue.ts'

export type WriteRecordsPorts = Pick<CallPorts, 'agentDirectory' | 'callRecords' | 'clock' | 'leadRecords' | 'log' | 'store'>

/** Calls per batch: one request of the hundred per minute that an API key may make. */
const batchSize = 50
const retryMs = 5_000
const leaseMs = 60_000

/**
 * Writes the platform's call records that are older than what we know, many calls per request. Resolves to the number of calls written.
 * Only one instance at a time writes for a workspace, and each write carries the whole call, so that no older state overwrites a newer
 * one. Errors: STORE_UNAVAILABLE.
 */
export async function writeRecords(ports: WriteRecordsPorts): Promise<number> {
  const workspaces = await workspacesWithCalls(ports)
  const written = await Promise.all(workspaces.map((workspaceId) => writeRecordsOf(ports, workspaceId)))
  return written.reduce((sum, count) => sum + count, 0)
}

async function writeRecordsOf(ports: WriteRecordsPorts, workspaceId: string): Promise<number> {
  const { store, log } = ports
  await using lease = await acquireLease(store, `call-records-lease:${workspaceId}`, { ttlMs: leaseMs, log })
  // Awaited here: the lease is held until the batch is written.
  return lease === null ? 0 : await writeBatch(ports, workspaceId, lease.lost)
}

async function writeBatch(ports: WriteRecordsPorts, workspaceId: string, lost: AbortSignal): Promise<number> {
  const ucids = await takeQueued(ports, workspaceId, batchSize)
  if (ucids.length === 0) return 0
  const access = asService(workspaceId, 'WEBHOOKS')
  try {
    const known = (await readCalls(ports, workspaceId, ucids)).filter((call) => call !== null)
    await ports.callRecords.writeMany(access, await withLeadsAndAgents(ports, access, known))
    // Another instance may have written a newer state before ours arrived: these calls are written again.
    lost.throwIfAborted()
    await settleQueued(ports, workspaceId, ucids)
    return known.length
  } catch (error) {
    const reason = error instanceof AppError ? error.reason : String(error)
    ports.log.warn({ workspaceId, calls: ucids.length, reason, retryMs }, 'call-records.write-failed')
    await requeue(ports, workspaceId, { ucids, delayMs: retryMs })
    return 0
  }
}

/** The calls with their leads and agents, as far as these are known. What is found is stored with the call. */
async function withLeadsAndAgents(
  ports: WriteRecordsPorts,
  access: ServiceAccess,
  calls: readonly KnownCall[],
): Promise<readonly CallWrite[]> {
  const numbers = calls.flatMap(({ leadId, phoneNumber }) => (leadId === null && phoneNumber !== null ? [phoneNumber] : []))
  const leads = await ports.leadRecords.byPhones(access, [...new Set(numbers)])
  return Promise.all(
    calls.map(async (call) => {
      const leadId = call.leadId ?? leads.get(call.phoneNumber ?? '')?.id ?? null
      const agentRecordId = call.agentRecordId ?? (await agentRecordOf(ports, access, call.agentId))
      const found = { leadId, agentRecordId }
      if (leadId !== call.leadId || agentRecordId !== call.agentRecordId) {
        const key = { workspaceId: access.workspaceId, ucid: call.ucid }
        await addCallFacts(ports, key, factsOf(found, { source: 'GUESSED', receivedAt: ports.clock.now() }))
      }
      return { ucid: call.ucid, values: callValues({ ...call, ...found }) }
    }),
  )
}

async function agentRecordOf(
  { agentDirectory }: WriteRecordsPorts,
  access: ServiceAccess,
  providerAgentId: string | null,
): Promise<string | null> {
  if (providerAgentId === null) return null
  return (await agentDirectory.recordOf(access, providerAgentId))?.id ?? null
}
