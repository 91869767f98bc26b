import { AppError } from '../../kernel/errors.ts'
import { loggedReason } from '../../kernel/logged-error.ts'
import { acquireLease } from '../../ports/lease.ts'
import { asService } from '../../ports/record-access.ts'
import type { CallPorts } from './call-ports.ts'
import { readCalls } from './call-state-store.ts'
import { requeue, settleQueued, takeQueued, workspacesWithCalls } from './record-queue.ts'
import { relateCalls, type RelateCallsPorts } from './relate-calls.ts'
import { isKeyRefused, refusedBefore } from './write-alone.ts'

export type WriteRecordsPorts = RelateCallsPorts & Pick<CallPorts, 'callRecords' | 'log' | 'recordRetries'>

/** Calls per batch: one request of the hundred per minute that an API key may make. */
const batchSize = 50
const retryMs = 5_000

/**
 * Writes the platform's call records that are older than what we know, many calls per request. Resolves to the number of calls written.
 * Only one instance at a time writes for a workspace, and each write carries the whole call, so that no older state overwrites a newer
 * one. The platform writes all or none of a batch: if it refuses one, each of its calls is retried alone. Errors: STORE_UNAVAILABLE.
 */
export async function writeRecords(ports: WriteRecordsPorts): Promise<number> {
  const workspaces = await workspacesWithCalls(ports)
  const written = await Promise.all(workspaces.map((workspaceId) => writeRecordsOf(ports, workspaceId)))
  return written.reduce((sum, count) => sum + count, 0)
}

async function writeRecordsOf(ports: WriteRecordsPorts, workspaceId: string): Promise<number> {
  const { store, log } = ports
  await using lease = await acquireLease(store, `call-records-lease:${workspaceId}`, { log })
  // Awaited here: the lease is held until the batch is written.
  return lease === null ? 0 : await writeDue(ports, workspaceId, lease.lost)
}

async function writeDue(ports: WriteRecordsPorts, workspaceId: string, lost: AbortSignal): Promise<number> {
  const ucids = await takeQueued(ports, workspaceId, batchSize)
  if (ucids.length === 0) return 0
  try {
    const refused = await refusedBefore(ports, workspaceId, ucids)
    await retryAlone(ports, workspaceId, [...refused])
    const written = await writeBatch(
      ports,
      workspaceId,
      ucids.filter((ucid) => !refused.has(ucid)),
    )
    // Another instance may have written a newer state before ours arrived: these calls are written again.
    lost.throwIfAborted()
    await settleQueued(ports, workspaceId, ucids)
    return written
  } catch (error) {
    ports.log.warn({ workspaceId, calls: ucids.length, reason: loggedReason(error), retryMs }, 'call-records.write-failed')
    await requeue(ports, workspaceId, { ucids, delayMs: retryMs })
    return 0
  }
}

/** Resolves to the number of calls written; those that only a retry can write are left to it. */
async function writeBatch(ports: WriteRecordsPorts, workspaceId: string, ucids: readonly string[]): Promise<number> {
  const known = (await readCalls(ports, workspaceId, ucids)).filter((call) => call !== null)
  if (known.length === 0) return 0
  const access = asService(workspaceId, 'WEBHOOKS')
  try {
    await ports.callRecords.writeMany(access, await relateCalls(ports, access, known))
    return known.length
  } catch (error) {
    const isRefused = error instanceof AppError && error.reason === 'PROVIDER_REFUSED'
    if (!isRefused && !isKeyRefused(error)) throw error
    ports.log.warn({ workspaceId, calls: known.length, reason: loggedReason(error) }, 'call-records.retried-alone')
    await retryAlone(
      ports,
      workspaceId,
      known.map(({ ucid }) => ucid),
    )
    return 0
  }
}

async function retryAlone({ recordRetries }: WriteRecordsPorts, workspaceId: string, ucids: readonly string[]): Promise<void> {
  await Promise.all(ucids.map((ucid) => recordRetries.add({ workspaceId, ucid })))
}
