import { createHash } from 'node:crypto'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('../../..', import.meta.url))

/** Where maps and results are stored; git ignores it. */
export const cacheFolder = join(root, 'tests/.cache/mutations')

/** A file that is mutated. `id`: path and a hash of its text, so that what was measured of another text is not taken for this one. */
export type Source = { readonly path: string; readonly text: string; readonly id: string }

export function mutatedSources(): readonly Source[] {
  const paths = globSync('src/{features,providers,server,kernel}/**/*.ts', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  return paths.toSorted().map((path) => {
    const text = readFileSync(join(root, path), 'utf8')
    return { path, text, id: `${path}@${hashOf(text)}` }
  })
}

export function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 10)
}

/** The folder that figures are given for: `features/calls`, `providers/store`, `server/http`, `kernel`. */
export function folderOf(path: string): string {
  const [, layer = '', folder = ''] = path.split('/')
  return folder === '' || folder.endsWith('.ts') ? layer : `${layer}/${folder}`
}
