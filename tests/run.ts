import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { changedSince, isCommit, treeSince } from './changed/changed-files.ts'
import { type Choice, chooseTests, nothingToRun } from './changed/choose-tests.ts'

/*
 * `npm test`: Vitest with the parameters that it is given. `--changed` (since the last commit), `--changed main` and `--list` are ours:
 * Vitest knows imports only, and half of the test files import nearly every source.
 */
// Where require-node.mjs has it: Vitest's processes, and those that tests start, need not compile again what one has compiled.
process.env['NODE_COMPILE_CACHE'] ??= join(tmpdir(), 'node-compile-cache')

const parameters = process.argv.slice(2)
const at = parameters.indexOf('--changed')

if (at < 0) await runVitest(parameters)
else {
  const named = parameters[at + 1]
  const isNamed = named !== undefined && isCommit(named)
  await runChanged(isNamed ? named : 'HEAD', parameters.toSpliced(at, isNamed ? 2 : 1))
}

async function runChanged(commit: string, given: readonly string[]): Promise<void> {
  const changed = changedSince(commit)
  const tree = treeSince(commit)
  const chosen = chooseTests(changed, tree)
  const own = given.filter((parameter) => parameter !== '--list')
  if (own.length < given.length) list(chosen)
  const unknown = tree.tests.length - tree.executed.size
  console.log(
    `Changed since ${commit}: ${changed.length} files. ${chosen.length} of ${tree.tests.length} test files may notice; --list says why.`,
  )
  if (unknown > 0)
    console.log(`What ${unknown} test files execute is not known: until they have passed here once, they are chosen by imports.`)
  const fault = nothingToRun(changed, chosen)
  if (fault !== null) {
    console.error(fault)
    process.exitCode = 1
  }
  if (chosen.length > 0 && own.length === given.length) await runVitest([...own, ...chosen.map(({ test }) => test)])
}

function list(chosen: readonly Choice[]): void {
  for (const { test, why } of chosen) console.log(`${test}: ${why}`)
}

async function runVitest(given: readonly string[]): Promise<void> {
  process.argv = [process.execPath, 'vitest', 'run', '--config', 'tests/vitest.config.ts', ...given]
  await import(new URL('../node_modules/vitest/vitest.mjs', import.meta.url).href)
}
