import { AppError } from '../../../kernel/errors.ts'
import { loggedReason } from '../../../kernel/logged-error.ts'
import type { DueTask } from '../../../ports/due/due-work.ts'
import { asService } from '../../../ports/record-access.ts'
import type { CallPorts } from '../state/call-ports.ts'
import { readCalls } from '../state/call-state-store.ts'
import { formerTakenRecords, noteWorkspace, queuedRecords, queueRecord, workspacesWithCalls } from '../state/record-queue.ts'
import { relateCalls, type RelateCallsPorts } from './relate-calls.ts'
import { isKeyRefused, refusedBefore } from './write-alone.ts'

export type WriteRecordsPorts = RelateCallsPorts & Pick<CallPorts, 'callRecords' | 'log' | 'recordRetries'>

/**
 * Writes the platform's call records that are older than what we know, many calls per request. Each write carries the
 * whole call, so that no older state overwrites a newer one. The platform writes all or none of a batch: if it refuses
 * one, each of its calls is retried alone.
 */
export function writeRecords(ports: WriteRecordsPorts): DueTask {
  return {
    list: queuedRecords,
    run: async (items, signal) => {
      const [first] = items
      if (first) await writeDue(ports, first.workspaceId, { ucids: items.map(({ id }) => id), lost: signal })
      return items.map(() => 'DONE')
    },
    carryOver: () => carryOver(ports),
  }
}

type Batch = { readonly ucids: readonly string[]; readonly lost: AbortSignal }

async function writeDue(ports: WriteRecordsPorts, workspaceId: string, { ucids, lost }: Batch): Promise<void> {
  await noteWorkspace(ports, workspaceId)
  const refused = await refusedBefore(ports, workspaceId, ucids)
  await retryAlone(ports, workspaceId, [...refused])
  try {
    await writeBatch(
      ports,
      workspaceId,
      ucids.filter((ucid) => !refused.has(ucid)),
    )
  } finally {
    // Another instance may have written a newer state before ours arrived, and is done with these calls: they are
    // written again.
    if (lost.aborted) await Promise.all(ucids.map((ucid) => queueRecord(ports, { workspaceId, ucid })))
  }
}

/** Earlier versions had a list of workspaces, and one of what was being written. */
async function carryOver(ports: WriteRecordsPorts): Promise<void> {
  for (const workspaceId of await workspacesWithCalls(ports)) {
    for (const { member } of await formerTakenRecords.range(ports, workspaceId, { limit: 10_000 })) {
      await queuedRecords.add(ports, { workspaceId, id: member }, ports.clock.now())
      await formerTakenRecords.remove(ports, workspaceId, member)
    }
    const [first] = await queuedRecords.items.range(ports, workspaceId, { limit: 1 })
    if (first) await queuedRecords.found(ports, workspaceId, first.score)
  }
}

/** Those that only a retry can write are left to it. */
async function writeBatch(ports: WriteRecordsPorts, workspaceId: string, ucids: readonly string[]): Promise<void> {
  const known = (await readCalls(ports, workspaceId, ucids)).filter((call) => call !== null)
  if (known.length === 0) return
  const access = asService(workspaceId, 'WEBHOOKS')
  try {
    await ports.callRecords.writeMany(access, await relateCalls(ports, access, known))
  } catch (error) {
    const isRefused = error instanceof AppError && error.reason === 'PROVIDER_REFUSED'
    if (!isRefused && !isKeyRefused(error)) throw error
    ports.log.warn({ workspaceId, calls: known.length, reason: loggedReason(error) }, 'call-records.retried-alone')
    await retryAlone(
      ports,
      workspaceId,
      known.map(({ ucid }) => ucid),
    )
  }
}

async function retryAlone({ recordRetries }: WriteRecordsPorts, workspaceId: string, ucids: readonly string[]): Promise<void> {
  await Promise.all(ucids.map((ucid) => recordRetries.add({ workspaceId, ucid })))
}
