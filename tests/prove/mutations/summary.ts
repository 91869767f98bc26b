import type { Figure } from '../stage/report.ts'
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

/** A table by folder, and a figure for each target. */
export function summarise(results: readonly Result[]): { readonly text: string; readonly figures: readonly Figure[] } {
  const folders = Map.groupBy(results, ({ source }) => folderOf(source))
  const groups = Map.groupBy(results, ({ source }) => groupOf(folderOf(source)))
  const rows = [...folders].map(([name, list]) => rowOf(name, list)).toSorted((left, right) => (left.name < right.name ? -1 : 1))
  const text = [
    '| folder | planted | killed | survived | of them not reached by a test |\n|---|---|---|---|---|',
    ...rows.map((row) => `| ${row.name} | ${row.planted} | ${row.killed} | ${row.planted - row.killed} | ${row.unreached} |`),
  ].join('\n')
  return { text, figures: [...groups].map(([name, list]) => figureOf(rowOf(name, list), targets[name] ?? 70)) }
}

function figureOf(row: Row, target: number): Figure {
  const share = shareOf(row)
  const figure = `${row.killed} of ${row.planted}, ${share.toFixed(0)} %`
  return { claim: `${row.name}: at least ${target} % of the planted mutations are killed`, figure, holds: share >= target }
}
