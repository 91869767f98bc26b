import type { Log } from '../../kernel/log.ts'
import { inspectKafka, type KafkaReport } from '../../providers/broker/kafka/inspect.ts'
import { refusalOf } from '../../providers/broker/kafka/refusal.ts'
import { inspectRedis } from '../../providers/redis/inspect.ts'
import type { Settings } from '../../settings/settings.ts'
import { causeOf, failed, type Finding, ok, warning } from './finding.ts'

/** Host and port, because the address may hold a password. */
function hostOf(url: string): string {
  return new URL(url).host
}

/** Whether Redis answers, stores every write, and never evicts what must be there. */
export async function checkRedis(url: string): Promise<readonly Finding[]> {
  const report = await inspectRedis(url).catch((error: unknown) => causeOf(error))
  if (typeof report === 'string') {
    return [failed('redis', `${hostOf(url)} does not answer: ${report}`, 'Check REDIS_URL (host, port, password, TLS) and that Redis runs')]
  }
  const { version, appendOnly, appendFsync, maxMemoryPolicy, usedBytes, maxBytes } = report
  return [
    ok('redis', `${hostOf(url)} answers, version ${version ?? 'unknown'}`),
    persistenceFinding(appendOnly, appendFsync),
    maxMemoryPolicy === null || maxMemoryPolicy === 'noeviction'
      ? ok('redis.eviction', `maxmemory-policy is ${maxMemoryPolicy ?? 'not visible'}`)
      : failed(
          'redis.eviction',
          `maxmemory-policy is ${maxMemoryPolicy}: Redis would delete sessions, events and configuration when its memory is full`,
          'Set maxmemory-policy noeviction',
        ),
    ...(usedBytes !== null && maxBytes !== null && maxBytes > 0 && usedBytes > 0.9 * maxBytes
      ? [warning('redis.memory', `${Math.round((100 * usedBytes) / maxBytes)} % of maxmemory is used`, 'Raise maxmemory')]
      : []),
  ]
}

function persistenceFinding(appendOnly: string | null, appendFsync: string | null): Finding {
  const part = 'redis.persistence'
  if (appendOnly === null || appendFsync === null) {
    const found = 'Redis does not show its configuration, so each instance stores events in its own DATA_DIR'
    return warning(part, found, 'Ask who runs it for "appendonly yes" and "appendfsync always"')
  }
  const found = `appendonly ${appendOnly}, appendfsync ${appendFsync}`
  if (appendOnly !== 'yes')
    return failed(part, `${found}: a restart of Redis loses sessions and configuration`, 'Set appendonly yes and appendfsync always')
  if (appendFsync === 'always') return ok(part, found)
  const lost = `${found}: a crash of Redis loses the last second, so each instance stores events in its own DATA_DIR`
  return warning(part, lost, 'Set appendfsync always')
}

const muchLag = 1_000

/** Whether the brokers answer, take our requests and have the topics, and how far our groups are behind. */
export async function checkKafka(kafka: NonNullable<Settings['kafka']>, log: Log): Promise<readonly Finding[]> {
  const addresses = kafka.brokers.join(', ')
  try {
    return kafkaFindings(await inspectKafka(kafka, log), kafka.partitions)
  } catch (error) {
    const refused = refusalOf(error)
    if (refused !== null) return [failed('kafka', `${addresses} answers, and refuses: ${refused}`, actionAfter(refused))]
    const action = 'Check KAFKA_BROKERS, KAFKA_TLS and KAFKA_SASL_*, and that the brokers run'
    return [failed('kafka', `${addresses} does not answer: ${causeOf(error)}`, action)]
  }
}

function actionAfter(refused: string): string {
  if (refused.includes('SASL'))
    return 'Check KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD, and the user at the brokers'
  if (refused.endsWith('AUTHORIZATION_FAILED'))
    return 'Give the user of KAFKA_SASL_USERNAME, or of the certificate, this right at the brokers'
  return 'See the log of the brokers'
}

function kafkaFindings({ brokers, topics, missing, lag }: KafkaReport, wantedPartitions: number): readonly Finding[] {
  const few = Object.entries(topics).filter(([, partitions]) => partitions < wantedPartitions)
  const groups = Object.entries(lag)
  const behind = groups.filter(([, count]) => count > muchLag)
  return [
    ok('kafka', `${brokers} ${brokers === 1 ? 'broker answers' : 'brokers answer'}`),
    missing.length === 0
      ? ok('kafka.topics', `All ${Object.keys(topics).length} topics exist`)
      : failed('kafka.topics', `Missing: ${missing.join(', ')}`, 'Start the service with the right to create topics, or create them'),
    ...(few.length === 0
      ? []
      : [
          warning(
            'kafka.partitions',
            `Fewer than KAFKA_PARTITIONS (${wantedPartitions}): ${few.map(([topic, count]) => `${topic} ${count}`).join(', ')}`,
            'Add partitions at the brokers, or lower KAFKA_PARTITIONS',
          ),
        ]),
    behind.length === 0
      ? ok('kafka.lag', groups.length === 0 ? 'No group has read yet' : groups.map(([group, count]) => `${group}: ${count}`).join(', '))
      : warning(
          'kafka.lag',
          `Far behind: ${behind.map(([group, count]) => `${group}: ${count}`).join(', ')}`,
          'Check that consumers run (`npm start -- --role=consumer`), and their log',
        ),
  ]
}
