import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Tree } from './choose-tests.ts'
import { readImportGraph } from './import-graph.ts'
import { readExecuted, root, versionOf } from './record.ts'

/** The files that differ from a commit, those that Git does not know yet included. */
export function changedSince(commit: string): readonly string[] {
  const differing = git(['diff', '--name-only', '--no-renames', '-z', commit, '--']).split('\0')
  const unknown = git(['ls-files', '--others', '--exclude-standard', '-z']).split('\0')
  return [...new Set([...differing, ...unknown])].filter((path) => path !== '').toSorted()
}

export function isCommit(name: string): boolean {
  return !name.startsWith('-') && gitOrNull(['rev-parse', '--verify', '--quiet', `${name}^{commit}`]) !== null
}

/** The working tree, and as it was at a commit. */
export function treeSince(commit: string): Tree {
  const texts = new Map<string, string | null>()
  const read = (path: string, version: string): string | null => {
    if (version === 'now') return contentOf(path)?.toString('utf8') ?? null
    if (version === 'before') return gitOrNull(['show', `${commit}:${path}`])
    const content = contentOf(path)
    return content && versionOf(content) === version ? content.toString('utf8') : gitOrNull(['cat-file', 'blob', version])
  }
  const versions = new Map<string, string | null>()
  const graph = readImportGraph()
  const tests = [...graph.keys()].filter((path) => path.endsWith('.test.ts')).toSorted()
  return {
    tests,
    graph,
    executed: new Map([...readExecuted()].filter(([test]) => graph.has(test))),
    version(path) {
      if (!versions.has(path)) {
        const content = contentOf(path)
        versions.set(path, content ? versionOf(content) : null)
      }
      return versions.get(path) ?? null
    },
    text(path, version) {
      const key = `${version} ${path}`
      if (!texts.has(key)) texts.set(key, read(path, version))
      return texts.get(key) ?? null
    },
  }
}

function contentOf(path: string): Buffer | null {
  try {
    return readFileSync(join(root, path))
  } catch {
    return null
  }
}

function git(parameters: readonly string[]): string {
  return execFileSync('git', parameters, { cwd: root, encoding: 'utf8', maxBuffer: 100_000_000, stdio: ['ignore', 'pipe', 'pipe'] })
}

function gitOrNull(parameters: readonly string[]): string | null {
  try {
    return git(parameters)
  } catch {
    return null
  }
}
