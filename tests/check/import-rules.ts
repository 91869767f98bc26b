import { globSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { cruise } from 'dependency-cruiser'
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options'

const configuration = fileURLToPath(new URL('../../.dependency-cruiser.cjs', import.meta.url))

export type ImportRulesReport = { readonly faults: readonly string[]; readonly modules: number }

/**
 * Holds the import rules of `.dependency-cruiser.cjs` against `src` and the packages under the given directory. Sources that could not be cruised are
 * a fault as well: without a parser for them dependency-cruiser passes over them in silence.
 */
export async function checkImportRules(directory: string): Promise<ImportRulesReport> {
  const options = await extractOptions(configuration)
  const { output } = await cruise(folders(directory), { ...options, baseDir: directory })
  if (typeof output === 'string') throw new Error('dependency-cruiser gave a text where its result was asked for')
  const seen = new Set(output.modules.map(({ source }) => source))
  const sources = globSync('{src,packages/*/src}/**/*.{ts,tsx,mjs}', { cwd: directory }).map((path) => path.replaceAll('\\', '/'))
  return {
    faults: [
      ...output.summary.violations.map(({ rule, from, to, unresolvedTo }) => `${rule.name}: ${from} imports ${unresolvedTo ?? to}`),
      ...sources.filter((source) => !seen.has(source)).map((source) => `not-seen: ${source} was not cruised`),
      ...(sources.length === 0 ? [`not-seen: there are no sources in ${join(directory, 'src')}`] : []),
    ],
    modules: sources.filter((source) => seen.has(source)).length,
  }
}

function folders(directory: string): string[] {
  return ['src', ...globSync('packages/*/src', { cwd: directory })]
}

if (import.meta.main) {
  const { faults, modules } = await checkImportRules(process.cwd())
  for (const fault of faults) console.error(fault)
  console.log(`${modules} modules, ${faults.length} faults`)
  process.exitCode = faults.length > 0 ? 1 : 0
}
