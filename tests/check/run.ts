import { type ChildProcess, spawn } from 'node:child_process'
import { availableParallelism, tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

/** Something that is checked beside the tests: a command that fails on a fault. `id` is the name by which a person runs it alone. */
type Step = { readonly id: string; readonly name: string; readonly command: readonly [string, ...string[]] }

/** A script of this folder, by its name. */
function script(id: string, name: string, ...parameters: readonly string[]): Step {
  return { id, name, command: ['node', `tests/check/${id}.ts`, ...parameters] }
}

/** The compiler checks again only what a change reaches: what it knows of the rest is in a file of this installation. */
function typesOf(id: string, project: string): Step {
  const stored = ['--incremental', '--tsBuildInfoFile', `node_modules/.cache/tsc/${id}.tsbuildinfo`]
  // Several threads check much of it twice: 21 s of processor time instead of 15.
  return { id, name: `types of ${project} (tsc)`, command: ['tsc', '--project', project, '--singleThreaded', ...stored] }
}

/** The longest first: then no processor waits for the last one. */
const steps: readonly Step[] = [
  { id: 'lint', name: 'lint (oxlint, type-aware)', command: ['oxlint', '--type-aware', '--deny-warnings', '--threads=1'] },
  typesOf('types', '.'),
  typesOf('types-console', 'src/web/console'),
  script('api-rules', 'rules of OpenAPI and AsyncAPI (Spectral)'),
  { id: 'unused', name: 'unused code (knip)', command: ['knip'] },
  script('import-rules', 'import rules (dependency-cruiser)'),
  script('words', 'words of the glossary'),
  { id: 'generated', name: 'generated code (graphql-codegen)', command: ['graphql-codegen', '--config', 'codegen.yml', '--check'] },
  script('structure', 'figures of the structure', '--check'),
  script('regular-expressions', 'regular expressions (recheck)'),
  script('contracts', 'contracts: breaking changes are in the changelog'),
  { id: 'format', name: 'format (oxfmt)', command: ['oxfmt', '--check'] },
  script('console', 'documents and texts of the console'),
  script('log-events', 'events of the log'),
  typesOf('types-client', 'packages/client'),
  typesOf('types-widget', 'src/web/widget'),
  script('schema-descriptions', 'descriptions of the schema'),
  script('one-directory-query', 'one query of doctors and visit slots'),
  script('access', 'access of root fields'),
  script('bill-of-materials', 'bill of materials (CycloneDX)'),
  script('code-rules', 'code rules'),
  script('test-costs', 'what the test files cost'),
]

const root = fileURLToPath(new URL('../..', import.meta.url))

/** A tool that does not end (codegen has once stood still after its output) fails. */
const stepLimitMs = 300_000

type Verdict = { readonly passed: boolean }

/**
 * Each step has one processor for itself. Without this, the linter (in Go) takes 36 s of processor time instead of 18, half of it for collecting garbage;
 * with it, 1.9 GB at most.
 */
const frugal = { GOMAXPROCS: '1', GOGC: '400', NODE_COMPILE_CACHE: join(tmpdir(), 'node-compile-cache') }

/** With the project's tools, and this process's Node: the system's may be older. */
const path = [dirname(process.execPath), join(root, 'node_modules', '.bin'), process.env['PATH'] ?? ''].join(delimiter)
const isWindows = process.platform === 'win32'

async function runStep({ name, command: [program, ...parameters] }: Step): Promise<Verdict> {
  const startedAt = performance.now()
  const child = spawn(program, parameters, {
    cwd: root,
    env: { ...process.env, ...frugal, PATH: path, NO_COLOR: '1', FORCE_COLOR: '0' },
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: isWindows,
    timeout: stepLimitMs,
    killSignal: 'SIGKILL',
  })
  const [output, faults, code] = await Promise.all([text(child.stdout), text(child.stderr), endOf(child)])
  console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name}, ${secondsSince(startedAt)} s`)
  if (code !== 0) console.log(`${output}${faults}`.trim().replaceAll(/^/gm, '     '))
  return { passed: code === 0 }
}

function endOf(child: ChildProcess): Promise<number | null> {
  return new Promise((resolve, reject) => child.once('error', reject).once('close', resolve))
}

function secondsSince(startedAt: number): string {
  return ((performance.now() - startedAt) / 1_000).toFixed(1)
}

/** Runs the steps, as many at a time as there are processors, in their order. */
async function runAll(): Promise<number> {
  const startedAt = performance.now()
  const waiting = [...steps]
  const verdicts: Verdict[] = []
  const work = async (): Promise<void> => {
    for (let step = waiting.shift(); step; step = waiting.shift()) verdicts.push(await runStep(step))
  }
  await Promise.all(Array.from({ length: availableParallelism() }, work))
  const passed = verdicts.filter((verdict) => verdict.passed).length
  console.log(`check: ${passed} passed, ${verdicts.length - passed} failed, 0 skipped, in ${secondsSince(startedAt)} s`)
  return passed === steps.length ? 0 : 1
}

/** Runs one step by itself, with what it prints. Parameters of the person come after its own: `--places`, `--add`. */
async function runAlone(id: string, own: readonly string[]): Promise<number> {
  const step = steps.find((each) => each.id === id)
  if (!step) {
    console.error(`There is no step "${id}" of the check. Allowed are ${steps.map((each) => each.id).join(', ')}; none runs all.`)
    return 1
  }
  const [program, ...parameters] = step.command
  const environment = { ...process.env, PATH: path }
  const child = spawn(program, [...parameters, ...own], { cwd: root, env: environment, stdio: 'inherit', shell: isWindows })
  return (await endOf(child)) ?? 1
}

const [id, ...own] = process.argv.slice(2)
process.exitCode = id === undefined ? await runAll() : await runAlone(id, own)
