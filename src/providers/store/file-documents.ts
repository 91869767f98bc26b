import { mkdir, readFile, readdir, rm } from 'node:fs/promises'
import { join, resolve, sep } from 'node:path'
import type { DocumentStore } from '../../ports/documents.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import { createKeyedMutex } from '../../kernel/keyed-mutex.ts'
import { watchFolders } from './watched-folders.ts'
import { unreadableFile } from './unreadable-file.ts'
import { leftover, writeDurably } from './write-durably.ts'

const namePattern = /^[A-Za-z0-9-]+(\/[A-Za-z0-9-]+)?$/
const suffix = '.json'

/**
 * Documents as files under `<dataDir>/configuration`, readable only by their owner. A file is replaced by a rename after an fsync, so it is
 * always complete. This process owns the data directory: no other process writes here, but a person may.
 */
export async function createFileDocuments({ dataDir, log }: { readonly dataDir: string; readonly log: Log }): Promise<DocumentStore> {
  const root = resolve(dataDir, 'configuration')
  await mkdir(root, { recursive: true, mode: 0o700 })
  await removeLeftovers(root)
  const mutex = createKeyedMutex()
  const fileOf = (name: string): string => {
    if (!namePattern.test(name)) throw new Error(`"${name}" is not a document name`)
    return join(root, `${name}${suffix}`)
  }
  const watchers = new Set<Disposable>()

  return {
    async read(name) {
      const file = fileOf(name)
      return await orUnavailable(() => readIfPresent(file))
    },
    async replace(name, { expected, text }) {
      const file = fileOf(name)
      const step = async (): Promise<boolean> => {
        if ((await readIfPresent(file)) !== expected) return false
        await writeDurably(file, text)
        return true
      }
      return await mutex.run(name, () => orUnavailable(step))
    },
    locate: (name) => `configuration/${name}${suffix} in the data directory`,
    watch(listener) {
      const onFile = (path: string): void => {
        if (path.endsWith(suffix)) listener(path.slice(0, -suffix.length).split(sep).join('/'))
      }
      const watcher = watchFolders(root, { onFile, log })
      watchers.add(watcher)
      return watcher
    },
    close: async () => {
      for (const watcher of watchers) watcher[Symbol.dispose]()
    },
  }
}

async function orUnavailable<T>(step: () => Promise<T>): Promise<T> {
  try {
    return await step()
  } catch (cause) {
    throw new AppError('STORE_UNAVAILABLE', { detail: 'The configuration cannot be read or written at the moment', cause })
  }
}

async function readIfPresent(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw unreadableFile(file, error)
  }
}

async function removeLeftovers(root: string): Promise<void> {
  const files = await readdir(root, { recursive: true }).catch((error: unknown) => {
    throw unreadableFile(root, error)
  })
  await Promise.all(files.filter((file) => leftover.test(file)).map((file) => rm(join(root, file), { force: true })))
}
