import { readFileSync } from 'node:fs'
import type { BreakingChange } from './contracts/change.ts'
import { hasUnreleased, unnamedChanges } from './contracts/changelog.ts'
import { publishedContracts } from './contracts/documents.ts'
import { breakingChanges, readSnapshot, snapshotOf, writeSnapshot } from './contracts/snapshot.ts'

// Compares the contracts with those of the last release. With `--release` it stores them, as those of the release at the top of the changelog.

const isRelease = process.argv.includes('--release')
const changelog = readFileSync('CHANGELOG.md', 'utf8')
const current = snapshotOf(publishedContracts())
// A form that cannot be compared must be found before it is released.
await breakingChanges(current, current)
const changes = await breakingChanges(readSnapshot(), current)
const unnamed = unnamedChanges(changes, changelog, isRelease ? 'newest release' : 'unreleased')

if (isRelease && hasUnreleased(changelog)) {
  console.log(
    'CHANGELOG.md has entries below "## [Unreleased]". Give them a version first: "## [1.2.3] - 2026-01-31" below an empty "## [Unreleased]".',
  )
  process.exitCode = 1
} else if (unnamed.length > 0) {
  console.log(`${unnamed.length} changes since the last release break clients, and CHANGELOG.md does not name them:`)
  for (const change of unnamed) console.log(`  ${lineOf(change)}`)
  console.log(
    `Take them back, or add entries ${isRelease ? 'to the newest release' : 'below "## [Unreleased]"'}, each with its name in backquotes:`,
  )
  console.log(`  - **Breaking:** \`${unnamed[0]?.name ?? ''}\`: what is different, and what a client does about it.`)
  if (unnamed.some(({ within }) => within.length > 0)) console.log('A type that changes as a whole may be named once, without its fields.')
  process.exitCode = 1
} else {
  for (const change of changes) console.log(lineOf(change))
  console.log(`${changes.length} changes since the last release break clients. CHANGELOG.md names all of them.`)
  if (isRelease) writeSnapshot(current)
}

function lineOf({ contract, name, message }: BreakingChange): string {
  return `${contract}: \`${name}\`: ${message}`
}
