import { readFile, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { unreadableFile } from './unreadable-file.ts'
import { writeDurably } from './write-durably.ts'

/** A file with the operator's key, used if no key is set: 32 bytes in base64, readable only by its owner. */
export interface KeyFile {
  readonly path: string
  /** Null if there is no file. Throws if the file does not hold a key. */
  read(): Promise<Uint8Array | null>
  /** The file is durable when this resolves. */
  write(key: Uint8Array): Promise<void>
  remove(): Promise<void>
}

export function createKeyFile(dataDir: string, log: Log): KeyFile {
  const path = resolve(dataDir, 'secrets.key')
  return {
    path,
    async read() {
      const text = await readFile(path, 'utf8').catch((error: unknown) => {
        if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
        throw unreadableFile(path, error)
      })
      if (text === null) return null
      const key = Buffer.from(text.trim(), 'base64')
      if (key.length !== 32) throw new StartError(`${path} must hold 32 bytes in base64`)
      await warnOfReaders(path, log)
      return key
    },
    write: (key) => writeDurably(path, `${Buffer.from(key).toString('base64')}\n`),
    remove: () => rm(path, { force: true }),
  }
}

async function warnOfReaders(path: string, log: Log): Promise<void> {
  const { mode } = await stat(path)
  if (process.platform !== 'win32' && (mode & 0o077) !== 0) {
    log.warn({ file: path, advice: 'remove the permission with "chmod 600"' }, 'secrets-key.readable-by-others')
  }
}
