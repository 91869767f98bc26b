import { globSync, statSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../..', import.meta.url))
const mark = `${root}dist/built`
const sources = ['src/web/**', 'packages/client/src/**', 'src/commands/build/*', 'package-lock.json', 'tsconfig.json']

/** Whether a source was written after the last build. */
export function isStale(): boolean {
  const builtAt = statSync(mark, { throwIfNoEntry: false })?.mtimeMs ?? 0
  return globSync(sources, { cwd: root }).some((path) => statSync(`${root}${path}`).mtimeMs > builtAt)
}

export function markBuilt(): void {
  writeFileSync(mark, '')
}
