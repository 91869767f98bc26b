import { type Dirent, type FSWatcher, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '../../kernel/log.ts'

/**
 * Watches a folder and the folders right in it, also those made later. Each folder has a watcher of its own, because Node's recursive
 * watching loses a file on Linux once it has been replaced by a rename (seen on Node 24). Where the system has no watcher left, it
 * says so in the log and goes on without.
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
      log.warn({ err: error, folder: join(root, folder) }, 'the folder cannot be watched: changes by hand are seen late')
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

/** Nothing for a folder that has just been removed. */
function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}
