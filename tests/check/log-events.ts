import { globSync, readFileSync } from 'node:fs'
import { logEvents } from '../../src/kernel/log-events.ts'

/** The compiler refuses an event of the log that is not in src/kernel/log-events.ts. Here: each of these has its form, and is logged. */
const eventForm = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/
const exclude = ['src/{web,sandbox,commands}/**', 'src/kernel/log-events.ts', '**/generated.ts']
const sources = globSync('src/**/*.ts', { exclude }).map((path) => readFileSync(path, 'utf8'))
const faults = Object.keys(logEvents).flatMap((event) => [
  ...(eventForm.test(event) ? [] : [`${event}: write feature.what-happened`]),
  ...(sources.some((source) => source.includes(`'${event}'`)) ? [] : [`src/kernel/log-events.ts: ${event} is logged nowhere`]),
])
for (const fault of faults) console.error(fault)
process.exitCode = faults.length > 0 || sources.length === 0 ? 1 : 0
