import { readFile, rm, stat } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Log } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { writeDurably } from './write-durably.ts'

/** The operator's key as a file, for a service that is given none: 32 bytes in base64, for its owner alone. */
export interface KeyFile {
  readonly path: string
  /** Null where there is none. Throws where it holds something else. */
  read(): Promise<Uint8Array | null>
  /** Durable when it resolves. */
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
        throw error
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
    log.warn({ file: path }, 'others may read the secrets key; take that right away with "chmod 600"')
  }
}
