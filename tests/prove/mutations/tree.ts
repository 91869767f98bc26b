import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { withProbes, blocksOf } from './blocks.ts'
import { root, type Source } from './sources.ts'

/** A copy of the files of this working tree, with its packages, in the system's folder for temporary files. Tests run there. */
export type Tree = Disposable & {
  readonly path: string
  write(path: string, source: string): void
  restore(path: string): void
}

export function createTree(): Tree {
  const path = mkdtempSync(join(tmpdir(), 'mutations-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], { cwd: root, encoding: 'utf8' })
  for (const file of new Set(listed.split('\0'))) if (file !== '' && file !== 'node_modules') copy(file, path)
  symlinkSync(join(root, 'node_modules'), join(path, 'node_modules'))
  return {
    path,
    write: (file, source) => writeFileSync(join(path, file), source),
    restore: (file) => writeFileSync(join(path, file), readFileSync(join(root, file))),
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }),
  }
}

function copy(file: string, to: string): void {
  mkdirSync(dirname(join(to, file)), { recursive: true })
  try {
    cpSync(join(root, file), join(to, file))
  } catch (error) {
    // A file that is deleted, but not yet committed.
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}

/** Puts probes into all these sources; the answer gives for a probe's number the source and the block in it. */
export function addProbes(tree: Tree, sources: readonly Source[]): (probe: number) => { source: Source; block: number } | undefined {
  const firsts: { readonly first: number; readonly source: Source }[] = []
  let first = 0
  for (const source of sources) {
    const module = relative(dirname(source.path), 'tests/prove/mutations/reached-process.ts').replaceAll('\\', '/')
    tree.write(source.path, withProbes(source.path, source.text, { first, module }))
    firsts.push({ first, source })
    first += blocksOf(source.path, source.text).length
  }
  return (probe) => {
    const found = firsts.findLast((each) => each.first <= probe)
    return found && { source: found.source, block: probe - found.first }
  }
}
