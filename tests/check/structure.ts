import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import type * as Ast from 'oxc-parser'

/**
 * Figures of the code's structure and of the pages, and limits on them. `npm run check -- structure` prints them, and fails if one is over
 * its limit; with `--places` it says where. `npm run codegen` writes them into docs/architecture.md.
 */
type Figure = { readonly name: string; readonly value: number; readonly limit?: number; readonly places?: readonly string[] }

type Place = { readonly name: string; readonly path: string; readonly line: number }
type Found = {
  readonly factories: Place[]
  readonly closureFactories: Place[]
  readonly dependencyTypes: Place[]
  readonly functionAliases: Place[]
  readonly longFunctions: Place[]
  readonly calls: Map<string, number>
  readonly functionLines: number[]
}

type FunctionNode = Ast.Function | Ast.ArrowFunctionExpression

const longestFunction = 60
const smallFile = 20
const dependencyName = /(Deps|Dependencies|Options|Parts|Partners|Ports)$/

export function measureStructure(directory: string): readonly Figure[] {
  const paths = globSync('src/**/*.{ts,tsx}', { cwd: directory, exclude: ['**/generated.ts'] }).map((path) => path.replaceAll('\\', '/'))
  const sources = new Map(paths.map((path) => [path, readFileSync(join(directory, path), 'utf8')]))
  const found: Found = {
    factories: [],
    closureFactories: [],
    dependencyTypes: [],
    functionAliases: [],
    longFunctions: [],
    calls: new Map(),
    functionLines: [],
  }
  for (const [path, source] of sources) measureFile(path, source, found)
  const imports = importsOf(sources)
  const lines = [...sources].map(([path, source]) => ({ path, lines: source.split('\n').length - 1 }))
  const service = lines.filter(({ path }) => !/^src\/(sandbox|web)\//.test(path))
  const calledOnce = found.factories.filter(({ name }) => found.calls.get(name) === 1)
  return [
    { name: 'files', value: lines.length },
    { name: 'lines', value: sum(lines.map(({ lines: count }) => count)) },
    { name: 'lines without sandbox and web', value: sum(service.map(({ lines: count }) => count)) },
    { name: 'median file, lines', value: at(lines, 0.5) },
    { name: 'nine in ten files, lines at most', value: at(lines, 0.9), limit: 141 },
    { name: 'median function, lines', value: quantile(found.functionLines, 0.5) },
    { name: 'functions named create…', value: found.factories.length },
    { name: 'functions named create… called once', value: calledOnce.length },
    { name: 'functions that only return a closure', ...counted(found.closureFactories), limit: 60 },
    { name: 'types that only list dependencies', ...counted(found.dependencyTypes), limit: 40 },
    { name: 'aliases of function types', ...counted(found.functionAliases) },
    { name: `functions over ${longestFunction} lines`, ...counted(found.longFunctions), limit: 0 },
    { name: `files under ${smallFile} lines with one importer`, ...smallFiles(lines, imports) },
    { name: 'pairs of features of which one imports the other', value: featurePairs(imports).size },
    { name: 'mutual pairs of features', value: mutualPairs(featurePairs(imports)), limit: 0 },
    {
      name: 'lines of wiring',
      value: sum(lines.filter(({ path }) => path.startsWith('src/wiring/')).map(({ lines: count }) => count)),
      limit: 579,
    },
  ]
}

/** The words of the pages but for what is written by a command: from `<!-- npm run ... -->` to `<!-- end -->`. */
function measurePages(directory: string): Figure {
  const pages = globSync('docs/*.md', { cwd: directory }).map((path) => {
    const written = readFileSync(join(directory, path), 'utf8').replaceAll(/<!-- npm run [^>]*-->[\s\S]*?<!-- end -->/g, '')
    return { path: path.replaceAll('\\', '/'), words: written.split(/\s+/).filter(Boolean).length }
  })
  return {
    name: 'words of docs/ without generated tables',
    value: sum(pages.map(({ words }) => words)),
    limit: 45_000,
    places: pages.map(({ path, words }) => `${path} ${words}`),
  }
}

function counted(places: readonly Place[]): { readonly value: number; readonly places: readonly string[] } {
  return { value: places.length, places: places.map(({ name, path, line }) => `${path}:${line} ${name}`) }
}

function measureFile(path: string, source: string, found: Found): void {
  const { program } = parseSync(path, source)
  const lineOf = (offset: number): number => source.slice(0, offset).split('\n').length
  const place = (name: string, { start }: { start: number }): Place => ({ name, path, line: lineOf(start) })
  const importedTypes = new Set(
    program.body.flatMap((node) =>
      node.type === 'ImportDeclaration' && node.source.value.startsWith('.') ? node.specifiers.map(({ local }) => local.name) : [],
    ),
  )
  const noteFunction = (name: string, node: FunctionNode): void => {
    const size = sizeOf(source.slice(node.start, node.end))
    found.functionLines.push(size)
    if (size > longestFunction) found.longFunctions.push(place(`${name} (${size})`, node))
    // An effect of React returns what ends it.
    if (onlyReturnsClosure(node) && !path.startsWith('src/web/')) found.closureFactories.push(place(name, node))
  }
  const visitor = new Visitor({
    FunctionDeclaration(node) {
      const name = node.id?.name ?? 'default'
      noteFunction(name, node)
      if (/^create[A-Z]/.test(name)) found.factories.push(place(name, node))
    },
    VariableDeclarator(node) {
      if (node.id.type === 'Identifier' && node.init?.type === 'ArrowFunctionExpression') noteFunction(node.id.name, node.init)
    },
    Property(node) {
      if (node.value.type !== 'FunctionExpression' && node.value.type !== 'ArrowFunctionExpression') return
      noteFunction(node.key.type === 'Identifier' ? node.key.name : 'property', node.value)
    },
    CallExpression(node) {
      if (node.callee.type === 'Identifier') found.calls.set(node.callee.name, (found.calls.get(node.callee.name) ?? 0) + 1)
    },
    TSTypeAliasDeclaration(node) {
      const { name } = node.id
      if (node.typeAnnotation.type === 'TSFunctionType') found.functionAliases.push(place(name, node))
      if (dependencyName.test(name) && listsDependencies(node.typeAnnotation, importedTypes)) found.dependencyTypes.push(place(name, node))
    },
    TSInterfaceDeclaration(node) {
      if (dependencyName.test(node.id.name) && membersList(node.body.body, importedTypes))
        found.dependencyTypes.push(place(node.id.name, node))
    },
  })
  visitor.visit(program)
}

/** Lines of code: blank lines and lines that are only a comment do not count. */
function sizeOf(text: string): number {
  return text.split('\n').filter((line) => !/^\s*($|\/\/|\/?\*)/.test(line)).length
}

/** `createX(deps) { ...; return (args) => ... }`: nothing but a closure over its parameters leaves it. */
function onlyReturnsClosure({ body }: FunctionNode): boolean {
  if (!body) return false
  if (body.type !== 'BlockStatement') return isFunction(body)
  const last = body.body.at(-1)
  return last?.type === 'ReturnStatement' && last.argument !== null && isFunction(last.argument)
}

function isFunction({ type }: { readonly type: string }): boolean {
  return type === 'ArrowFunctionExpression' || type === 'FunctionExpression'
}

/** At least half of the members are functions or types of other files: ports, stores, use cases. */
function listsDependencies(type: Ast.TSType, importedTypes: ReadonlySet<string>): boolean {
  if (type.type === 'TSTypeLiteral') return membersList(type.members, importedTypes)
  if (type.type === 'TSIntersectionType') return type.types.some((part) => listsDependencies(part, importedTypes))
  return false
}

function membersList(members: readonly Ast.TSSignature[], importedTypes: ReadonlySet<string>): boolean {
  const dependencies = members.filter((member) => {
    if (member.type === 'TSMethodSignature') return true
    const type = member.type === 'TSPropertySignature' ? member.typeAnnotation?.typeAnnotation : undefined
    return type?.type === 'TSFunctionType' || (type?.type === 'TSTypeReference' && namesImported(type, importedTypes))
  })
  return members.length > 0 && dependencies.length * 2 >= members.length
}

function namesImported({ typeName, typeArguments }: Ast.TSTypeReference, importedTypes: ReadonlySet<string>): boolean {
  if (typeName.type !== 'Identifier') return false
  if (importedTypes.has(typeName.name)) return true
  const [first] = typeArguments?.params ?? []
  return typeName.name === 'Pick' && first?.type === 'TSTypeReference' && namesImported(first, importedTypes)
}

function importsOf(sources: ReadonlyMap<string, string>): ReadonlyMap<string, readonly string[]> {
  return new Map(
    [...sources].map(([path, source]) => {
      const targets = [...source.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, target = '']) =>
        normalize(join(dirname(path), target)),
      )
      return [path, [...new Set(targets)]]
    }),
  )
}

