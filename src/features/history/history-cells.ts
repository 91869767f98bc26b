import { z } from 'zod'
import { addSums, noSums, serviceLevelSteps, sumNames, type Sums } from './history-sums.ts'

/** The sums of one agent's calls in one campaign. `agentId`: of the record, or the id at the provider if no record is known. */
export type Cell = {
  readonly agentId: string | null
  readonly agentName: string | null
  readonly campaignName: string | null
  readonly sums: Sums
}

const text = z.string().nullable()
/**
 * The cells of an hour or a day as they are stored: texts once, and a row of whole numbers for each cell, because a month of 100 agents has 10,000
 * of them. A row: places of its agent and campaign, then `sums` sums, then `waits` waits, then the places of outcome codes, each with its number.
 * A sum or wait that a later version adds is 0 in older entries.
 */
export const storedCellsSchema = z.object({
  agents: z.array(z.tuple([text, text])),
  campaigns: z.array(text),
  dispositions: z.array(z.string()),
  sums: z.int(),
  waits: z.int(),
  cells: z.custom<readonly (readonly number[])[]>(areRows),
})
export type StoredCells = z.output<typeof storedCellsSchema>
type Row = StoredCells['cells'][number]

/** Zod would take ten times as long. */
function areRows(value: unknown): boolean {
  return Array.isArray(value) && value.every((row) => Array.isArray(row) && row.every(Number.isSafeInteger))
}

export function storedCells(cells: readonly Cell[]): StoredCells {
  const agents = new Map<string | null, number>()
  const campaigns = new Map<string | null, number>()
  const dispositions = new Map<string, number>()
  const agentNames: (string | null)[] = []
  const rows = cells.map(({ agentId, agentName, campaignName, sums }) => {
    const agent = placeIn(agents, agentId)
    agentNames[agent] ??= agentName
    const counts = [...sums.dispositions].flatMap(([code, count]) => [placeIn(dispositions, code), count])
    return [agent, placeIn(campaigns, campaignName), ...sumNames.map((name) => sums[name]), ...sums.waits, ...counts]
  })
  return {
    agents: [...agents.keys()].map((id, at) => [id, agentNames[at] ?? null]),
    campaigns: [...campaigns.keys()],
    dispositions: [...dispositions.keys()],
    sums: sumNames.length,
    waits: serviceLevelSteps,
    cells: rows,
  }
}

function placeIn<Text>(known: Map<Text, number>, name: Text): number {
  const place = known.get(name) ?? known.size
  known.set(name, place)
  return place
}

/** Adds the numbers of a stored cell to `sums`. */
export function addRow(sums: Sums, { sums: sumCount, waits, dispositions }: StoredCells, row: Row): void {
  const [waitsAt, countsAt] = [2 + sumCount, 2 + sumCount + waits]
  for (let index = 0; index < sumCount; index += 1) {
    const name = sumNames[index]
    if (name) sums[name] += row[2 + index] ?? 0
  }
  for (let index = 0; index < waits; index += 1) sums.waits[index] = (sums.waits[index] ?? 0) + (row[waitsAt + index] ?? 0)
  for (let at = countsAt; at < row.length; at += 2) {
    const code = dispositions[row[at] ?? -1]
    if (code !== undefined) sums.dispositions.set(code, (sums.dispositions.get(code) ?? 0) + (row[at + 1] ?? 0))
  }
}

export function cellsOf(stored: StoredCells): readonly Cell[] {
  return stored.cells.map((row) => {
    const [agent = -1, campaign = -1] = row
    const [agentId, agentName] = stored.agents[agent] ?? [null, null]
    const sums = noSums()
    addRow(sums, stored, row)
    return { agentId, agentName, campaignName: stored.campaigns[campaign] ?? null, sums }
  })
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
