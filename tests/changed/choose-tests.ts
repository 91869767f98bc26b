import { basename } from 'node:path'
import { closureOf, type ImportGraph, isThread } from './import-graph.ts'
import type { Executed } from './record.ts'
import { unitEndingAt, type Units, unitsOf } from './units.ts'

/** What a change is judged by. Paths are relative to the project. */
export type Tree = {
  readonly tests: readonly string[]
  readonly graph: ImportGraph
  readonly executed: ReadonlyMap<string, Executed>
  /** Git's name of a source's present content; null if it was deleted. */
  readonly version: (path: string) => string | null
  /** The content of a source: now, of a version, or `before` the change. Null if there is none. */
  readonly text: (path: string, version: string) => string | null
}
export type Choice = { readonly test: string; readonly why: string }

/** They read sources as text, whatever these do. */
const readAsText = 'it reads sources as text'
const readSources = ['tests/security/workspace-keys.test.ts', 'tests/console/texts.test.ts']

/** What every test stands on, and nothing says which. */
const everything =
  /^(?:schema\/|package-lock\.json$|tests\/vitest\.config\.ts$|tests\/harness\/(?:setup|servers|worker-pool)\.ts$|tests\/changed\/)/

const isSource = (path: string): boolean => /^(?:src|tests|packages)\/.*\.(?:ts|tsx|mjs)$/.test(path)

/** What browsers load: the folder of a page, or what each page is built with. */
const builtFrom = /^(?:src\/web\/\w+(?=\/)|packages\/client\/src(?=\/)|src\/commands\/build(?=\/|\.ts$))/

/** The test files that a change may break, each with a reason. What they are chosen by is in docs/architecture.md. */
export function chooseTests(changed: readonly string[], tree: Tree): readonly Choice[] {
  const chosen = new Map<string, string>()
  for (const path of changed) for (const { test, why } of testsOf(path, tree)) if (!chosen.has(test)) chosen.set(test, why)
  return tree.tests.flatMap((test) => {
    const why = chosen.get(test)
    return why === undefined ? [] : [{ test, why }]
  })
}

