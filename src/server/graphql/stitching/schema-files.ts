import { createHash } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { zstdCompress, zstdDecompress } from 'node:zlib'
import { systemClock } from '../../../kernel/clock.ts'

/** A workspace's introspection results, as JSON. */
export type SchemaTexts = { readonly records: string; readonly metadata: string }
/** `readAt`: epoch milliseconds at which the platform confirmed it. */
export type StoredSchema = { readonly hash: string; readonly readAt: number; readonly texts: () => Promise<SchemaTexts | null> }

export type WrittenSchema = { readonly hash: string; readonly texts: SchemaTexts }

/** The last schema of each workspace on disk, so that one that is not in memory needs no introspection. It is only a cache: failures are ignored. */
export type SchemaFiles = {
  /** Null if there is none that is whole, of this version, and at most a day old. */
  read(workspaceId: string): Promise<StoredSchema | null>
  /** Soon. Left out if too many wait to be written. */
  write(workspaceId: string, schema: WrittenSchema): void
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
/** Each has its texts in memory, 2 MB or so. */
const maxWaiting = 20
const cleanUpEveryMs = 3_600_000
const compress = promisify(zstdCompress)
const decompress = promisify(zstdDecompress)
/** Far above any schema; what unpacks to more is damaged. */
const maxBytes = 256 * 1_048_576

/** Each workspace has a file of its own, named by a hash of its id and readable only by the owner: the version, the hash, and the packed texts. */
export function createSchemaFiles(directory: string): SchemaFiles {
  const fileOf = (workspaceId: string): string => join(directory, createHash('sha256').update(workspaceId).digest('base64url'))
  // The last one of a workspace counts.
  const waiting = new Map<string, WrittenSchema>()
  let underWay: { readonly workspaceId: string; isRemoved: boolean } | null = null
  let cleanUpAt = 0
  const remove = (workspaceId: string): void => {
    try {
      rmSync(fileOf(workspaceId), { force: true })
    } catch {
      // A folder of another owner: what cannot be removed was not written by this process either, and is too old after a day.
    }
  }
  /** One after the other. The disk is full or read-only: then the schema is read from the platform when it is needed. */
  const writeAll = async (): Promise<void> => {
    for (const [workspaceId, schema] of waiting) {
      waiting.delete(workspaceId)
      underWay = { workspaceId, isRemoved: false }
      await writeSchema(fileOf(workspaceId), schema).catch(() => {})
      if (underWay.isRemoved) remove(workspaceId)
      const isDue = systemClock.now() >= cleanUpAt
      if (isDue) cleanUpAt = systemClock.now() + cleanUpEveryMs
      await cleanUp(directory, isDue).catch(() => {})
    }
    underWay = null
  }
  return {
    async read(workspaceId) {
      const found = await readWithTime(fileOf(workspaceId)).catch(() => null)
      if (found === null || systemClock.now() - found.at > maxAgeMs) return null
      const { content, at } = found
      const headEnd = content.indexOf('\n')
      const [form, hash = ''] = content.subarray(0, Math.max(0, headEnd)).toString().split(' ')
      if (form !== version) return null
      const texts = async (): Promise<SchemaTexts | null> => {
        const unpacked = await unpack(content.subarray(headEnd + 1), hash)
        if (unpacked === null) remove(workspaceId)
        return unpacked
      }
      return { hash, readAt: at, texts }
    },
    write(workspaceId, schema) {
      waiting.delete(workspaceId)
      if (waiting.size < maxWaiting) waiting.set(workspaceId, schema)
      if (!underWay) void writeAll()
    },
    remove(workspaceId) {
      waiting.delete(workspaceId)
      if (underWay?.workspaceId === workspaceId) underWay.isRemoved = true
      remove(workspaceId)
    },
  }
}

/** The content and its own time, although another file may take its place meanwhile. */
async function readWithTime(file: string): Promise<{ readonly content: Buffer; readonly at: number }> {
  await using handle = await open(file)
  // The time first: if the same schema is confirmed meanwhile, the reading counts as the older one.
  const { mtimeMs } = await handle.stat()
  return { content: await handle.readFile(), at: mtimeMs }
}

async function writeSchema(file: string, { hash, texts }: WrittenSchema): Promise<void> {
  const head = `${version} ${hash}\n`
  const before = await readFile(file).catch(() => null)
  if (before?.subarray(0, head.length).toString() === head) return utimes(file, systemClock.now() / 1_000, systemClock.now() / 1_000)
  const packed = await compress(`${texts.records}\n${texts.metadata}`)
  const directory = dirname(file)
  await mkdir(directory, { recursive: true, mode: 0o700 })
  await writeFile(`${file}.new`, Buffer.concat([Buffer.from(head), packed]), { mode: 0o600 })
  await rename(`${file}.new`, file)
}

/** Null if the content is not the one that was hashed. */
async function unpack(packed: Uint8Array, hash: string): Promise<SchemaTexts | null> {
  const text = await decompress(packed, { maxOutputLength: maxBytes }).then(String, () => '')
  const [records = '', metadata = ''] = text.split('\n')
  const texts = { records, metadata }
  return hashOfTexts(texts) === hash ? texts : null
}

/** Removes what is too old to be used, such as the files of workspaces that left, and the oldest of too many. */
async function cleanUp(directory: string, isDue: boolean): Promise<void> {
  const names = await readdir(directory)
  if (!isDue && names.length <= maxFiles) return
  const files = await Promise.all(names.map(async (name) => ({ name, at: (await stat(join(directory, name))).mtimeMs })))
  const newest = files.toSorted((one, other) => other.at - one.at)
  const oldestAt = systemClock.now() - maxAgeMs
  const removed = newest.filter(({ at }, index) => index >= maxFiles || at < oldestAt)
  await Promise.all(removed.map(({ name }) => rm(join(directory, name), { force: true })))
}
