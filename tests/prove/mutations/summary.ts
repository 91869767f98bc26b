import { folderOf } from './sources.ts'
import type { Result } from './results.ts'

/** Where at least so many of a hundred mutations must be killed; 70 elsewhere. */
const targets: Readonly<Record<string, number>> = { features: 80, 'providers/platform': 80, 'providers/broker': 80 }

function groupOf(folder: string): string {
  const group = Object.keys(targets).find((name) => folder === name || folder.startsWith(`${name}/`))
  return group ?? 'elsewhere'
}

type Row = { readonly name: string; readonly planted: number; readonly killed: number; readonly unreached: number }

function rowOf(name: string, results: readonly Result[]): Row {
  const counted = (verdict: Result['verdict']): number => results.filter((result) => result.verdict === verdict).length
  return { name, planted: results.length, killed: counted('killed'), unreached: counted('not reached') }
}

function shareOf({ planted, killed }: Row): number {
  return planted === 0 ? 100 : (100 * killed) / planted
}

/** Tables by folder and by target. `missed`: the names of the targets that were not reached. */
export function summarise(results: readonly Result[]): { readonly text: string; readonly missed: readonly string[] } {
  const folders = Map.groupBy(results, ({ source }) => folderOf(source))
  const groups = Map.groupBy(results, ({ source }) => groupOf(folderOf(source)))
  const rows = [...folders].map(([name, list]) => rowOf(name, list)).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const sums = [...groups].map(([name, list]) => ({ ...rowOf(name, list), target: targets[name] ?? 70 }))
  const text = [
    '| folder | planted | killed | survived | of them not reached by a test |\n|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${row.planted} | ${row.killed} | ${row.planted - row.killed} | ${row.unreached} |`),
    '',
    '| together | planted | killed | share | target |\n|---|---|---|---|---|',
    ...sums.map((row) => `| ${row.name} | ${row.planted} | ${row.killed} | ${shareOf(row).toFixed(0)} % | ${row.target} % |`),
  ].join('\n')
  return { text, missed: sums.filter((row) => shareOf(row) < row.target).map(({ name }) => name) }
}