type Lines = readonly { readonly path: string; readonly lines: number }[]

/** Such a file moves into its importer, unless it is a use case: then its name is how people find it. */
function smallFiles(lines: Lines, imports: ReadonlyMap<string, readonly string[]>) {
  const importers = new Map<string, string[]>()
  for (const [path, targets] of imports) for (const target of targets) importers.set(target, [...(importers.get(target) ?? []), path])
  const small = lines.filter(({ path, lines: count }) => count < smallFile && importers.get(path)?.length === 1)
  return { value: small.length, places: small.map(({ path }) => `${path} <- ${basename(importers.get(path)?.[0] ?? '')}`) }
}

function featurePairs(imports: ReadonlyMap<string, readonly string[]>): ReadonlySet<string> {
  const folder = (path: string): string | undefined => /^src\/features\/([^/]+)\//.exec(path)?.[1]
  const pairs = [...imports].flatMap(([path, targets]) => targets.map((target) => [folder(path), folder(target)] as const))
  return new Set(pairs.flatMap(([from, to]) => (from && to && from !== to ? [`${from} -> ${to}`] : [])))
}

function mutualPairs(pairs: ReadonlySet<string>): number {
  return [...pairs].filter((pair) => pairs.has(pair.split(' -> ').toReversed().join(' -> '))).length / 2
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? 0
}

function at(lines: Lines, share: number): number {
  return quantile(
    lines.map(({ lines: count }) => count),
    share,
  )
}

if (import.meta.main) {
  const parameters = process.argv.slice(2)
  const directory = parameters.find((parameter) => !parameter.startsWith('--')) ?? '.'
  const figures = [...measureStructure(directory), measurePages(directory)]
  const isOver = ({ value, limit }: Figure): boolean => limit !== undefined && value > limit
  for (const figure of figures) {
    console.log(`${String(figure.value).padStart(7)}  ${figure.name}${figure.limit === undefined ? '' : ` (limit ${figure.limit})`}`)
    if (parameters.includes('--places') || isOver(figure)) for (const line of figure.places ?? []) console.log(`         ${line}`)
  }
  if (parameters.includes('--check') && figures.some(isOver)) process.exitCode = 1
}
