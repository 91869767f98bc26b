import { existsSync, mkdirSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/** An exclusive lock on a data directory, until it is disposed. The operating system releases it when the process dies. */
export type DataDirClaim = Disposable

/**
 * Creates the directory if it is missing (readable only by its owner) and locks it for this process. Throws an error that names the
 * directory if another process has locked it, or if it cannot be created. Node has no file locks, so this uses the lock of an empty
 * SQLite file. It works on every system that Node supports, but not on network file systems without locks.
 */
export function claimDataDir(dataDir: string): DataDirClaim {
  const path = resolve(dataDir)
  const lock = openLock(path)
  try {
    lock.exec('BEGIN EXCLUSIVE')
  } catch (cause) {
    lock.close()
    const advice = 'Stop it, or give this one a directory of its own (DATA_DIR); instances that work together share a Redis (REDIS_URL).'
    throw new StartError(`Another process is using the data directory ${path}. ${advice}`, { cause })
  }
  return {
    [Symbol.dispose]() {
      if (lock.isOpen) lock.close()
    },
  }
}

function openLock(path: string): DatabaseSync {
  try {
    createFolder(path)
    return new DatabaseSync(join(path, 'owner.lock'), { timeout: 0 })
  } catch (cause) {
    throw new StartError(`The data directory ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}

/** One folder after another: with `recursive`, Node never returns if the system refuses every folder in a place, as in `/proc`. */
function createFolder(path: string): void {
  if (existsSync(path)) return
  const parent = dirname(path)
  if (parent !== path) createFolder(parent)
  mkdirSync(path, { mode: 0o700 })
}
