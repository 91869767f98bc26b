import { z } from 'zod'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, readJson, readManyJson, writeJson } from '../calls/stored-json.ts'
import { type CallRow, rowOf, storedRow, storedRowSchema, type StoredRow } from './call-row.ts'
import { addSums, noSums, type Sums, storedSums, storedSumsSchema } from './history-sums.ts'

/**
 * What the history has, for each workspace: the calls of an hour (a month long), and the sums of an hour and of a day (400 days). Errors of all
 * functions: STORE_UNAVAILABLE.
 */

const dayMs = 86_400_000
const rowDays = 31
/** How long a call can change the sums of its day: less than its row is stored, also where the clinic's day ends half a day after that of UTC. */
export const openDays = 30
const sumDays = 399
/** The longest range of a question, and how far back calls are read from the platform. */
export const maxHistoryDays = 366
const perRead = 120

/** The sums of one agent's calls in one campaign. `agentId`: of the record, or the id at the provider if no record is known. */
export type Cell = {
  readonly agentId: string | null
  readonly agentName: string | null
  readonly campaignName: string | null
  readonly sums: Sums
}

const cellSchema = z
  .tuple([z.string().nullable(), z.string().nullable(), z.string().nullable(), storedSumsSchema])
  .transform(([agentId, agentName, campaignName, sums]): Cell => ({ agentId, agentName, campaignName, sums }))
const cellsSchema = z.array(cellSchema)
const rowsSchema = z.array(storedRowSchema)

/** Changes the calls of an hour, and returns them. */
export async function changeRows(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, hour }: { readonly workspaceId: string; readonly hour: string },
  change: (rows: readonly CallRow[]) => readonly CallRow[],
): Promise<readonly CallRow[]> {
  const ttlMs = untilDay(clock.now(), hour, rowDays)
  const next = (rows: StoredRow[] | null): StoredRow[] => change((rows ?? []).map(rowOf)).map(storedRow)
  const { after } = await changeJson(store, rowsKey(workspaceId, hour), { schema: rowsSchema, ttlMs, next })
  return after.map(rowOf)
}

/** The calls of a day (`2026-11-21`), by start; empty if it is longer ago than a month. */
export async function readRows({ store }: Pick<Ports, 'store'>, workspaceId: string, date: string): Promise<readonly CallRow[]> {
  const keys = hoursOf(date).map((hour) => rowsKey(workspaceId, hour))
  const hours = await readManyJson(store, keys, rowsSchema)
  return hours.flatMap((rows) => (rows ?? []).map(rowOf)).toSorted((one, other) => one.startedAt - other.startedAt)
}

export async function writeHour(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, hour }: { readonly workspaceId: string; readonly hour: string },
  cells: readonly Cell[],
): Promise<void> {
  await writeJson(store, hourKey(workspaceId, hour), { value: cells.map(storedCell), ttlMs: untilDay(clock.now(), hour, sumDays) })
}

/** Makes the sums of a day from those of its hours. */
export async function sumUpDay(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, date: string): Promise<void> {
  const hours = await readManyJson(
    ports.store,
    hoursOf(date).map((hour) => hourKey(workspaceId, hour)),
    cellsSchema,
  )
  const cells = mergedCells(hours.flatMap((hour) => hour ?? []))
  const ttlMs = untilDay(ports.clock.now(), date, sumDays)
  await writeJson(ports.store, dayKey(workspaceId, date), { value: cells.map(storedCell), ttlMs })
}

/** The sums of days, each with its date; a day without calls is left out. */
export async function* readDays({ store }: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  for (let at = 0; at < dates.length; at += perRead) {
    const some = dates.slice(at, at + perRead)
    const keys = some.map((date) => dayKey(workspaceId, date))
    for (const [index, cells] of (await readManyJson(store, keys, cellsSchema)).entries()) {
      if (cells) yield { place: some[index] ?? '', cells }
    }
  }
}

/** The sums of the hours of these days, each with its hour (`2026-11-21T14`); an hour without calls is left out. */
export async function* readHours({ store }: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  const hours = dates.flatMap(hoursOf)
  for (let at = 0; at < hours.length; at += perRead) {
    const some = hours.slice(at, at + perRead)
    const keys = some.map((hour) => hourKey(workspaceId, hour))
    for (const [index, cells] of (await readManyJson(store, keys, cellsSchema)).entries()) {
      if (cells) yield { place: some[index] ?? '', cells }
    }
  }
}

/** One cell for each agent and campaign. */
export function mergedCells(cells: readonly Cell[]): readonly Cell[] {
  const merged = new Map<string, Cell>()
  for (const cell of cells) {
    const key = JSON.stringify([cell.agentId, cell.campaignName])
    const known = merged.get(key) ?? { ...cell, sums: noSums() }
    addSums(known.sums, cell.sums)
    merged.set(key, { ...known, agentName: cell.agentName ?? known.agentName })
  }
  return [...merged.values()]
}

const progressSchema = z.object({
  /** When the history began to count, epoch milliseconds. */
  since: z.number(),
  /** All calls from this moment on are counted (epoch milliseconds); null: all that the platform has of the last year. */
  readTo: z.number().nullable(),
  /** The last day whose calls were all counted again after its end. */
  settled: z.string(),
})
/** Calls from before the history began to count are read from the platform, the latest first. */
export type HistoryProgress = z.output<typeof progressSchema>

/** Null if the history has not begun. */
export async function readProgress({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<HistoryProgress | null> {
  return readJson(store, progressKey(workspaceId), progressSchema)
}

export async function writeProgress({ store }: Pick<Ports, 'store'>, workspaceId: string, progress: HistoryProgress): Promise<void> {
  await writeJson(store, progressKey(workspaceId), { value: progress, ttlMs: 3_650 * dayMs })
}

function storedCell({ agentId, agentName, campaignName, sums }: Cell): z.input<typeof cellSchema> {
  return [agentId, agentName, campaignName, storedSums(sums)]
}

/** From now until so many days after the day; at least a week, because the rebuild of a day may be interrupted. */
function untilDay(now: number, hour: string, days: number): number {
  const end = Date.parse(hour.slice(0, 10)) + (days + 1) * dayMs
  return Math.min((days + 1) * dayMs, Math.max(7 * dayMs, end - now))
}

function hoursOf(date: string): readonly string[] {
  return Array.from({ length: 24 }, (_, hour) => `${date}T${String(hour).padStart(2, '0')}`)
}

const rowsKey = (workspaceId: string, hour: string): string => `history-calls:${workspaceId}:${hour}`
const hourKey = (workspaceId: string, hour: string): string => `history-hour:${workspaceId}:${hour}`
const dayKey = (workspaceId: string, date: string): string => `history-day:${workspaceId}:${date}`
const progressKey = (workspaceId: string): string => `history-rebuild:${workspaceId}`
