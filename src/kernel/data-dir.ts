import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { StartError } from './start-error.ts'

/** The sole right to a data directory, held until disposed of; the system takes it back from a process that dies. */
export type DataDirClaim = Disposable

/**
 * Makes the directory where it is missing (readable by its owner alone) and claims it for this process. Throws, naming the
 * directory, where another process holds it, or where it cannot be made. Node has no file locks of its own, so an empty SQLite file
 * lends its: they hold on every system that Node runs on, but not on network file systems without locks.
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
    mkdirSync(path, { recursive: true, mode: 0o700 })
    return new DatabaseSync(join(path, 'owner.lock'), { timeout: 0 })
  } catch (cause) {
    throw new StartError(`The data directory ${path} cannot be used: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
