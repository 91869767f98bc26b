import { z } from 'zod'
import type { KnownCall } from '../calls/state/call-facts.ts'
import { type AgentNames, agentNames } from '../supervision/agent-names.ts'
import type { SupervisionPorts } from '../supervision/supervision-ports.ts'
import { callRow, type CallRow, hourOf, secondsBetween } from './call-row.ts'
import { type ClinicZones, zoneAt } from './clinic-zones.ts'
import { type Cell, mergedCells } from './history-cells.ts'
import { changeRows, sumUpDay, writeHour } from './history-store.ts'
import { addCall, noSums } from './history-sums.ts'

/** A call to be counted. */
export type PutCall = {
  readonly ucid: string
  /** Null if what was known of it is no longer stored: then only `returnedAt` can change its row. */
  readonly call: KnownCall | null
  /** For a missed call: when somebody talked to the caller; null if nobody did, or if that is not known. */
  readonly missed: { readonly at: string; readonly returnedAt: string | null } | null
  /** ISO 8601: where it may have been counted before. */
  readonly starts: readonly string[]
}

export type Place = {
  readonly workspaceId: string
  readonly zones: ClinicZones
  /** Calls from before are left out; epoch milliseconds. */
  readonly from: number
  /** Aborts when somebody else may count. */
  readonly lost: AbortSignal
}

const dayMs = 86_400_000

/**
 * Counts calls, each once, in the hour in which it began, and sums up these hours and days. For the holder of the workspace's lease.
 * Repeatable. Calls that begin more than a day later than now are left out. Errors: STORE_UNAVAILABLE, the reason of `lost`.
 */
export async function putCalls(
  ports: Pick<SupervisionPorts, 'agentEntries' | 'clock' | 'log' | 'store'>,
  { workspaceId, zones, from, lost }: Place,
  calls: readonly PutCall[],
): Promise<void> {
  const now = ports.clock.now()
  const isOpen = (at: number): boolean => at >= from && at < now + dayMs
  const byHour = new Map<string, PutCall[]>()
  for (const each of calls) {
    const starts = [...each.starts, each.call?.startedAt ?? null].flatMap((at) => (at === null ? [] : [Date.parse(at)]))
    for (const hour of new Set(starts.filter(isOpen).map((at) => hourOf(at, zoneAt(zones, at)))))
      byHour.set(hour, [...(byHour.get(hour) ?? []), each])
  }
  const names = agentNames(await ports.agentEntries.read(workspaceId), [])
  for (const [hour, own] of byHour) {
    lost.throwIfAborted()
    await countHour(ports, { workspaceId, hour }, { names, change: (known) => changedRows(known, { hour, zones, calls: own }) })
  }
  for (const date of new Set([...byHour.keys()].map((hour) => hour.slice(0, 10)))) {
    lost.throwIfAborted()
    const unreadable = await sumUpDay(ports, workspaceId, date)
    // They are made again from the calls of their hours, as long as these are stored.
    for (const hour of unreadable) await countHour(ports, { workspaceId, hour }, { names })
    if (unreadable.length > 0) await sumUpDay(ports, workspaceId, date)
  }
}

type Counting = { readonly names: AgentNames; readonly change?: Parameters<typeof changeRows>[2] }

/** An hour whose calls are stored in another form keeps its sums: it must not hold up the other hours. */
async function countHour(
  ports: Pick<SupervisionPorts, 'clock' | 'log' | 'store'>,
  hour: { readonly workspaceId: string; readonly hour: string },
  { names, change }: Counting,
): Promise<void> {
  try {
    const rows = await changeRows(ports, hour, change ?? ((known) => known))
    if (change || rows.length > 0) await writeHour(ports, hour, cellsOf(rows, names))
  } catch (error) {
    if (!(error instanceof z.ZodError)) throw error
    ports.log.error({ ...hour }, 'history.hour-not-counted')
  }
}

type Changes = { readonly hour: string; readonly zones: ClinicZones; readonly calls: readonly PutCall[] }

function changedRows(known: readonly CallRow[], { hour, zones, calls }: Changes): readonly CallRow[] {
  const rows = new Map(known.map((row) => [row.ucid, row]))
  for (const { ucid, call, missed } of calls) {
    const before = rows.get(ucid) ?? null
    const row = call ? callRow(call, missed?.returnedAt ?? null) : before
    if (row === null) continue
    const returnSeconds = missed ? secondsBetween(missed.at, missed.returnedAt) : null
    const isMissed = row.phase === 'MISSED' && row.direction === 'INBOUND'
    if (hourOf(row.startedAt, zoneAt(zones, row.startedAt)) !== hour) rows.delete(ucid)
    else rows.set(ucid, isMissed ? { ...row, returnSeconds: returnSeconds ?? before?.returnSeconds ?? null } : row)
  }
  return [...rows.values()]
}

function cellsOf(rows: readonly CallRow[], names: AgentNames): readonly Cell[] {
  return mergedCells(
    rows.map((row) => {
      const { providerAgentId, recordId, campaignName } = row
      const agent = names.find(providerAgentId === null && recordId === null ? null : { providerAgentId, recordId })
      const sums = noSums()
      addCall(sums, row)
      return { ...agent, campaignName, sums }
    }),
  )
}
