import { readFileSync } from 'node:fs'
import { Kafka, type KafkaConfig, type LogEntry, logLevel, type SASLOptions } from 'kafkajs'
import type { Log } from '../../../kernel/log.ts'
import { withoutSecrets } from '../../../kernel/logged-error.ts'
import { StartError } from '../../../kernel/start-error.ts'
import { repairRequestQueue } from './request-queue.ts'

export type KafkaAccess = {
  /** `host:port` of at least one broker. */
  readonly brokers: readonly string[]
  /** Prefix of the names of consumer groups. */
  readonly group: string
  readonly sasl: { readonly mechanism: SaslMechanism; readonly username: string; readonly password: string } | null
  /** PEM files. Null: the system's authorities are trusted, and we send no certificate. */
  readonly tls: { readonly caFile: string | null; readonly certFile: string | null; readonly keyFile: string | null } | null
}
export type SaslMechanism = 'plain' | 'scram-sha-256' | 'scram-sha-512'

/** A client that gives up soon, because the outbox and the readers try again as often as necessary. */
export function createKafkaClient(access: KafkaAccess, log: Log): Kafka {
  repairRequestQueue()
  const { brokers, group, sasl, tls } = access
  return new Kafka({
    clientId: group,
    brokers: [...brokers],
    ...(sasl ? { sasl: saslOptions(sasl) } : {}),
    ...(tls ? { ssl: tlsOptions(tls) } : {}),
    connectionTimeout: 3_000,
    authenticationTimeout: 5_000,
    requestTimeout: 15_000,
    enforceRequestTimeout: true,
    retry: { initialRetryTime: 100, maxRetryTime: 1_000, retries: 2 },
    logLevel: logLevel.WARN,
    // Errors are logged by the code that handles them; these messages are details.
    logCreator:
      () =>
      ({ namespace, log: { message } }: LogEntry) =>
        log.debug({ kafka: namespace, message: withoutSecrets(message) }, 'kafka.client-message'),
  })
}

function saslOptions({ mechanism, username, password }: NonNullable<KafkaAccess['sasl']>): SASLOptions {
  return { mechanism, username, password }
}

function tlsOptions({ caFile, certFile, keyFile }: NonNullable<KafkaAccess['tls']>): NonNullable<KafkaConfig['ssl']> {
  return {
    ...(caFile === null ? {} : { ca: [read(caFile)] }),
    ...(certFile === null ? {} : { cert: read(certFile) }),
    ...(keyFile === null ? {} : { key: read(keyFile) }),
  }
}

function read(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new StartError(`The file ${file} of the Kafka settings cannot be read: ${cause instanceof Error ? cause.message : ''}`, { cause })
  }
}
