import { globSync, readFileSync } from 'node:fs'
import { type Expression, parseSync, Visitor } from 'oxc-parser'

/** Every event of the log has a stable name, `feature.what-happened`, and docs/operations.md lists all of them with their meaning. */
const eventForm = /^[a-z]+(-[a-z]+)*\.[a-z]+(-[a-z]+)*$/
const levels: ReadonlySet<string> = new Set(['trace', 'debug', 'info', 'warn', 'error', 'fatal'])

/** The texts that the last argument may be; null for anything that is computed. */
function textsOf(node: Expression): readonly (string | null)[] {
  if (node.type === 'Literal') return [typeof node.value === 'string' ? node.value : null]
  if (node.type === 'ConditionalExpression') return [...textsOf(node.consequent), ...textsOf(node.alternate)]
  return [null]
}

/** Whether the expression is a log, by its name: `log`, `ports.log`, `this.ctx.log`. */
function isLog(node: Expression): boolean {
  if (node.type === 'Identifier') return node.name === 'log'
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' && node.property.name === 'log'
}

/** The names of the events that a source logs; null where a name is no plain text. */
export function eventsIn(path: string, source: string): readonly (string | null)[] {
  const events: (string | null)[] = []
  new Visitor({
    CallExpression({ callee, arguments: given }) {
      if (callee.type !== 'MemberExpression' || !isLog(callee.object)) return
      const isLevel = callee.computed || (callee.property.type === 'Identifier' && levels.has(callee.property.name))
      const last = given.at(-1)
      if (!isLevel || !last) return
      events.push(...(last.type === 'SpreadElement' ? [null] : textsOf(last)))
    },
  }).visit(parseSync(path, source).program)
  return events
}

/** What is wrong with the events of these sources, beside those that the page lists as `| `name` |`. */
export function findEventFaults(sources: Readonly<Record<string, string>>, page: string): readonly string[] {
  const listed = new Set([...page.matchAll(/^\| `([a-z-]+\.[a-z-]+)` \|/gm)].map(([, name = '']) => name))
  const logged = new Set<string>()
  const faults = Object.entries(sources).flatMap(([path, source]) =>
    eventsIn(path, source).flatMap((event) => {
      if (event === null || !eventForm.test(event)) return [`${path}: name each event of the log by a text such as 'call.end-not-reported'`]
      logged.add(event)
      return listed.has(event) ? [] : [`${path}: ${event} is not in the table of log events in docs/operations.md`]
    }),
  )
  const gone = [...listed].filter((event) => !logged.has(event))
  return [...faults, ...gone.map((event) => `docs/operations.md: ${event} is logged nowhere`)]
}

if (import.meta.main) {
  const paths = globSync('src/**/*.ts', { exclude: ['src/{web,sandbox,commands}/**', '**/generated.ts'] }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  const faults = findEventFaults(sources, readFileSync('docs/operations.md', 'utf8'))
  for (const fault of faults) console.error(fault)
  process.exitCode = faults.length > 0 || paths.length === 0 ? 1 : 0
}
