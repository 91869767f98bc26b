import { readFileSync } from 'node:fs'
import type { BreakingChange } from './contracts/change.ts'
import { unnamedChanges } from './contracts/changelog.ts'
import { publishedContracts } from './contracts/documents.ts'
import { breakingChanges, readSnapshot, snapshotOf, writeSnapshot } from './contracts/snapshot.ts'

// `node tests/check/contracts.ts` compares the contracts with the stored ones; `--update` (npm run contracts) stores them.

const current = snapshotOf(publishedContracts())
const stored = readSnapshot()
const changes = await breakingChanges(stored, current)
const unnamed = unnamedChanges(changes, readFileSync('CHANGELOG.md', 'utf8'))
const isStale = JSON.stringify(current) !== JSON.stringify(stored)

if (unnamed.length > 0) {
  console.log(`${unnamed.length} changes break clients, and CHANGELOG.md does not name them:`)
  for (const change of unnamed) console.log(`  ${lineOf(change)}`)
  console.log('Take them back, or add entries below "## [Unreleased]", each with its name in backquotes, for example:')
  console.log(`  - **Breaking:** \`${unnamed[0]?.name ?? ''}\`: what is different, and what a client does about it.`)
  if (unnamed.some(({ within }) => within.length > 0)) console.log('A type that changes as a whole may be named once, without its fields.')
} else if (process.argv.includes('--update')) {
  writeSnapshot(current)
  console.log(isStale ? 'The contracts are stored.' : 'The stored contracts are up to date.')
} else if (isStale) console.log('The contracts have changed. Store them: npm run contracts')

if (unnamed.length > 0 || (isStale && !process.argv.includes('--update'))) process.exitCode = 1

function lineOf({ contract, name, message }: BreakingChange): string {
  return `${contract}: \`${name}\`: ${message}`
}
