import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../kernel/ids.ts'

/** Matches the temporary files of processes that died before their rename. */
export const leftover = /\.[0-9a-f-]{36}\.partial$/

/**
 * Replaces a file atomically: a reader sees either the complete old text or the complete new text, also if the process is killed or the
 * disk is full. Durable when it resolves. Readable only by its owner. (The package write-file-atomic treats a short write, for example
 * on a full disk, as complete and renames a truncated file: seen with 8.0.0.)
 */
export async function writeDurably(file: string, text: string): Promise<void> {
  const folder = dirname(file)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const partial = `${file}.${newId()}.partial`
  try {
    await writeAndSync(partial, text)
    await rename(partial, file)
  } catch (error) {
    await rm(partial, { force: true })
    throw error
  }
  await syncFolder(folder)
}

async function writeAndSync(file: string, text: string): Promise<void> {
  await using handle = await open(file, 'wx', 0o600)
  await handle.writeFile(text)
  await handle.sync()
}

/** A rename is durable only after its folder is synced too. Windows cannot open folders and does not need this. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}
