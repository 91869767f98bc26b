import { globSync, readFileSync } from 'node:fs'
import { buildSchema, parse, validate, NoUnusedFragmentsRule, specifiedRules } from 'graphql'
import { parseSync, Visitor } from 'oxc-parser'
import { readContract } from '../../src/server/graphql/local-schema.ts'

/**
 * What the compiler cannot see in the console: a document that does not fit the schema (its types are `unknown` then), and a text that
 * is written in the markup instead of being one of `defineTexts`, so that it has no translation.
 */
const schema = buildSchema(readContract())
const textAttributes: ReadonlySet<string> = new Set([
  'aria-label',
  'aria-description',
  'title',
  'label',
  'placeholder',
  'hint',
  'alt',
  'lead',
])
const hasWords = /\p{L}{2}/u

/** What is wrong with a source of the console, a line each. `fragments`: those of all sources, by name. */
export function findConsoleFaults(path: string, source: string, fragments: ReadonlyMap<string, string>): readonly string[] {
  const faults: string[] = []
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  const visitor = new Visitor({
    CallExpression({ callee, arguments: [document] }) {
      if (callee.type !== 'Identifier' || callee.name !== 'graphql' || document?.type !== 'TemplateLiteral') return
      const text = document.quasis.map(({ value }) => value.raw).join('')
      for (const message of documentFaults(text, fragments)) faults.push(`${path}:${lineOf(document.start)}: ${message}`)
    },
    JSXText({ value, start }) {
      if (hasWords.test(value)) faults.push(`${path}:${lineOf(start)}: "${value.trim()}" has no translation: make it one of defineTexts`)
    },
    JSXAttribute({ name, value, start }) {
      if (name.type !== 'JSXIdentifier' || !textAttributes.has(name.name) || value?.type !== 'Literal') return
      if (value.raw !== null && hasWords.test(value.raw))
        faults.push(`${path}:${lineOf(start)}: ${name.name} has no translation: make it one of defineTexts`)
    },
  })
  visitor.visit(parseSync(path, source).program)
  return faults
}

function documentFaults(text: string, fragments: ReadonlyMap<string, string>): readonly string[] {
  const used = [...withFragments(text, fragments)].join('\n')
  const rules = specifiedRules.filter((rule) => rule !== NoUnusedFragmentsRule)
  try {
    return validate(schema, parse(`${text}\n${used}`), rules).map(({ message }) => message)
  } catch (error) {
    return [String(error)]
  }
}

function withFragments(text: string, fragments: ReadonlyMap<string, string>, found = new Set<string>()): ReadonlySet<string> {
  for (const [, name = ''] of text.matchAll(/\.\.\.\s*(?!on\b)(\w+)/g)) {
    const fragment = fragments.get(name)
    if (fragment === undefined || found.has(fragment)) continue
    found.add(fragment)
    withFragments(fragment, fragments, found)
  }
  return found
}

export function fragmentsIn(sources: Readonly<Record<string, string>>): ReadonlyMap<string, string> {
  const all = Object.values(sources).flatMap((source) => [...source.matchAll(/graphql\(\s*`(\s*fragment\s+(\w+)[^`]*)`/g)])
  return new Map(all.map(([, text = '', name = '']) => [name, text]))
}

if (import.meta.main) {
  const paths = globSync('src/web/console/**/*.{ts,tsx}', { exclude: ['**/generated.ts'] }).map((path) => path.replaceAll('\\', '/'))
  const sources = Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')]))
  const fragments = fragmentsIn(sources)
  const faults = Object.entries(sources).flatMap(([path, source]) => findConsoleFaults(path, source, fragments))
  for (const fault of faults) console.error(fault)
  console.log(`${paths.length} files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 || paths.length === 0 ? 1 : 0
}
