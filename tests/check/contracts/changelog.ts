import type { BreakingChange } from './change.ts'

/** What the entries of a section of CHANGELOG.md that are marked as breaking name in backquotes. */
function namedBreaks(section: string): ReadonlySet<string> {
  const entries = section.split(/^(?=- |### )/m).filter((entry) => entry.startsWith('- **Breaking:**'))
  return new Set(entries.flatMap((entry) => [...entry.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name)))
}

function sectionOf(changelog: string, which: 'unreleased' | 'newest release'): string {
  const sections = changelog.split(/^(?=## \[)/m).slice(1)
  const isUnreleased = (section: string): boolean => section.startsWith('## [Unreleased]')
  return sections.find((section) => isUnreleased(section) === (which === 'unreleased')) ?? ''
}

/** Whether the changelog has entries that are in no release. */
export function hasUnreleased(changelog: string): boolean {
  return /^- /m.test(sectionOf(changelog, 'unreleased'))
}

/** The changes that this section of the changelog does not name. */
export function unnamedChanges(
  changes: readonly BreakingChange[],
  changelog: string,
  section: 'unreleased' | 'newest release' = 'unreleased',
): readonly BreakingChange[] {
  const named = namedBreaks(sectionOf(changelog, section))
  return changes.filter(({ name, within }) => ![name, ...within].some((one) => named.has(one)))
}
