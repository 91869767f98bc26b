import { spawn } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { delimiter, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Everything that is checked beside the tests. Each step is a command that fails on a fault. */
type Step = { readonly name: string; readonly command: readonly [string, ...string[]] }

const steps: readonly Step[] = [
  { name: 'unused code (knip)', command: ['knip'] },
  { name: 'regular expressions (recheck)', command: ['node', 'tests/check/regular-expressions.ts'] },
  { name: 'lint (oxlint, type-aware)', command: ['oxlint', '--type-aware', '--deny-warnings'] },
  { name: 'types (tsc)', command: ['tsc'] },
  { name: 'types of the widget (tsc)', command: ['tsc', '--project', 'src/web/widget'] },
  { name: 'types of the console (tsc)', command: ['tsc', '--project', 'src/web/console'] },
  { name: 'types of the client (tsc)', command: ['tsc', '--project', 'packages/client'] },
  { name: 'documents and texts of the console', command: ['node', 'tests/check/console.ts'] },
  { name: 'generated code (graphql-codegen)', command: ['graphql-codegen', '--config', 'codegen.yml', '--check'] },
  { name: 'import rules (dependency-cruiser)', command: ['node', 'tests/check/import-rules.ts'] },
  { name: 'contracts: breaking changes are in the changelog', command: ['node', 'tests/check/contracts.ts'] },
  { name: 'rules of OpenAPI and AsyncAPI (Spectral)', command: ['node', 'tests/check/api-rules.ts'] },
  { name: 'access of root fields', command: ['node', 'tests/check/access.ts'] },
  { name: 'descriptions of the schema', command: ['node', 'tests/check/schema-descriptions.ts'] },
  { name: 'code rules', command: ['node', 'tests/check/code-rules.ts'] },
  { name: 'events of the log', command: ['node', 'tests/check/log-events.ts'] },
  { name: 'words of the glossary', command: ['node', 'tests/check/words.ts'] },
  { name: 'figures of the structure', command: ['node', 'tests/check/structure.ts', '--check'] },
  { name: 'one query of doctors and visit slots', command: ['node', 'tests/check/one-directory-query.ts'] },
  { name: 'bill of materials (CycloneDX)', command: ['node', 'tests/check/bill-of-materials.ts'] },
  { name: 'format (oxfmt)', command: ['oxfmt', '--check'] },
]

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A tool that does not end (codegen has once stood still after its output) fails. */
const stepLimitMs = 300_000

type Verdict = { readonly passed: boolean }

async function runStep({ name, command: [program, ...parameters] }: Step): Promise<Verdict> {
  const startedAt = performance.now()
  const path = `${join(root, 'node_modules', '.bin')}${delimiter}${process.env['PATH'] ?? ''}`
  const environment = { ...process.env, PATH: path, NO_COLOR: '1', FORCE_COLOR: '0' }
  const child = spawn(program, parameters, {
    cwd: root,
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    timeout: stepLimitMs,
    killSignal: 'SIGKILL',
  })
  const [output, faults, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve)),
  ])
  const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}, ${seconds} s`)
  if (code !== 0) console.log(`${output}${faults}`.trim().replaceAll(/^/gm, '     '))
  return { passed: code === 0 }
}

/** Runs the steps, as many at a time as there are processors, the longest first. */
async function runAll(): Promise<readonly Verdict[]> {
  const waiting = [...steps]
  const verdicts: Verdict[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) verdicts.push(await runStep(step))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  return verdicts
}

const startedAt = performance.now()
const verdicts = await runAll()
const passed = verdicts.filter((verdict) => verdict.passed).length
const seconds = ((performance.now() - startedAt) / 1_000).toFixed(1)
console.log(`check: ${passed} passed, ${verdicts.length - passed} failed, 0 skipped, in ${seconds} s`)
process.exitCode = passed === steps.length ? 0 : 1
