import type { DatabaseSync } from 'node:sqlite'

/** Runs the steps in one transaction. If one throws, nothing of them is stored, and its error is thrown. */
export function inTransaction<T>(database: DatabaseSync, steps: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = steps()
    database.exec('COMMIT')
    return result
  } catch (error) {
    // SQLite has ended it already if the disk is full.
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
