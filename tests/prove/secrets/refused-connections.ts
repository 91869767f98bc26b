import { createApp } from '../../../src/app.ts'
import { createLog } from '../../../src/kernel/log.ts'
import { startSandbox } from '../../../src/sandbox/start.ts'
import { readSettings } from '../../../src/settings/settings.ts'
import { freePort } from '../../harness/free-port.ts'
import { createTempDir } from '../../harness/temp-dir.ts'
import { startEchoingKafka, startEchoingRedis } from './echoing-servers.ts'

const passwords = { redis: 'planted-redis-7d21c0', kafka: 'planted-kafka-c3e94a' }

type RefusedConnections = {
  /** The passwords that are in the output. */
  readonly found: readonly string[]
  /** Those that the Redis or the Kafka has received. */
  readonly received: readonly string[]
  readonly lines: number
}

/** The output of services whose Redis, or Kafka, refuses the connection, or the password, which it repeats in its error. */
export async function searchRefusedConnections(): Promise<RefusedConnections> {
  await using stack = new AsyncDisposableStack()
  const { path } = stack.use(await createTempDir())
  const sandbox = stack.use(await startSandbox({ dataDir: null }))
  const [redis, kafka] = [stack.use(await startEchoingRedis()), stack.use(await startEchoingKafka())]
  const lines: string[] = []
  const log = createLog('debug', { write: (line) => void lines.push(line), onLost: () => {} })
  const closed = await freePort()
  const shared = { ...sandbox.environmentOf('demo'), PORT: '0', SECRETS_KEY: Buffer.alloc(32, 7).toString('base64') }
  const redisAt = (port: number) => ({ REDIS_URL: `redis://user:${passwords.redis}@127.0.0.1:${port}` })
  const kafkaAt = (port: number) => ({
    KAFKA_BROKERS: `127.0.0.1:${port}`,
    KAFKA_SASL_MECHANISM: 'plain',
    KAFKA_SASL_USERNAME: 'user',
    KAFKA_SASL_PASSWORD: passwords.kafka,
  })
  for (const own of [redisAt(closed), kafkaAt(closed), redisAt(redis.port), kafkaAt(kafka.port)]) {
    try {
      await using app = await createApp(readSettings({ ...shared, ...own, DATA_DIR: path }), { log })
      for (const where of ['/health', '/ready', '/metrics']) lines.push(await (await fetch(app.url + where)).text())
      await new Promise((resolve) => setTimeout(resolve, 2_000))
    } catch (error) {
      lines.push(String(error))
    }
  }
  return {
    found: Object.values(passwords).filter((password) => lines.some((line) => line.includes(password))),
    received: [redis, kafka].flatMap((server) => Object.values(passwords).filter((password) => server.received(password))),
    lines: lines.length,
  }
}
