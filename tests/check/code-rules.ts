import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'

/** A rule of the house that no other tool holds. `finds` answers what is wrong with a source, or null. */
type CodeRule = {
  readonly applies: (path: string) => boolean
  readonly finds: (path: string, source: string) => string | null
}

const vagueName = /(^|[-.])(utils?|helpers?|common|manager|service)\.\w+$/
const bareClock = /\bDate\.now\(\)|\bnew Date\(\)/

const bareStore =
  /\bstore\??\.(get|getMany|entry|set|setIfAbsent|compareAnd\w+|delete|increment|keys|sorted\w+)\(|\b(acquire|with|read)Lease\b/

const codeRules: readonly CodeRule[] = [
  {
    applies: (path) => path.startsWith('src/'),
    finds: (path) => (vagueName.test(basename(path)) ? 'its name says nothing: name what it does' : null),
  },
  {
    applies: (path) => path.startsWith('src/') || path.startsWith('tests/'),
    finds: (path) => (basename(path) === 'index.ts' ? 'no barrels: import from the file that has it' : null),
  },
  {
    // A page runs in a browser, by the browser's clock.
    applies: (path) =>
      path.startsWith('src/') && !/^src\/(sandbox|commands)\/|^src\/kernel\/clock\.ts$|\/page\.mjs$|^src\/web\//.test(path),
    finds: (_path, source) => (bareClock.test(source) ? 'reads the time by itself: take a Clock' : null),
  },
  {
    applies: (path) => path.startsWith('src/') && !/^src\/(commands|settings)\/|^src\/main\.ts$/.test(path),
    finds: (_path, source) => (/\bprocess\.env\b/.test(source) ? 'reads the environment: only src/settings does' : null),
  },
  {
    applies: (path) => /^src\/(features|server|providers)\//.test(path) && !path.startsWith('src/providers/store/'),
    finds: (_path, source) => (bareStore.test(source) ? 'uses the store by itself: declare what it stores (src/ports/stored)' : null),
  },
  {
    applies: (path) => path.startsWith('tests/') && !/^tests\/(prove|bench|fixtures|check)\/|\/start-app\.ts$/.test(path),
    finds: (_path, source) => (/\bcreateApp\(/.test(source) ? 'starts the service with the deadlines of production: use startApp' : null),
  },
]

/** What the rules find wrong with these sources, a line each. */
export function findCodeFaults(sources: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(sources).flatMap(([path, source]) =>
    codeRules.flatMap((rule) => {
      const fault = rule.applies(path) ? rule.finds(path, source) : null
      return fault === null ? [] : [`${path}: ${fault}`]
    }),
  )
}

if (import.meta.main) {
  const paths = globSync('{src,tests}/**/*.{ts,tsx,mjs}', { exclude: ['**/generated.ts'] }).map((path) => path.replaceAll('\\', '/'))
  const faults = findCodeFaults(Object.fromEntries(paths.map((path) => [path, readFileSync(path, 'utf8')])))
  for (const fault of faults) console.error(fault)
  console.log(`${paths.length} files, ${faults.length} faults`)
  process.exitCode = faults.length > 0 || paths.length === 0 ? 1 : 0
}
