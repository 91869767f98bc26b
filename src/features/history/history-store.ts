import { z } from 'zod'
import { nextSlice } from '../../kernel/loop-slices.ts'
import type { Ports } from '../../ports/ports.ts'
import { Family } from '../../ports/stored/family.ts'
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

const rowsSchema = z.array(z.array(z.unknown()).readonly())

/** `hour`: `2026-11-21T14`, in UTC. */
type HourKey = { readonly workspaceId: string; readonly hour: string }
type DayKey = { readonly workspaceId: string; readonly date: string }

export const hourRows = new Family({
  name: 'history-calls',
  key: ({ workspaceId, hour }: HourKey) => [workspaceId, hour],
  schema: rowsSchema,
  lifetime: (rowDays + 1) * dayMs,
  about: 'call',
  what: 'calls of an hour as the history counts them: UCID, agent, campaign, outcome code, seconds',
})

/** Changes the calls of an hour, and returns them. A row that another version of this service has written is not counted, and stays. */
export async function changeRows(
  ports: Pick<Ports, 'store' | 'clock'>,
  key: HourKey,
  change: (rows: readonly CallRow[]) => readonly CallRow[],
): Promise<readonly CallRow[]> {
  let changed: readonly CallRow[] = []
  const next = (rows: readonly StoredRow[] | null): StoredRow[] => {
    const known = (rows ?? []).map((stored) => ({ stored, row: rowOf(stored) }))
    changed = change(known.flatMap(({ row }) => row ?? []))
    return [...known.flatMap(({ stored, row }) => (row ? [] : [stored])), ...changed.map(storedRow)]
  }
  await hourRows.change(ports, key, { next, lifetime: untilDay(ports.clock.now(), key.hour, rowDays) })
  return changed
}

/** The calls of a day (`2026-11-21`), by start; empty if it is longer ago than a month. */
export async function readRows(ports: Pick<Ports, 'store'>, workspaceId: string, date: string): Promise<readonly CallRow[]> {
  const hours = await hourRows.readMany(
    ports,
    hoursOf(date).map((hour) => ({ workspaceId, hour })),
  )
  return hours
    .flatMap((rows) => (rows ?? []).flatMap((stored) => rowOf(stored) ?? []))
    .toSorted((one, other) => one.startedAt - other.startedAt)
}

export async function writeHour(ports: Pick<Ports, 'store' | 'clock'>, key: HourKey, cells: readonly Cell[]): Promise<void> {
  await hourSums.write(ports, key, { value: storedCells(cells), lifetime: untilDay(ports.clock.now(), key.hour, sumDays) })
}

/** Sums that another version of this service has written, in another form. */
const unreadable = 'UNREADABLE' as const
const readableCellsSchema = storedCellsSchema.or(z.unknown().transform(() => unreadable))

export const hourSums = new Family({
  name: 'history-hour',
  key: ({ workspaceId, hour }: HourKey) => [workspaceId, hour],
  schema: readableCellsSchema,
  lifetime: (sumDays + 1) * dayMs,
  about: 'agent',
  what: 'sums of an hour, for each agent and campaign, with the names of the agents',
})

export const daySums = new Family({
  name: 'history-day',
  key: ({ workspaceId, date }: DayKey) => [workspaceId, date],
  schema: readableCellsSchema,
  lifetime: (sumDays + 1) * dayMs,
  about: 'agent',
  what: 'sums of a day, for each agent and campaign, with the names of the agents',
})

/** Makes the sums of a day from those of its hours, and returns the hours whose sums cannot be read: the day is without them. */
export async function sumUpDay(ports: Pick<Ports, 'store' | 'clock'>, workspaceId: string, date: string): Promise<readonly string[]> {
  const hours = hoursOf(date)
  const stored = await hourSums.readMany(
    ports,
    hours.map((hour) => ({ workspaceId, hour })),
  )
  const cells = mergedCells(stored.flatMap((found) => (found === null || found === unreadable ? [] : cellsOf(found))))
  const lifetime = untilDay(ports.clock.now(), date, sumDays)
  await daySums.write(ports, { workspaceId, date }, { value: storedCells(cells), lifetime })
  return hours.filter((_, index) => stored[index] === unreadable)
}

/** The sums of these days, each with its date; a day without calls is left out. Null: they cannot be read. */
export function readDays(ports: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  return readCells(dates, (some) =>
    daySums.readMany(
      ports,
      some.map((date) => ({ workspaceId, date })),
    ),
  )
}

/** The sums of the hours of these days, each with its hour (`2026-11-21T14`); an hour without calls is left out. Null: they cannot be read. */
export function readHours(ports: Pick<Ports, 'store'>, workspaceId: string, dates: readonly string[]) {
  return readCells(dates.flatMap(hoursOf), (some) =>
    hourSums.readMany(
      ports,
      some.map((hour) => ({ workspaceId, hour })),
    ),
  )
}

type Sums = z.output<typeof readableCellsSchema>

async function* readCells(places: readonly string[], read: (places: readonly string[]) => Promise<readonly (Sums | null)[]>) {
  for (let at = 0; at < places.length; at += perRead) {
    await nextSlice()
    const some = places.slice(at, at + perRead)
    for (const [index, stored] of (await read(some)).entries()) {
      if (stored !== null) yield { place: some[index] ?? '', stored: stored === unreadable ? null : stored }
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

export const historyProgress = new Family({
  name: 'history-rebuild',
  key: (workspaceId: string) => [workspaceId],
  schema: progressSchema,
  // The history begins again, and reads earlier calls from the platform.
  unreadable: 'ABSENT',
  lifetime: 3_650 * dayMs,
  about: 'workspace',
  what: 'since when the history counts, and which earlier days are rebuilt',
})

/** Null if the history has not begun. */
export function readProgress(ports: Pick<Ports, 'store'>, workspaceId: string): Promise<HistoryProgress | null> {
  return historyProgress.read(ports, workspaceId)
}

export function writeProgress(ports: Pick<Ports, 'store'>, workspaceId: string, value: HistoryProgress): Promise<void> {
  return historyProgress.write(ports, workspaceId, { value })
}

/** From now until so many days after the day; at least a week. */
function untilDay(now: number, hour: string, days: number): number {
  const end = Date.parse(hour.slice(0, 10)) + (days + 1) * dayMs
  return Math.min((days + 1) * dayMs, Math.max(rebuiltRowDays * dayMs, end - now))
}

function hoursOf(date: string): readonly string[] {
  return Array.from({ length: 24 }, (_, hour) => `${date}T${String(hour).padStart(2, '0')}`)
}
