import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { z } from 'zod'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { waitFor } from '../../harness/wait-for.ts'

const run = promisify(execFile)
const folder = 'deploy/prometheus'

const answerSchema = z.object({
  status: z.literal('success'),
  data: z.object({ result: z.array(z.object({ value: z.tuple([z.number(), z.string()]) })) }),
})
const rulesSchema = z.object({
  data: z.object({
    groups: z.array(z.object({ rules: z.array(z.object({ name: z.string(), state: z.string(), health: z.string() })) })),
  }),
})
const alertsSchema = z.object({
  data: z.object({ alerts: z.array(z.object({ labels: z.object({ alertname: z.string() }), state: z.enum(['pending', 'firing']) })) }),
})
export type RuleState = z.output<typeof rulesSchema>['data']['groups'][number]['rules'][number]

/**
 * A real Prometheus with the files of `deploy/`, which reads one target and evaluates the rules every second, without an Alertmanager. In its
 * copy of the rules each `for:` is 2 s, and an event waits too long after 3 s.
 */
export type Prometheus = AsyncDisposable & {
  /** The values of a query, without those that are no number. */
  query(expr: string): Promise<readonly number[]>
  rules(): Promise<readonly RuleState[]>
  /** The alerts that are pending or firing. */
  alerts(): Promise<readonly { readonly name: string; readonly state: 'pending' | 'firing' }[]>
}

/** Checks the rules and the configuration, and runs the unit tests of the rules. Resolves to what promtool said; rejects if it found something. */
export async function checkWithPromtool(promtool: string): Promise<string> {
  const outputs = [
    await run(promtool, ['check', 'rules', join(folder, 'rules.yml')]),
    await run(promtool, ['check', 'config', join(folder, 'prometheus.yml')]),
    await run(promtool, ['test', 'rules', 'rules-test.yml'], { cwd: folder }),
  ]
  return outputs.map(({ stdout }) => stdout).join('')
}

export async function startPrometheus(binary: string, target: string): Promise<Prometheus> {
  await using starting = new AsyncDisposableStack()
  const { path } = starting.use(await createTempDir())
  const port = await freePort()
  const given = await readFile(join(folder, 'prometheus.yml'), 'utf8')
  await writeFile(
    join(path, 'prometheus.yml'),
    given
      .replaceAll('15s', '1s')
      .replace('127.0.0.1:9464', target)
      .replace(/^alerting:\n( .*\n)+/m, ''),
  )
  const rules = await readFile(join(folder, 'rules.yml'), 'utf8')
  await writeFile(
    join(path, 'rules.yml'),
    rules.replaceAll(/for: \d+m$/gm, 'for: 2s').replace('oldest_seconds) > 300', 'oldest_seconds) > 3'),
  )
  const url = `http://127.0.0.1:${port}`
  const flags = [`--config.file=${path}/prometheus.yml`, `--storage.tsdb.path=${path}/data`, `--web.listen-address=127.0.0.1:${port}`]
  const child = spawn(binary, [...flags, '--log.level=warn'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const exited = once(child, 'exit')
  starting.defer(async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGTERM')
    await exited
  })
  const ask = async (question: string): Promise<unknown> => (await fetch(`${url}/api/v1/${question}`)).json()
  const query = async (expr: string): Promise<readonly number[]> => {
    const { data } = answerSchema.parse(await ask(`query?query=${encodeURIComponent(expr)}`))
    return data.result.map(({ value: [, value] }) => Number(value)).filter((value) => !Number.isNaN(value))
  }
  await waitFor(async () => (await query('up'))[0] === 1, { what: 'Prometheus to read the target' })
  const running = starting.move()
  return {
    query,
    rules: async () => rulesSchema.parse(await ask('rules')).data.groups.flatMap(({ rules }) => rules),
    alerts: async () => alertsSchema.parse(await ask('alerts')).data.alerts.map(({ labels, state }) => ({ name: labels.alertname, state })),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}
