import { globSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import { check } from 'recheck'
import { z } from 'zod'

/**
 * Every regular expression of the service takes linear time: recheck proves it, or it is in this list with the reason why it takes no more. The
 * sandbox is left out, because it serves no strangers.
 */
const boundByHand: Readonly<Record<string, string>> = {
  [String.raw`/\/+$/`]: 'an address of at most 2,000 characters, or the command line of a person',
  [String.raw`/[.,']+$/`]: 'a text of at most 100 characters',
  ['/\\s*REST: `[^`]+`\\./g']: 'our own schema',
  [String.raw`/!?\[([^\]]*)\]\([^)]*\)?/g`]: 'at most 4,800 characters of a model (plainText)',
  [String.raw`/\b[a-z][a-z0-9+.-]*:\/\/\S*/gi`]: 'at most 4,800 characters of a model (plainText)',
  [String.raw`/\b(?:www\.)?(?:[a-z0-9-]+\.)+[a-z]{2,}(?:[/?#]\S*)?/gi`]: 'at most 4,800 characters of a model (plainText)',
  // The lengths of an e-mail address bound every repetition: 1.5 µs a character (2026-11-22, 2 cores).
  [String.raw`/[\p{L}\p{N}._%+-]{1,64}@[\p{L}\p{N}-]{1,63}(?:\.[\p{L}\p{N}-]{1,63}){1,8}/gu`]: 'bounded repetitions',
  [String.raw`/(?:[\p{L}\p{N}_-]{1,64} (?:dot|underscore|dash) ){0,8}[\p{L}\p{N}_.-]{1,64} at (?:[\p{L}\p{N}-]{1,63} dot ){1,8}\p{L}{2,63}/giu`]:
    'bounded repetitions',
  [String.raw`/^\r\ncontent-disposition: *form-data; *name="(\w+)"\r\n(?:content-type: *(?:application\/json|text\/plain)[^\r\n]*\r\n)?\r\n/i`]:
    'anchored, and no repetition contains the character that ends it',
}

const cachePath = 'tests/.cache/regular-expressions.json'
/** One expression needs 2 s on a quiet machine; several checks run at once. */
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

/** `safe`, or what recheck found. */
async function verdictOf({ source, flags }: Found): Promise<string> {
  const { status, ...rest } = await check(source, flags, { timeout: timeoutMs })
  if (status === 'safe') return 'safe'
  const complexity = 'complexity' in rest && rest.complexity ? rest.complexity.summary : 'not proven within the time limit'
  return `${status}: ${complexity}`
}

function readCache(): Map<string, string> {
  try {
    return new Map(Object.entries(z.record(z.string(), z.string()).parse(JSON.parse(readFileSync(cachePath, 'utf8')))))
  } catch {
    return new Map()
  }
}

const paths = globSync('src/**/*.{ts,tsx,mjs}', { exclude: ['**/generated.ts', 'src/sandbox/**'] }).map((path) =>
  path.replaceAll('\\', '/'),
)
const literals = paths.flatMap((path) => literalsIn(path, readFileSync(path, 'utf8')))
const cache = readCache()
const used = new Set<string>()
let faults = 0
for (const literal of literals) {
  const key = `/${literal.source}/${literal.flags}`
  if (key in boundByHand) {
    used.add(key)
    continue
  }
  const verdict = cache.get(key) ?? (await verdictOf(literal))
  cache.set(key, verdict)
  if (verdict === 'safe') continue
  faults++
  console.error(
    `${literal.path}: ${key} may take more than linear time (${verdict}): rewrite it, or say why not in boundByHand (tests/check/regular-expressions.ts)`,
  )
}
for (const key of Object.keys(boundByHand).filter((name) => !used.has(name))) {
  faults++
  console.error(`${key} is listed, but no source has it`)
}
mkdirSync('tests/.cache', { recursive: true })
writeFileSync(cachePath, JSON.stringify(Object.fromEntries([...cache].filter(([, verdict]) => verdict === 'safe'))))
console.log(`${literals.length} regular expressions, ${faults} faults`)
process.exitCode = faults > 0 || literals.length === 0 ? 1 : 0
