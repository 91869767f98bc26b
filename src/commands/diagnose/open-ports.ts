import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { cp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { PublicAddress } from '../../kernel/public-address.ts'
import { createLog } from '../../kernel/log.ts'
import { StartError } from '../../kernel/start-error.ts'
import { createRedisDocuments } from '../../providers/store/redis-documents.ts'
import { connectRedis } from '../../providers/redis/connection.ts'
import type { Settings } from '../../settings/settings.ts'
import { openInfrastructure } from '../../wiring/infrastructure.ts'
import { createPorts } from '../../wiring/ports.ts'
import { copyDatabase, databases, isCopied } from '../data-dir-copy.ts'

/** The ports of the service, without its server, jobs and consumers. */
export type OpenedPorts = Awaited<ReturnType<typeof openPorts>>

/**
 * Opens what the service reads. The data directory belongs to the running service, so this works on a copy, which the stack removes; the key
 * file is not copied. Redis is opened as an instance does. Throws StartError if nothing can be read.
 */
export async function openPorts(settings: Settings, publicAddress: PublicAddress, stack: AsyncDisposableStack) {
  if (settings.redisUrl !== null) await requireKeyring(settings.redisUrl)
  const log = createLog('silent')
  const dataDir = await copyOf(resolve(settings.dataDir), stack)
  const secretsKey = settings.secretsKey ?? (await keyIn(resolve(settings.dataDir)))
  const infrastructure = await openInfrastructure({ ...settings, role: 'all', dataDir, secretsKey }, { log }, stack)
  const ports = createPorts(settings, infrastructure)
  return { ...ports, publicAddress, liveEventsSecret: infrastructure.keyFor('live events') }
}

/** The first start makes the keyring. A command that only reads must not do it, perhaps with a wrong key. */
async function requireKeyring(url: string): Promise<void> {
  await using connection = await connectRedis({ url, log: createLog('silent') })
  const keyring = await createRedisDocuments({ connection }).read('keyring')
  if (keyring === null) throw new StartError('This Redis has nothing of the service yet: start the service once')
}

async function copyOf(dataDir: string, stack: AsyncDisposableStack): Promise<string> {
  // It holds transcripts: a signal must not leave it, so the listeners stand before the folder.
  const end = (_: NodeJS.Signals, signal: number): void => {
    remove()
    process.exit(128 + signal)
  }
  process.on('SIGINT', end).on('SIGTERM', end)
  stack.defer(() => void process.off('SIGINT', end).off('SIGTERM', end))
  // Readable only by its owner.
  const copy = mkdtempSync(join(tmpdir(), 'sidecar-diagnose-'))
  const remove = (): void => rmSync(copy, { recursive: true, force: true })
  stack.defer(remove)
  const configuration = join(dataDir, 'configuration')
  if (existsSync(configuration)) await cp(configuration, join(copy, 'configuration'), { recursive: true, filter: isCopied })
  for (const name of databases) await copyDatabase(join(dataDir, name), join(copy, name))
  return copy
}

async function keyIn(dataDir: string): Promise<string | null> {
  const file = join(dataDir, 'secrets.key')
  if (existsSync(file)) return (await readFile(file, 'utf8')).trim()
  if (!existsSync(join(dataDir, 'configuration', 'keyring.json'))) return null
  throw new StartError(`The secrets key is missing: bring ${file} back from a copy, or set SECRETS_KEY where that was used`)
}
