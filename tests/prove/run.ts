import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { runProofs } from './stage/run-proofs.ts'

const page = 'docs/reliability.md'
const scripts = globSync('tests/prove/*.ts')
  .map((path) => basename(path, '.ts'))
  .filter((name) => name !== 'run')
  .toSorted()
const usage = `Usage: npm run prove [-- NAME...]
Runs the long proofs, one after another, all of them if none is named: ${scripts.join(', ')}.
Writes their figures to ${page}, each with date and machine. Exit code 1 if a figure does not hold.
One part of a proof, without a change of ${page}: npm run prove:NAME -- PART`

async function main(named: readonly string[]): Promise<number> {
  const unknown = named.filter((name) => !scripts.includes(name))
  if (unknown.length > 0) {
    console.error(`${unknown.join(', ')}: there is no such proof.\n${usage}`)
    return 2
  }
  const failed = await runProofs(named.length > 0 ? named : scripts, { folder: 'tests/prove', page })
  console.log(failed.length === 0 ? 'prove: every figure holds' : `prove: ${failed.join(', ')} failed`)
  return failed.length === 0 ? 0 : 1
}

const parameters = process.argv.slice(2)
if (parameters.includes('--help')) console.log(usage)
else process.exitCode = await main(parameters)
