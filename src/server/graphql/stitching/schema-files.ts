import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { systemClock } from '../../../kernel/clock.ts'

/** A workspace's introspection results, as JSON. */
export type SchemaTexts = { readonly records: string; readonly metadata: string }
/** `readAt`: epoch milliseconds at which the platform confirmed it. */
export type StoredSchema = { readonly hash: string; readonly readAt: number; readonly texts: () => Promise<SchemaTexts | null> }

/** The last schema of each workspace on disk, so that one that is not in memory needs no introspection. It is only a cache: failures are ignored. */
export type SchemaFiles = {
  /** Null if there is none that is whole, of this version, and at most a day old. */
  read(workspaceId: string): Promise<StoredSchema | null>
  write(workspaceId: string, hash: string, texts: SchemaTexts): Promise<void>
  /** What is stored is no longer the workspace's schema, nor is what is about to be written. */
  remove(workspaceId: string): void
}

export function hashOfTexts({ records, metadata }: SchemaTexts): string {
  return createHash('sha256').update(records).update('\n').update(metadata).digest('base64url')
}

const version = 'sidecar-schema-1'
const maxAgeMs = 86_400_000
/** A real workspace's file has 180 kB. */
const maxFiles = 1_000
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Far above any schema; what unpacks to more is damaged. */
const maxBytes = 256 * 1_048_576

/** Each workspace has a file of its own, named by a hash of its id and readable only by the owner: the version, the hash, and the packed texts. */
export function createSchemaFiles(directory: string): SchemaFiles {
  const fileOf = (workspaceId: string): string => join(directory, createHash('sha256').update(workspaceId).digest('base64url'))
  // One after the other, so that the last one counts.
  let writes = Promise.resolve()
  const remove = (workspaceId: string): void => {
    try {
      rmSync(fileOf(workspaceId), { force: true })
    } catch {
      // A folder of another owner: what cannot be removed was not written by this process either, and is too old after a day.
    }
  }
  return {
    async read(workspaceId) {
      const file = fileOf(workspaceId)
      const [content, found] = await Promise.all([readFile(file), stat(file)]).catch(() => [null, null] as const)
      if (content === null || found === null || systemClock.now() - found.mtimeMs > maxAgeMs) return null
      const headEnd = content.indexOf('\n')
      const [form, hash = ''] = content.subarray(0, Math.max(0, headEnd)).toString().split(' ')
      if (form !== version) return null
      const texts = async (): Promise<SchemaTexts | null> => {
        const unpacked = await unpack(content.subarray(headEnd + 1), hash)
        if (unpacked === null) remove(workspaceId)
        return unpacked
      }
      return { hash, readAt: found.mtimeMs, texts }
    },
    write(workspaceId, hash, texts) {
      // The disk is full or read-only: then the schema is read from the platform when it is needed.
      writes = writes.then(() => writeSchema(fileOf(workspaceId), { hash, texts })).catch(() => {})
      return writes
    },
    remove(workspaceId) {
      remove(workspaceId)
      writes = writes.then(() => remove(workspaceId))
    },
  }
}

async function writeSchema(file: string, { hash, texts }: { readonly hash: string; readonly texts: SchemaTexts }): Promise<void> {
  const head = `${version} ${hash}\n`
  const before = await readFile(file).catch(() => null)
  if (before?.subarray(0, head.length).toString() === head) return utimes(file, systemClock.now() / 1_000, systemClock.now() / 1_000)
  const packed = await compress(`${texts.records}\n${texts.metadata}`)
  const directory = dirname(file)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, Buffer.concat([Buffer.from(head), packed]), { mode: 0o600 })
  await rename(`${file}.new`, file)
  await removeOldest(directory)
}

/** Null if the content is not the one that was hashed. */
async function unpack(packed: Uint8Array, hash: string): Promise<SchemaTexts | null> {
  const text = await decompress(packed, { maxOutputLength: maxBytes }).then(String, () => '')
  const [records = '', metadata = ''] = text.split('\n')
  const texts = { records, metadata }
  return hashOfTexts(texts) === hash ? texts : null
}

async function removeOldest(directory: string): Promise<void> {
  const names = await readdir(directory)
  if (names.length <= maxFiles) return
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })))
  const oldest = files.toSorted((one, other) => one.at - other.at).slice(0, files.length - maxFiles)
  await Promise.all(oldest.map(({ name }) => rm(join(directory, name), { force: true })))
}
