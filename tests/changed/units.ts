import { createHash } from 'node:crypto'
import { parseSync, Visitor } from 'oxc-parser'
import type * as Ast from 'oxc-parser'

/** A function of a source, and where it stands. `hash`: of its own text, without the functions in it. */
export type Unit = { readonly start: number; readonly end: number; readonly hash: string }

/** What of a source can change by itself. Comments and types are in neither: they change no behaviour. An import belongs to what uses its name. */
export type Units = {
  readonly functions: readonly Unit[]
  /** A hash of what is outside of functions: values, tables, schemas, and their getters, which may run once. */
  readonly outside: string
  /** Whether it remembers something for the whole process. Then a function may run for the first test file of a process only. */
  readonly remembers: boolean
}

type Range = { readonly start: number; readonly end: number }
type Statement = Range & { readonly type: string; readonly declaration?: Statement | null; readonly specifiers?: readonly unknown[] }

const noUnits: Units = { functions: [], outside: '', remembers: false }
const memory = /^(?:export )?(?:let |const \w+(?::[^=]+)? = new (?:Map|WeakMap|Set|LRUCache)\b)/m

export function unitsOf(path: string, source: string | null): Units {
  if (source === null) return noUnits
  const { program, comments } = parseSync(path, source)
  const found: Range[] = []
  const getters = new Set<number>()
  const note = ({ start, end }: Range): void => void found.push({ start, end })
  new Visitor({
    FunctionDeclaration: (node) => void (node.body && note(node)),
    FunctionExpression: note,
    ArrowFunctionExpression: note,
    Property: ({ kind, value }) => void (kind === 'get' && getters.add(value.start)),
  }).visit(program)
  const functions = found.filter(({ start }) => !getters.has(start))
  const silent = comments.map((comment) => withItsLine(source, comment))
  const imported = importedNames(program.body)
  const ownText = (range: Range): string => {
    const text = without(source, range, [...functions.filter((inner) => isInside(inner, range)), ...silent])
    return [text, ...new Set(text.match(/[\w$]+/g)?.flatMap((name) => imported.get(name) ?? []))].join('\n')
  }
  const statements: readonly Statement[] = program.body
  const outside = statements.filter(isValue).map(ownText).join('\n')
  return { functions: hashed(functions, { source, ownText }), outside: hashOf(outside), remembers: memory.test(source) }
}

/** What each imported name means: `dial` is `dial of ./dial.ts`. */
function importedNames(statements: readonly Ast.Statement[]): ReadonlyMap<string, string> {
  const imports = statements.filter((statement) => statement.type === 'ImportDeclaration')
  return new Map(
    imports.flatMap(({ source, specifiers }) =>
      specifiers.map((specifier) => [specifier.local.name, `${nameOf(specifier)} of ${source.value}`]),
    ),
  )
}

function nameOf(specifier: Ast.ImportDeclarationSpecifier): string {
  if (specifier.type !== 'ImportSpecifier') return specifier.type
  return specifier.imported.type === 'Literal' ? specifier.imported.value : specifier.imported.name
}

/**
 * The function that V8 says has ended here; undefined for what runs outside of functions, such as the fields of a class. What the compiler
 * alone reads (`as const`) may follow its end in the source.
 */
export function unitEndingAt({ functions }: Units, end: number): Unit | undefined {
  return functions.find((unit) => unit.end === end) ?? functions.findLast((unit) => unit.start < end && end <= unit.end)
}

/**
 * The hash of a function contains the one around it, and what stands before it on its line: two functions with the same text are told
 * apart where they stand.
 */
function hashed(functions: readonly Range[], { source, ownText }: { source: string; ownText: (range: Range) => string }): readonly Unit[] {
  const sorted = functions.toSorted((left, right) => left.start - right.start || right.end - left.end)
  const around: { range: Range; hash: string }[] = []
  const known = new Map<string, number>()
  return sorted.map((range) => {
    while (around.length > 0 && !isInside(range, around.at(-1)?.range ?? range)) around.pop()
    const before = source.slice(source.lastIndexOf('\n', range.start) + 1, range.start)
    const text = [around.at(-1)?.hash ?? '', before, ownText(range)].join('\n')
    const times = known.get(text) ?? 0
    known.set(text, times + 1)
    const hash = hashOf(`${text}\n${times}`)
    around.push({ range, hash })
    return { ...range, hash }
  })
}

/** Whether a statement of a module does anything when it is loaded. `import './x.ts'` does. */
function isValue({ type, declaration, specifiers }: Statement): boolean {
  if (type === 'ExportNamedDeclaration' && declaration) return isValue(declaration)
  if (type === 'ImportDeclaration') return specifiers?.length === 0
  return !['FunctionDeclaration', 'TSTypeAliasDeclaration', 'TSInterfaceDeclaration'].includes(type)
}

/** A comment that has its lines for itself goes with them: without it the text is as if it had never been there. */
function withItsLine(source: string, { start, end }: Range): Range {
  const before = /[ \t]*$/.exec(source.slice(Math.max(0, start - 200), start))?.[0].length ?? 0
  const from = start - before
  const isAlone = (from === 0 || source[from - 1] === '\n') && (source[end] === '\n' || end === source.length)
  return { start: from, end: isAlone ? end + 1 : end }
}

function without(source: string, range: Range, cuts: readonly Range[]): string {
  let text = ''
  let at = range.start
  for (const cut of cuts.toSorted((left, right) => left.start - right.start)) {
    if (cut.start >= range.end || cut.end <= at) continue
    text += source.slice(at, Math.max(at, cut.start))
    at = cut.end
  }
  return text + source.slice(at, Math.max(at, range.end))
}

function isInside(inner: Range, outer: Range): boolean {
  return inner !== outer && outer.start <= inner.start && inner.end <= outer.end && (inner.start !== outer.start || inner.end !== outer.end)
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 12)
}
