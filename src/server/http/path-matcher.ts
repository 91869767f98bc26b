/** What answers a method of a path. Parameters of the path are in braces: `/api/calls/{ucid}/control`. */
type Route = { readonly method: string; readonly path: string }

export type PathMatch<Matched extends Route> = {
  /** As the routes have it, with its parameters in braces. */
  readonly path: string
  /** The routes of this path by method. */
  readonly routes: ReadonlyMap<string, Matched>
  /** The parameters as they are in the path, still percent-encoded. */
  readonly parameters: Readonly<Record<string, string>>
}

type Pattern<Matched> = { readonly path: string; readonly segments: readonly Segment[]; readonly routes: Map<string, Matched> }
type Segment = { readonly text: string; readonly isParameter: boolean }

/** Finds the routes of a path. If two patterns fit, the one with the literal segment further to the left wins. */
export function createPathMatcher<Matched extends Route>(all: readonly Matched[]): (path: string) => PathMatch<Matched> | null {
  const patterns = new Map<string, Pattern<Matched>>()
  for (const route of all) {
    const pattern = patterns.get(route.path) ?? { path: route.path, segments: segmentsOf(route.path), routes: new Map<string, Matched>() }
    patterns.set(route.path, pattern)
    pattern.routes.set(route.method, route)
  }
  const byLength = Map.groupBy([...patterns.values()].toSorted(literalFirst), ({ segments }) => segments.length)
  return (path) => {
    const texts = path.split('/')
    const pattern = byLength.get(texts.length)?.find(({ segments }) => fits(segments, texts))
    return pattern ? { path: pattern.path, routes: pattern.routes, parameters: parametersOf(pattern.segments, texts) } : null
  }
}

function segmentsOf(path: string): readonly Segment[] {
  return path
    .split('/')
    .map((text) => (text.startsWith('{') ? { text: text.slice(1, -1), isParameter: true } : { text, isParameter: false }))
}

function literalFirst(a: Pattern<unknown>, b: Pattern<unknown>): number {
  const differs = a.segments.findIndex((segment, index) => segment.isParameter !== b.segments[index]?.isParameter)
  return differs < 0 ? 0 : a.segments[differs]?.isParameter === true ? 1 : -1
}

function fits(segments: readonly Segment[], texts: readonly string[]): boolean {
  return segments.every(({ text, isParameter }, index) => (isParameter ? texts[index] !== '' : texts[index] === text))
}

function parametersOf(segments: readonly Segment[], texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(segments.flatMap(({ text, isParameter }, index) => (isParameter ? [[text, texts[index] ?? '']] : [])))
}
