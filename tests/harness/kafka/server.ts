import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { freePort } from '../free-port.ts'
import { createTempDir } from '../temp-dir.ts'
import { waitFor } from '../wait-for.ts'
import { findKafka } from './find.ts'
import { classPath } from './jars.ts'

const run = promisify(execFile)

export type KafkaPrograms = { readonly java: string; readonly jars: string }

/** The second listener: TLS with a self-signed certificate, and user name and password. */
export type SecureAccess = { readonly broker: string; readonly caFile: string; readonly username: string; readonly password: string }

/** A real Apache Kafka for one test: one node in KRaft mode on loopback ports. Stopped when disposed of. */
export type KafkaServer = AsyncDisposable & {
  readonly broker: string
  readonly secure: SecureAccess
  /** Kills it like a crash; acknowledged messages stay on its disk. */
  kill(): Promise<void>
  /** Starts it again on the same ports and disk. */
  restart(): Promise<void>
}

const secret = 'sandbox-password'
const username = 'sidecar'

type KafkaOptions = {
  /** For how long the node keeps its name after a crash: until then it cannot start again. Default: Kafka's own, so that a busy machine loses no node. */
  readonly sessionMs?: number
}

export async function startKafkaServer({ java, jars }: KafkaPrograms, { sessionMs = 9_000 }: KafkaOptions = {}): Promise<KafkaServer> {
  await using starting = new AsyncDisposableStack()
  const { path: directory } = starting.use(await createTempDir())
  const [port, securePort, controllerPort] = [await freePort(), await freePort(), await freePort()]
  const caFile = await makeCertificate(java, directory)
  const settings = join(directory, 'server.properties')
  await writeFile(settings, properties({ directory, port, securePort, controllerPort, sessionMs }))
  const scram = `SCRAM-SHA-512=[name=${username},password=${secret}]`
  const format = ['format', '--cluster-id', 'MkU3OEVBNTcwNTJENDM2Qg', '--config', settings, '--add-scram', scram]
  await run(java, ['-cp', classPath(jars), 'kafka.tools.StorageTool', ...format])

  let node = await startNode()
  async function startNode() {
    const child = spawn(java, ['-Xmx384m', '-XX:TieredStopAtLevel=1', '-cp', classPath(jars), 'kafka.Kafka', settings], { stdio: 'ignore' })
    const exited = once(child, 'exit')
    const isRunning = (): boolean => child.exitCode === null && child.signalCode === null
    const kill = async (): Promise<void> => {
      if (isRunning()) child.kill('SIGKILL')
      await exited
    }
    try {
      await waitFor(async () => !isRunning() || (await isOpen(port)), { what: `Kafka on port ${port}` })
      if (!isRunning()) throw new Error(`Kafka ended before it answered on port ${port}`)
    } catch (error) {
      await kill()
      throw error
    }
    return { kill }
  }
  starting.defer(() => node.kill())
  const running = starting.move()
  return {
    broker: `127.0.0.1:${port}`,
    secure: { broker: `127.0.0.1:${securePort}`, caFile, username, password: secret },
    kill: () => node.kill(),
    async restart() {
      await node.kill()
      node = await startNode()
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Adds a user for the listener with TLS; `broker` is the other listener. */
export async function addKafkaUser(broker: string, user: Pick<SecureAccess, 'username' | 'password'>): Promise<void> {
  const programs = await findKafka()
  if (programs === null) throw new Error('there is no Kafka')
  const change = ['--alter', '--add-config', `SCRAM-SHA-512=[password=${user.password}]`, '--entity-type', 'users']
  const command = ['kafka.admin.ConfigCommand', '--bootstrap-server', broker, ...change, '--entity-name', user.username]
  await run(programs.java, ['-XX:TieredStopAtLevel=1', '-cp', classPath(programs.jars), ...command])
}

type Node = {
  readonly directory: string
  readonly port: number
  readonly securePort: number
  readonly controllerPort: number
} & Required<KafkaOptions>

function properties({ directory, port, securePort, controllerPort, sessionMs }: Node): string {
  const listeners = `PLAINTEXT://127.0.0.1:${port},SASL_SSL://127.0.0.1:${securePort}`
  return Object.entries({
    'process.roles': 'broker,controller',
    'node.id': 1,
    'controller.quorum.voters': `1@127.0.0.1:${controllerPort}`,
    listeners: `${listeners},CONTROLLER://127.0.0.1:${controllerPort}`,
    'advertised.listeners': listeners,
    'controller.listener.names': 'CONTROLLER',
    'listener.security.protocol.map': 'CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SASL_SSL:SASL_SSL',
    'log.dirs': join(directory, 'log'),
    'auto.create.topics.enable': false,
    'offsets.topic.replication.factor': 1,
    'offsets.topic.num.partitions': 4,
    'transaction.state.log.replication.factor': 1,
    'transaction.state.log.min.isr': 1,
    'group.initial.rebalance.delay.ms': 0,
    'broker.session.timeout.ms': sessionMs,
    'broker.heartbeat.interval.ms': Math.floor(sessionMs / 4.5),
    'sasl.enabled.mechanisms': 'SCRAM-SHA-512',
    'listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config': 'org.apache.kafka.common.security.scram.ScramLoginModule required;',
    'ssl.keystore.location': join(directory, 'broker.p12'),
    'ssl.keystore.password': secret,
    'ssl.keystore.type': 'PKCS12',
  })
    .map(([name, value]) => `${name}=${value}`)
    .join('\n')
}

/** Creates a self-signed certificate for 127.0.0.1; returns the file to trust it with. */
async function makeCertificate(java: string, directory: string): Promise<string> {
  const keytool = join(dirname(java), 'keytool')
  const store = ['-keystore', join(directory, 'broker.p12'), '-storetype', 'PKCS12', '-storepass', secret, '-alias', 'broker']
  const key = ['-genkeypair', '-keyalg', 'EC', '-dname', 'CN=127.0.0.1', '-ext', 'san=ip:127.0.0.1', '-validity', '2']
  await run(keytool, [...key, ...store])
  const caFile = join(directory, 'ca.pem')
  await run(keytool, ['-exportcert', '-rfc', '-file', caFile, ...store])
  return caFile
}

async function isOpen(port: number): Promise<boolean> {
  const socket = connect(port, '127.0.0.1')
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(500) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
