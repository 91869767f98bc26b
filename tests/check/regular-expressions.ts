import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { check } from 'recheck'
import { z } from 'zod'

/**
 * Every regular expression of the service takes linear time: recheck has proven it, or it is in this list with the reason why it takes no more.
 * The sandbox is left out, because it serves no strangers. A proof can take seconds, so the proven ones are stored beside this file;
 * `npm run check -- regular-expressions --add` proves new ones and adds them.
 */
const boundByHand: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: 'an address of at most 2,000 characters, or the command line of a person',
  [String.raw`/[.,']+$/`]: 'a text of at most 100 characters',
  [String.raw`/[^\s"'@]+@[^\s"'@]+/g`]: 'at most 500 characters of an error',
  ['/["“”„«»]([^"“”„«»]*)["“”„«»]/g']: 'a search of at most 300 characters',
  ['/\\s*REST: `[^`]+`\\./g']: 'our own schema',
  [String.raw`/\b(?:[a-z][a-z0-9+.-]{0,30}:\/\/|www\.)\S*/giu`]: 'at most 4,800 characters of a model (plainText)',
}

const provenPath = 'tests/check/proven-expressions.json'
const advice = 'run "npm run check -- regular-expressions --add"; if it cannot be proven, rewrite it, or say in boundByHand why not'
/** One expression needs 2 s on a quiet machine. */
const timeoutMs = 60_000

type Found = { readonly path: string; readonly source: string; readonly flags: string }

/** The regular expressions that a source contains, as literals. */
function literalsIn(path: string, code: string): readonly Found[] {
  const found: Found[] = []
  new Visitor({
    Literal(node) {
      if ('regex' in node && node.regex) found.push({ path, source: node.regex.pattern, flags: node.regex.flags })
    },
  }).visit(parseSync(path, code).program)
  return found
}

const keyOf = ({ source, flags }: Found): string => `/${source}/${flags}`

/** `safe`, or what recheck found. */
async function verdictOf({ source, flags }: Found): Promise<string> {
  const { status, ...rest } = await check(source, flags, { timeout: timeoutMs })
  if (status === 'safe') return 'safe'
  const complexity = 'complexity' in rest && rest.complexity ? rest.complexity.summary : 'not proven within the time limit'
  return `${status}: ${complexity}`
}

const isAdding = process.argv.includes('--add')
const paths = globSync('{src,packages/*/src}/**/*.{ts,tsx,mjs}', { exclude: ['**/generated.ts', 'src/sandbox/**'] }).map((path) =>
  path.replaceAll('\\', '/'),
)
const literals = paths.flatMap((path) => literalsIn(path, readFileSync(path, 'utf8')))
const proven = new Set(z.array(z.string()).parse(JSON.parse(readFileSync(provenPath, 'utf8'))))
const keys = new Set(literals.map(keyOf))
const faults: string[] = []
for (const literal of literals) {
  const key = keyOf(literal)
  if (key in boundByHand || proven.has(key)) continue
  const verdict = isAdding ? await verdictOf(literal) : 'not in the list of proofs'
  if (verdict === 'safe') proven.add(key)
  else faults.push(`${literal.path}: ${key} may take more than linear time (${verdict}): ${advice}`)
}
if (isAdding) writeFileSync(provenPath, `${JSON.stringify([...proven].filter((key) => keys.has(key)).toSorted(), null, 2)}\n`)
for (const key of Object.keys(boundByHand).filter((name) => !keys.has(name))) faults.push(`${key} is listed, but no source has it`)
for (const fault of faults) console.error(fault)
console.log(`${literals.length} regular expressions, ${faults.length} faults`)
process.exitCode = faults.length > 0 || literals.length === 0 ? 1 : 0
