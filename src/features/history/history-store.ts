import { z } from 'zod'
import { nextSlice } from '../../kernel/loop-slices.ts'
import type { Ports } from '../../ports/ports.ts'
import { changeJson, readJson, readManyJson, writeJson } from '../calls/stored-json.ts'
import { type CallRow, rowOf, storedRow, type StoredRow } from './call-row.ts'
import { type Cell, cellsOf, mergedCells, storedCells, storedCellsSchema } from './history-cells.ts'

/**
 * What the history has, for each workspace: the calls of an hour (a month long), and the sums of an hour and of a day (400 days). Errors of all
 * functions: STORE_UNAVAILABLE.
 */

const dayMs = 86_400_000
const rowDays = 31
/** A call of a day that is longer ago is stored so long, because its day may be read from the platform again in parts. */
export const rebuiltRowDays = 7
/** How long a call can change the sums of its day: less than its row is stored, also where the clinic's day ends half a day after that of UTC. */
export const openDays = 30
const sumDays = 399
/** The longest range of a question, and how far back calls are read from the platform. */
export const maxHistoryDays = 366
/** Some milliseconds of work, and then others have their turn: a year of hours is a second's work. */
const perRead = 24

const rowsSchema = z.array(z.array(z.unknown()))

/** Changes the calls of an hour, and returns them. A row that another version of this service has written is not counted, and stays. */
export async function changeRows(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, hour }: { readonly workspaceId: string; readonly hour: string },
  change: (rows: readonly CallRow[]) => readonly CallRow[],
): Promise<readonly CallRow[]> {
  const ttlMs = untilDay(clock.now(), hour, rowDays)
  let changed: readonly CallRow[] = []
  const next = (rows: readonly StoredRow[] | null): StoredRow[] => {
    const known = (rows ?? []).map((stored) => ({ stored, row: rowOf(stored) }))
    changed = change(known.flatMap(({ row }) => row ?? []))
    return [...known.flatMap(({ stored, row }) => (row ? [] : [stored])), ...changed.map(storedRow)]
  }
  await changeJson(store, rowsKey(workspaceId, hour), { schema: rowsSchema, ttlMs, next })
  return changed
}

/** The calls of a day (`2026-11-21`), by start; empty if it is longer ago than a month. */
export async function readRows({ store }: Pick<Ports, 'store'>, workspaceId: string, date: string): Promise<readonly CallRow[]> {
  const keys = hoursOf(date).map((hour) => rowsKey(workspaceId, hour))
  const hours = await readManyJson(store, keys, rowsSchema)
  return hours
    .flatMap((rows) => (rows ?? []).flatMap((stored) => rowOf(stored) ?? []))
    .toSorted((one, other) => one.startedAt - other.startedAt)
}

export async function writeHour(
  { store, clock }: Pick<Ports, 'store' | 'clock'>,
  { workspaceId, hour }: { readonly workspaceId: string; readonly hour: string },
  cells: readonly Cell[],
): Promise<void> {
  await writeJson(store, hourKey(workspaceId, hour), { value: storedCells(cells), ttlMs: untilDay(clock.now(), hour, sumDays) })
}

/** Sums that another version of this service has written, in another form. */
const unreadable = 'UNREADABLE' as const
const readableCellsSchema = storedCellsSchema.or(z.unknown().transform(() => unreadable))

/** Makes the sums of a day from those of its hours, and returns the hours whose sums cannot be read: the day is without them. */
export async function sumUpDay(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, date: string): Promise<readonly string[]> {
  const hours = hoursOf(date)
  const keys = hours.map((hour) => hourKey(workspaceId, hour))
  const stored = await readManyJson(ports.store, keys, readableCellsSchema)
  const cells = mergedCells(stored.flatMap((found) => (found === null || found === unreadable ? [] : cellsOf(found))))
  const ttlMs = untilDay(ports.clock.now(), date, sumDays)
  await writeJson(ports.store, dayKey(workspaceId, date), { value: storedCells(cells), ttlMs })
  return hours.filter((_, index) => stored[index] === unreadable)
}

/** The sums of these days, each with its date; a day without calls is left out. Null: they cannot be read. */
export function readDays(ports: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  return readCells(
    ports,
    dates.map((place) => ({ place, key: dayKey(workspaceId, place) })),
  )
}

/** The sums of the hours of these days, each with its hour (`2026-11-21T14`); an hour without calls is left out. Null: they cannot be read. */
export function readHours(ports: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  return readCells(
    ports,
    dates.flatMap(hoursOf).map((place) => ({ place, key: hourKey(workspaceId, place) })),
  )
}

async function* readCells({ store }: Pick<Ports, 'store'>, places: readonly { readonly place: string; readonly key: string }[]) {
  for (let at = 0; at < places.length; at += perRead) {
    await nextSlice()
    const some = places.slice(at, at + perRead)
    const keys = some.map(({ key }) => key)
    for (const [index, stored] of (await readManyJson(store, keys, readableCellsSchema)).entries()) {
      if (stored !== null) yield { place: some[index]?.place ?? '', stored: stored === unreadable ? null : stored }
    }
  }
}

const progressSchema = z.object({
  /** When the history began to count, epoch milliseconds. */
  since: z.number(),
  /** All calls from this moment on are counted (epoch milliseconds); null: all that the platform has of the last year. */
  readTo: z.number().nullable(),
  /** How many calls that began in the millisecond before `readTo` are counted, too: many may have begun in one millisecond. */
  read: z.int().min(0).default(0),
  /** When calls were last read from the platform, epoch milliseconds. */
  readAt: z.number().default(0),
  /** The last day whose calls were all counted again after its end. */
  settled: z.string(),
  /** The clinic's time zones, the present one last, and from when each counts (epoch milliseconds). */
  zones: z.array(z.object({ from: z.number(), timeZone: z.string() })).default([]),
})
/** Calls from before the history began to count are read from the platform, the latest first. */
export type HistoryProgress = z.output<typeof progressSchema>

/** Null if the history has not begun, or if it is in another form: then it begins again, and reads earlier calls from the platform. */
export async function readProgress({ store }: Pick<Ports, 'store'>, workspaceId: string): Promise<HistoryProgress | null> {
  return readJson(store, progressKey(workspaceId), progressSchema.nullable().catch(null))
}

export async function writeProgress({ store }: Pick<Ports, 'store'>, workspaceId: string, progress: HistoryProgress): Promise<void> {
  await writeJson(store, progressKey(workspaceId), { value: progress, ttlMs: 3_650 * dayMs })
}

/** From now until so many days after the day; at least a week. */
function untilDay(now: number, hour: string, days: number): number {
  const end = Date.parse(hour.slice(0, 10)) + (days + 1) * dayMs
  return Math.min((days + 1) * dayMs, Math.max(rebuiltRowDays * dayMs, end - now))
}

function hoursOf(date: string): readonly string[] {
  return Array.from({ length: 24 }, (_, hour) => `${date}T${String(hour).padStart(2, '0')}`)
}

const rowsKey = (workspaceId: string, hour: string): string => `history-calls:${workspaceId}:${hour}`
const hourKey = (workspaceId: string, hour: string): string => `history-hour:${workspaceId}:${hour}`
const dayKey = (workspaceId: string, date: string): string => `history-day:${workspaceId}:${date}`
const progressKey = (workspaceId: string): string => `history-rebuild:${workspaceId}`
