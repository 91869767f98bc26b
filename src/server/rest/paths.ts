import type { BoundRow } from './bound-row.ts'

export type PathMatch = {
  /** The rows of this path by method. */
  readonly rows: ReadonlyMap<string, BoundRow>
  /** The parameters as they stand in the path, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>
}

type Pattern = { readonly segments: readonly Segment[]; readonly rows: Map<string, BoundRow> }
type Segment = { readonly text: string; readonly isParameter: boolean }

/** Finds the rows of a path. Where two patterns fit, the one that is literal further to the left wins. */
export function createPathMatcher(rows: readonly BoundRow[]): (path: string) => PathMatch | null {
  const patterns = new Map<string, Pattern>()
  for (const row of rows) {
    const pattern = patterns.get(row.path) ?? { segments: segmentsOf(row.path), rows: new Map<string, BoundRow>() }
    patterns.set(row.path, pattern)
    pattern.rows.set(row.method, row)
  }
  const byLength = Map.groupBy([...patterns.values()].toSorted(literalFirst), ({ segments }) => segments.length)
  return (path) => {
    const texts = path.split('/')
    const pattern = byLength.get(texts.length)?.find(({ segments }) => fits(segments, texts))
    return pattern ? { rows: pattern.rows, parameters: parametersOf(pattern.segments, texts) } : null
  }
}

function segmentsOf(path: string): readonly Segment[] {
  return path
    .split('/')
    .map((text) => (text.startsWith('{') ? { text: text.slice(1, -1), isParameter: true } : { text, isParameter: false }))
}

function literalFirst(a: Pattern, b: Pattern): number {
  const differs = a.segments.findIndex((segment, index) => segment.isParameter !== b.segments[index]?.isParameter)
  return differs < 0 ? 0 : a.segments[differs]?.isParameter === true ? 1 : -1
}

function fits(segments: readonly Segment[], texts: readonly string[]): boolean {
  return segments.every(({ text, isParameter }, index) => (isParameter ? texts[index] !== '' : texts[index] === text))
}

function parametersOf(segments: readonly Segment[], texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(segments.flatMap(({ text, isParameter }, index) => (isParameter ? [[text, texts[index] ?? '']] : [])))
}
