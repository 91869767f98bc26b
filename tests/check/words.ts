import { globSync, readFileSync } from 'node:fs'
import { parse, visit } from 'graphql'
import { parseSync, Visitor } from 'oxc-parser'

/** Words that are refused in identifiers, file names and GraphQL names, with what to write instead; docs/glossary.md has them as a table. */
export const refused: Readonly<Record<string, string>> = {
  door: 'handler',
  asker: 'Actor',
  promised: 'scheduled callback',
  trial: 'connection test',
  acceptance: 'validation',
  news: 'event or update',
  hear: 'receive',
  heard: 'received',
  tell: 'report',
  told: 'reported',
  tally: 'counters',
  distrust: 'invalidate',
  turn: 'keyed mutex or lease',
  letter: 'dead letter',
  burial: 'dead-lettered',
  death: 'dead-lettered',
  poisoned: 'non-retryable error',
  unlucky: 'failed',
  seat: 'provider agent key',
  shelf: 'schema cache',
  reception: 'assistant',
  seam: 'ports',
  sweep: 'cleanup job or scheduled job',
  anew: 'recreated',
}
/** `deadLetter`, `speakerTurns`: terms of the field. */
const allowedAfter: Readonly<Record<string, string>> = { letter: 'dead', turn: 'speaker' }

/** The words of a camel-case, snake-case or dashed name, in lower case. */
function wordsOf(name: string): readonly string[] {
  return (name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase())
}

/** What the glossary refuses in a name; null if nothing. */
export function refusedWord(name: string): string | null {
  const words = wordsOf(name)
  for (const [index, word] of words.entries()) {
    const singular = Object.hasOwn(refused, word) ? word : word.replace(/s$/, '')
    if (!Object.hasOwn(refused, singular)) continue
    const before = words[index - 1]
    if (before === undefined || allowedAfter[singular] !== before) return `"${word}" in ${name}: write "${refused[singular]}"`
  }
  return /last[-_]?pops/i.test(name) ? `${name}: write "recent screen pops"` : null
}

const suspicious = new RegExp(
  Object.keys(refused)
    .flatMap((word) => [`(?<![a-z])${word}s?(?![a-z])`, `${word.slice(0, 1).toUpperCase()}${word.slice(1)}s?(?![a-z])`, word.toUpperCase()])
    .concat('[lL][aA][sS][tT][-_]?[pP][oO][pP][sS]')
    .join('|'),
)

/** Whether a name in this text could have a refused word. Most sources have none, and need not be parsed. */
export function mayHaveRefusedWord(text: string): boolean {
  return suspicious.test(text)
}

/** The names that a TypeScript source declares or uses. */
export function namesIn(path: string, source: string): ReadonlySet<string> {
  const names = new Set<string>()
  const visitor = new Visitor({
    Identifier: ({ name }) => void names.add(name),
    Literal(node) {
      // Keys of types, `Pick<X, 'name'>`, and members of unions are names too.
      if (typeof node.value === 'string' && /^[a-z]+[A-Z]\w*$/.test(node.value)) names.add(node.value)
    },
  })
  visitor.visit(parseSync(path, source).program)
  return names
}

function namesInSchema(sdl: string): ReadonlySet<string> {
  const names = new Set<string>()
  visit(parse(sdl), { Name: ({ value }) => void names.add(value) })
  return names
}

function faultsOf(path: string): readonly string[] {
  const source = readFileSync(path, 'utf8')
  if (!mayHaveRefusedWord(`${path}\n${source}`)) return []
  const names = path.endsWith('.graphql') ? namesInSchema(source) : namesIn(path, source)
  return [path.replace(/\.\w+$/, ''), ...names].flatMap((name) => {
    const refusal = refusedWord(name)
    return refusal === null ? [] : [`${path}: ${refusal}`]
  })
}

if (import.meta.main) {
  const patterns = ['{src,packages/*/src}/**/*.{ts,tsx,mjs}', 'tests/**/*.ts', 'schema/*.graphql']
  const paths = globSync(patterns, { exclude: ['tests/check/words.ts', 'tests/process/check.test.ts'] }).map((path) =>
    path.replaceAll('\\', '/'),
  )
  const faults = paths.flatMap(faultsOf)
  for (const fault of faults) console.error(fault)
  console.log(`${paths.length} files, ${faults.length} refused words`)
  process.exitCode = faults.length > 0 || paths.length === 0 ? 1 : 0
}
