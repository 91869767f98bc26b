import type { BreakingChange } from './change.ts'

/** What the entries of CHANGELOG.md that are marked as breaking and not yet released name in backquotes. */
function namedBreaks(changelog: string): ReadonlySet<string> {
  const unreleased = /^## \[Unreleased\]\n([\s\S]*?)(?=^## |(?![\s\S]))/m.exec(changelog)?.[1] ?? ''
  const entries = unreleased.split(/^(?=- |### )/m).filter((entry) => entry.startsWith('- **Breaking:**'))
  return new Set(entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}

/** The changes that the changelog does not name. */
export function unnamedChanges(changes: readonly BreakingChange[], changelog: string): readonly BreakingChange[] {
  const named = namedBreaks(changelog)
  return changes.filter(({ name, within }) => ![name, ...within].some((one) => named.has(one)))
}
