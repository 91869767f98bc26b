import { existsSync } from 'node:fs'
import { basename } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { StartError } from '../kernel/start-error.ts'
import { leftover } from '../providers/store/write-durably.ts'

export const databases = ['store.db', 'outbox.sqlite']
/** They are made again: from `store.db`, and from the platform. */
const [searchIndex, schemas] = ['transcripts.db', 'schemas']
/** The lock belongs to the process; a database is copied with its logs by SQLite. */
export function isCopied(path: string): boolean {
  const name = basename(path)
  return (
    name !== 'owner.lock' &&
    name !== schemas &&
    ![...databases, searchIndex].some((database) => name.startsWith(database)) &&
    !leftover.test(name)
  )
}

/** SQLite copies the state of one moment, also while the service writes: in one step, because it begins again after a write between two. */
export async function copyDatabase(from: string, to: string): Promise<void> {
  if (!existsSync(from)) return
  try {
    using source = new DatabaseSync(from, { readOnly: true, timeout: 2_000 })
    await backup(source, to, { rate: 2 ** 31 - 1 })
    using copy = new DatabaseSync(to)
    const verdict = copy.prepare('PRAGMA integrity_check').get()?.['integrity_check']
    if (verdict !== 'ok') throw new Error(`the copy is damaged: ${String(verdict)}`)
  } catch (cause) {
    throw new StartError(`${from} cannot be copied: ${cause instanceof Error ? cause.message : String(cause)}`, { cause })
  }
}
