import { spawn } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { createTempDir } from '../harness/temp-dir.ts'
import { withSection } from './stage/sections.ts'

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
  const failed: string[] = []
  for (const name of named.length > 0 ? named : scripts) if (!(await prove(name))) failed.push(name)
  console.log(failed.length === 0 ? 'prove: every figure holds' : `prove: ${failed.join(', ')} failed`)
  return failed.length === 0 ? 0 : 1
}

async function prove(name: string): Promise<boolean> {
  console.log(`\nprove: ${name}`)
  await using directory = await createTempDir()
  const report = join(directory.path, 'report.md')
  const child = spawn(process.execPath, [`tests/prove/${name}.ts`], { stdio: 'inherit', env: { ...process.env, PROVE_REPORT: report } })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  writeFileSync(page, withSection(readFileSync(page, 'utf8'), name, readReport(report) ?? `### ${name}\n\nThe proof broke off.\n`))
  return code === 0
}

function readReport(path: string): string | null {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}

const parameters = process.argv.slice(2)
if (parameters.includes('--help')) console.log(usage)
else process.exitCode = await main(parameters)
