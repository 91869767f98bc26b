import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { newId } from '../../kernel/ids.ts'

/** What a process that dies before its rename leaves behind. */
export const leftover = /\.[0-9a-f-]{36}\.partial$/

/**
 * Replaces a file by another in one step: whoever reads it finds the old text or the new one, whole, also when the process is killed or
 * the disk is full. Durable when it resolves. Readable by its owner alone. (The package write-file-atomic takes a short write, as a full
 * disk gives, for a whole one, and renames half a text: seen with 8.0.0.)
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

/** The rename itself is durable only when its folder is synced too; Windows cannot open folders and does not need it. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return
  await using handle = await open(folder, 'r')
  await handle.sync()
}
