import { createApp } from '../../../src/app.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { startSandbox } from '../../../src/sandbox/start.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'

const passwords = { redis: 'planted-redis-7d21c0', kafka: 'planted-kafka-c3e94a' }

/** The output of services whose Redis, or Kafka, refuses the connection: which of the passwords is in it. */
export async function searchRefusedConnections(): Promise<{ readonly found: readonly string[]; readonly lines: number }> {
  await using stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  const sandbox = stack.use(await startSandbox({ dataDir: null }))
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line), onLost: () => {} })
  const port = await freePort()
  const shared = { ...sandbox.environmentOf('demo'), PORT: '0', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  const redis = { REDIS_URL: `redis://user:${passwords.redis}@127.0.0.1:${port}` }
  const kafka = {
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'user',
    KAFKA_SASL_PASSWORD: passwords.kafka,
  }
  for (const own of [redis, kafka]) {
    try {
      await using app = await createApp(readSettings({ ...shared, ...own, DATA_DIR: path }), { log })
      for (const where of ['/health', '/ready', '/metrics']) lines.push(await (await fetch(app.url + where)).text())
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    } catch (error) {
      lines.push(String(error))
    }
  }
  const found = Object.values(passwords).filter((password) => lines.some((line) => line.includes(password)))
  return { found, lines: lines.length }
}
