import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'

/**
 * Watches a folder and its direct subfolders, also those created later. Each folder has its own watcher, because Node's recursive
 * watcher loses a file on Linux after a rename has replaced it (seen on Node 24). If the system has no watcher left, a warning is
 * logged and the folder is not watched.
 */
export function watchFolders(root: string, { onFile, log }: { onFile: (path: string) => void; log: Log }): Disposable {
  const watchers = new Map<string, FSWatcher>()
  const drop = (folder: string): void => {
    watchers.get(folder)?.close()
    watchers.delete(folder)
  }
  const add = (folder: string): void => {
    if (watchers.has(folder)) return
    try {
      const watcher = watch(join(root, folder), { persistent: false }, (_event, file) => {
        if (folder === '') addInner()
        if (file !== null) onFile(join(folder, file))
      })
      watcher.on('error', () => drop(folder))
      watchers.set(folder, watcher)
    } catch (error) {
      log.warn({ err: error, folder: join(root, folder) }, 'configuration.folder-not-watched')
    }
  }
  const addInner = (): void => {
    const folders = entriesOf(root).filter((entry) => entry.isDirectory())
    for (const known of watchers.keys()) if (known !== '' && !folders.some(({ name }) => name === known)) drop(known)
    for (const { name } of folders) {
      if (watchers.has(name)) continue
      add(name)
      for (const file of entriesOf(join(root, name))) onFile(join(name, file.name))
    }
  }
  add('')
  addInner()
  return {
    [Symbol.dispose]() {
      for (const folder of watchers.keys()) drop(folder)
    },
  }
}

/** Returns nothing for a folder that has just been removed. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
