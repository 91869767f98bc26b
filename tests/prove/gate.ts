import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { stripVTControlCharacters } from 'node:util'
import { readRunReport } from '../harness/run-report.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

// `npm run prove:gate`: whole runs of the tests on a machine that is busy with other work, and on one processor. `-- busy:1` makes one busy
// run only. A run takes 15 minutes of a quiet machine with two processors, two to four times as long here. It needs taskset (util-linux).
// `load`: what the tests do with a few requests, with thousands.

const busyLoops = 4
const busyRuns = 3

await proveParts('The tests on a busy and on a small machine', {
  async busy(only = String(busyRuns)) {
    const figures: Figure[] = []
    for (let number = 1; number <= Number(only); number += 1) {
      using _ = startBusyLoops()
      figures.push(await runTests(`All tests, ${busyLoops} busy loops beside them (run ${number})`, ['npm', 'test']))
    }
    return figures
  },
  single: async () => [await runTests('All tests, on one processor', ['taskset', '-c', '0', 'npm', 'test'])],
  load: async () => [
    await runTests(
      '10,000 mixed requests of 50 users and 2,800 clients that leave, on shared connections',
      'env LOAD_TIMES=7 npm test -- tests/gateway/gateway-connections.test.ts'.split(' '),
    ),
  ],
})

/** Processes that do nothing but use a processor, of the same priority as the tests. They end with this one, however it ends. */
function startBusyLoops(): Disposable {
  const busy = 'const parent = process.ppid; while (process.ppid === parent);'
  const loops = Array.from({ length: busyLoops }, () => spawn(process.execPath, ['--eval', busy], { stdio: 'ignore' }))
  return { [Symbol.dispose]: () => loops.forEach((loop) => loop.kill('SIGKILL')) }
}

async function runTests(claim: string, [program = '', ...parameters]: readonly string[]): Promise<Figure> {
  const startedAt = performance.now()
  const child = spawn(program, parameters, { stdio: ['ignore', 'pipe', 'inherit'] })
  const [output, ended] = await Promise.all([text(child.stdout), once(child, 'close')])
  const exit: readonly unknown[] = ended
  const lines = stripVTControlCharacters(output).trim().split('\n')
  for (const { file, failures } of readRunReport()?.files ?? []) for (const { test, error } of failures) say(`${file} > ${test}: ${error}`)
  const counts = lines.at(-1) ?? ''
  const minutes = ((performance.now() - startedAt) / 60_000).toFixed(0)
  const processors = lines.find((line) => line.startsWith('Processor time')) ?? ''
  say(`${counts}; ${processors}`)
  return { claim, figure: `${counts}, in ${minutes} minutes`, holds: exit[0] === 0 && /^[1-9]\d* passed, 0 failed/.test(counts) }
}
