import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { basename } from 'node:path'

const scripts = globSync('tests/prove/*.ts')
  .map((path) => basename(path, '.ts'))
  .filter((name) => name !== 'run')
  .toSorted()
const usage = `Usage: npm run prove [-- NAME...]\nRuns the long proofs, one after another, all of them if none is named: ${scripts.join(', ')}.`

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
  const child = spawn(process.execPath, [`tests/prove/${name}.ts`], { stdio: 'inherit' })
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  return code === 0
}

const parameters = process.argv.slice(2)
if (parameters.includes('--help')) console.log(usage)
else process.exitCode = await main(parameters)