/** What to say if a source has changed and no test is chosen: that nothing failed would say nothing. Null otherwise. */
export function nothingToRun(changed: readonly string[], chosen: readonly Choice[]): string | null {
  const sources = changed.filter((path) => isSource(path) && !/^tests\/(?:bench|prove)\//.test(path))
  if (chosen.some(({ why }) => why !== readAsText) || sources.length === 0) return null
  return `No test executes, imports or starts ${sources.join(', ')}. Write one, or run them all: npm test`
}

function testsOf(path: string, tree: Tree): readonly Choice[] {
  if (everything.test(path)) return tree.tests.map((test) => ({ test, why: `${path} reaches every test` }))
  if (path.endsWith('.test.ts')) return tree.tests.includes(path) ? [{ test: path, why: 'it has changed' }] : []
  const folder = builtFrom.exec(path)?.[0]
  const opened = folder === undefined ? [] : tree.tests.filter((test) => opens(test, folder, tree))
  const pages = opened.map((test) => ({ test, why: `it opens what is built from ${folder}` }))
  return [...pages, ...(isSource(path) ? testsOfSource(path, tree) : testsThatName(path, tree))]
}

/** A test without a record opens every page that it might. */
function opens(test: string, folder: string, { executed: known, graph, text }: Tree): boolean {
  const executed = known.get(test)
  if (!executed)
    return closureOf(graph, test).has('tests/harness/browser.ts') || text(test, 'now')?.includes("realServer('pages')") === true
  const isShared = !folder.startsWith('src/web/')
  return executed.pages.some((page) => isShared || page === folder || page === 'src/web')
}

function testsOfSource(path: string, tree: Tree): readonly Choice[] {
  const change = changeOf(path, tree)
  const imports = (test: string): boolean => closureOf(tree.graph, test).has(path)
  const reasonFor = (test: string): string | null => {
    const executed = tree.executed.get(test)
    if (!executed) return imports(test) ? `it imports ${path}, and what it executes is not known yet` : null
    if (change.reachesImporters) return imports(test) ? `it imports ${path}, of which more than functions has changed` : null
    if (change.isExecutedBy(executed)) return `it executes what has changed in ${path}`
    return mayReachNow(path, executed, tree) ? `it may reach ${path} since what it executes has changed` : null
  }
  const direct = tree.tests.flatMap((test) => {
    const why = reasonFor(test)
    return why === null ? [] : [{ test, why }]
  })
  const texts = (why: string): readonly Choice[] => (path.startsWith('tests/') ? [] : readSources.map((test) => ({ test, why })))
  if (change.isSilent) return [...direct, ...texts('it reads sources as text, and nothing that runs has changed')]
  const threads = runsOnlyInThreads(path, tree.graph) ? testsOfPrograms(path, tree) : []
  if (direct.length + threads.length > 0) return [...direct, ...threads, ...texts(readAsText)]
  const others = [
    testsOfPrograms(path, tree),
    tree.tests.filter(imports).map((test) => ({ test, why: `it imports ${path}` })),
    testsOfFolder(path, tree),
  ]
  return [...(others.find(({ length }) => length > 0) ?? []), ...texts(readAsText)]
}

type Change = {
  /** Nothing but comments, types and imports. */
  readonly isSilent: boolean
  isExecutedBy(executed: Executed): boolean
  /** A value of the module, a function that ran when it was loaded, or one that may run once in a process. */
  readonly reachesImporters: boolean
}

/** Compares a source with what a test executed of it. */
function changeOf(path: string, tree: Tree): Change {
  const now = unitsOf(path, tree.text(path, 'now'))
  const before = unitsOf(path, tree.text(path, 'before'))
  const present = new Set(now.functions.map(({ hash }) => hash))
  const gone = before.functions.filter(({ hash }) => !present.has(hash))
  const byVersion = new Map<string, Units>()
  const unitsAt = (version: string): Units => {
    const units = byVersion.get(version) ?? unitsOf(path, tree.text(path, version))
    byVersion.set(version, units)
    return units
  }
  /** Whether one of these functions is not there any more as it was. Of a version that is lost, each may be. */
  const haveChanged = (own: Executed['ran'][string] | undefined): boolean => {
    if (!own) return false
    if (tree.text(path, own.version) === null) return true
    const units = unitsAt(own.version)
    return own.ends.some((end) => {
      const unit = unitEndingAt(units, end)
      return unit !== undefined && !present.has(unit.hash)
    })
  }
  const isLoaded = [...tree.executed.values()].some(({ loaded }) => haveChanged(loaded[path]))
  return {
    isSilent: gone.length === 0 && now.functions.length === before.functions.length && now.outside === before.outside,
    isExecutedBy: ({ ran }) => haveChanged(ran[path]),
    reachesImporters: now.outside !== before.outside || isLoaded || (gone.length > 0 && (before.remembers || now.remembers)),
  }
}

/** Since its record, a source that it executes has changed, and imports this one now. */
function mayReachNow(path: string, { ran }: Executed, tree: Tree): boolean {
  return Object.entries(ran).some(([own, { version }]) => tree.graph.get(own)?.includes(path) === true && tree.version(own) !== version)
}

/** What no test executes in its own process: those that start a program or a thread that imports it. */
function testsOfPrograms(path: string, tree: Tree): readonly Choice[] {
  const entries = [...tree.graph.keys()].filter((entry) => isEntry(entry) && closureOf(tree.graph, entry).has(path))
  return tree.tests.flatMap((test) => {
    const started = startedBy(test, tree)
    const entry = entries.find((each) => started.some((name) => (name.endsWith('/') ? each.startsWith(name) : each === name)))
    return entry === undefined ? [] : [{ test, why: `it starts ${entry}, which imports ${path}` }]
  })
}

const isEntry = (path: string): boolean =>
  isThread(path) || /^src\/(?:main|commands\/[\w-]+)\.ts$|-process\.ts$|^tests\/(?:run|check\/[\w-]+)\.ts$/.test(path)

/** What a thread of the service imports, and the service itself does not. */
function runsOnlyInThreads(path: string, graph: ImportGraph): boolean {
  return path.startsWith('src/') && closureOf(graph, 'src/main.ts').has(path) && !closureOf(withoutThreads(graph), 'src/main.ts').has(path)
}

const graphsWithoutThreads = new WeakMap<ImportGraph, ImportGraph>()

function withoutThreads(graph: ImportGraph): ImportGraph {
  const known =
    graphsWithoutThreads.get(graph) ?? new Map([...graph].map(([path, targets]) => [path, targets.filter((to) => !isThread(to))]))
  graphsWithoutThreads.set(graph, known)
  return known
}

/** The programs and threads that a test starts: paths, and folders ending in a slash. V8 says nothing of those that a test waits for (`spawnSync`). */
function startedBy(test: string, { graph, executed, text }: Tree): readonly string[] {
  const record = executed.get(test)
  const threads = Object.keys(record?.ran ?? {}).flatMap((own) => graph.get(own)?.filter(isThread) ?? [])
  const waitedFor = programsIn(text(test, 'now') ?? '', /Sync\(process\.execPath,\s*\[\s*['"`]([^'"`$]+)/g)
  if (record) return [...record.programs, ...threads, ...waitedFor]
  const own = [...closureOf(graph, test)].filter((path) => path.startsWith('tests/'))
  return own.flatMap((path) => programsIn(text(path, 'now') ?? '', /['"`]((?:src|tests)\/[^'"`$]+)/g))
}

function programsIn(source: string, named: RegExp): readonly string[] {
  return [...source.matchAll(named)].flatMap(([, name]) => name ?? [])
}

/** What tests build or start in other ways: the test files of its folder. */
function testsOfFolder(path: string, { tests }: Tree): readonly Choice[] {
  const folder = /^tests\/\w+\//.exec(path)?.[0]
  return folder === undefined
    ? []
    : tests.filter((test) => test.startsWith(folder)).map((test) => ({ test, why: `it is in the folder of ${path}` }))
}

/** A page of the documentation, a manifest, recorded data: the tests whose own text, or whose harness, names it or its folder. */
function testsThatName(path: string, { tests, graph, text }: Tree): readonly Choice[] {
  const names = [basename(path), ...folderNames(path)]
  return tests.flatMap((test) => {
    const own = [...closureOf(graph, test)].filter((file) => file.startsWith('tests/') || path.startsWith('src/'))
    const isNamed = own.some((file) => names.some((name) => text(file, 'now')?.includes(name)))
    return isNamed ? [{ test, why: `it names ${path}` }] : []
  })
}

/** By which tests name the folder of a file: `docs/`, `fixtures/stored`. */
function folderNames(path: string): readonly string[] {
  const [top = '', ...inner] = path.split('/')
  if (top === 'src' || inner.length === 0) return []
  if (top === 'tests') return inner.length > 2 ? [inner.slice(0, 2).join('/')] : []
  return [`${top}/`]
}
