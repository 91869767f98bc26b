import { existsSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises'
import { dirname, join, resolve, sep } from 'node:path'
import { parseArgs } from 'node:util'
import { createLog } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { UsageError, usageMessage } from '../kernel/usage-error.ts'
import { createFileDocuments } from '../providers/store/file-documents.ts'
import { openSecretsKey } from '../providers/store/secrets-key.ts'
import { loadEnvironment, readSettings } from '../settings/settings.ts'
import { copyDatabase, databases, isCopied } from './data-dir-copy.ts'

const usage = `Copies the data directory while the service runs: its store, its outbox, its configuration and the secrets key file.

  npm run backup -- --to <folder>

  --to   the folder to create; it must not exist

The copy is checked, and is itself a data directory. To restore it, stop the service, put the copy in the place of DATA_DIR, and start.
It holds the secrets key file, if there is one: store it where only you can read it. What is in Redis or Kafka is not in it.

Exit code: 0 if the copy is complete and can be read, 1 if not (then there is no folder), 2 for wrong arguments.
`

/** Returns the names of what was copied. Throws, and leaves no folder, if the copy is not complete. */
async function backUp(from: string, to: string, secretsKey: string | null): Promise<readonly string[]> {
  if (existsSync(to)) throw new UsageError(`--to: ${to} exists already; name a folder that does not`)
  if (`${to}${sep}`.startsWith(`${from}${sep}`)) throw new UsageError('--to must be outside of the data directory')
  if (!existsSync(from))
    throw new StartError(`There is no data directory ${from}. Run this with the settings of the service (docs/operations.md#run-a-command)`)
  await mkdir(dirname(to), { recursive: true })
  // Readable only by its owner.
  const partial = await mkdtemp(`${to}.partial-`)
  try {
    await cp(from, partial, { recursive: true, filter: isCopied })
    for (const name of databases) await copyDatabase(join(from, name), join(partial, name))
    await checkSecretsKey(partial, secretsKey)
    await rename(partial, to)
  } catch (error) {
    await rm(partial, { recursive: true, force: true })
    throw error
  }
  return (await readdir(to)).toSorted()
}

/** Fails if the sealed values of the copy could not be opened with the key file of the copy, or with SECRETS_KEY. */
async function checkSecretsKey(dataDir: string, secretsKey: string | null): Promise<void> {
  if (!existsSync(join(dataDir, 'configuration'))) return
  const log = createLog('error')
  const documents = await createFileDocuments({ dataDir, log })
  try {
    await openSecretsKey({ documents, secretsKey, dataDir, log })
  } finally {
    await documents.close()
  }
}

// What is written here is for its owner alone, wherever it is moved.
process.umask(0o077)
try {
  const { values } = parseArgs({ options: { to: { type: 'string' }, help: { type: 'boolean', short: 'h' } } })
  if (values.help) process.stdout.write(usage)
  else {
    if (values.to === undefined) throw new UsageError('--to is required')
    const { dataDir, secretsKey } = readSettings(loadEnvironment())
    const to = resolve(values.to)
    const names = await backUp(resolve(dataDir), to, secretsKey)
    console.log(`${to} has ${names.join(', ')}, checked.`)
  }
} catch (error) {
  const message = usageMessage(error)
  console.error(message !== null ? `${message}\n\n${usage}` : error instanceof Error ? error.message : error)
  process.exitCode = message !== null ? 2 : 1
}
