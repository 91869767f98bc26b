import { existsSync } from 'node:fs'
import { claimDataDir } from '../kernel/data-dir.ts'
import type { DocumentStore } from '../ports/documents.ts'
import { createLog } from '../kernel/log.ts'
import { StartError } from '../kernel/start-error.ts'
import { connectRedis } from '../providers/redis/connection.ts'
import { createFileDocuments } from '../providers/store/file-documents.ts'
import { createRedisDocuments } from '../providers/store/redis-documents.ts'
import { rotateSecretsKey } from '../providers/store/secrets-key.ts'
import { type Settings, loadEnvironment, readSettings } from '../settings/settings.ts'

const usage = `Changes the key that protects the stored secrets. Stored values do not change, and running instances keep working.

  npm run rotate-secrets-key                          creates a new key file, if SECRETS_KEY is not set
  NEW_SECRETS_KEY=<key> npm run rotate-secrets-key    changes from SECRETS_KEY, or from the key file, to this key

Create a key with "openssl rand -base64 32". Without Redis, stop the service first: it owns the data directory.
`

async function rotate(): Promise<string> {
  const environment = loadEnvironment()
  const settings = readSettings(environment)
  const newSecretsKey = newKeyOf(environment, settings)
  const log = createLog('warn')
  await using stack = new AsyncDisposableStack()
  const documents = await openDocuments(settings, stack)
  const place = await rotateSecretsKey({ documents, secretsKey: settings.secretsKey, newSecretsKey, dataDir: settings.dataDir, log })
  return place === 'SECRETS_KEY'
    ? 'Done. Set SECRETS_KEY to the new key before you start an instance; the old key opens nothing.'
    : `Done. The new key is in ${place}: store a copy elsewhere; the old key opens nothing.`
}

function newKeyOf(environment: NodeJS.ProcessEnv, { secretsKey, redisUrl }: Settings): string | null {
  const key = environment['NEW_SECRETS_KEY']?.trim() || null
  if (key !== null && Buffer.from(key, 'base64').length !== 32) throw new StartError('NEW_SECRETS_KEY must be 32 bytes in base64')
  if (key === null && (secretsKey !== null || redisUrl !== null)) {
    throw new StartError('SECRETS_KEY is set, so the new key must be given: NEW_SECRETS_KEY')
  }
  return key
}

async function openDocuments({ redisUrl, dataDir }: Settings, stack: AsyncDisposableStack): Promise<DocumentStore> {
  const log = createLog('warn')
  if (redisUrl !== null) return createRedisDocuments({ connection: stack.use(await connectRedis({ url: redisUrl, log })) })
  // Without the settings of the service, it would create one, and change that one's key.
  if (!existsSync(dataDir))
    throw new StartError(
      `There is no data directory ${dataDir}. Run this with the settings of the service (docs/operations.md#run-a-command)`,
    )
  stack.use(claimDataDir(dataDir))
  const documents = await createFileDocuments({ dataDir, log })
  stack.defer(() => documents.close())
  return documents
}

if (process.argv.length > 2) {
  process.stdout.write(usage)
} else {
  try {
    console.log(await rotate())
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exitCode = 1
  }
}
