import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { inject } from 'vitest'
import { z } from 'zod'
import { notePages } from '../changed/note-executed.ts'
import type { KafkaPrograms, SecureAccess } from './kafka/server.ts'

type Program = { readonly binary: string }

export type RealServers = {
  /** A real Redis for all suites (each under a key prefix of its own), and the program, for suites that start and kill their own. */
  readonly redis: { readonly url: string; readonly binary: string }
  /** A real Kafka for all suites (each with topics and groups of its own), and what it takes to start one's own. */
  readonly kafka: { readonly broker: string; readonly secure: SecureAccess; readonly programs: KafkaPrograms }
  /** A browser, for suites that look at a page as a person does. What it loads is built from the present sources. */
  readonly chromium: Program
  /** A voice, for suites that listen to real sound. */
  readonly espeak: Program
  /** Certificates of a test's own. */
  readonly openssl: Program
  /** What developers ask with. */
  readonly curl: Program
  /** What browsers load, built from the present sources, for tests that read it without a browser. */
  readonly pages: object
}
export type RealServerName = keyof RealServers

const program = z.object({ binary: z.string() })
const schemas: { readonly [Name in RealServerName]: z.ZodType<RealServers[Name]> } = {
  redis: program.extend({ url: z.string() }),
  kafka: z.object({
    broker: z.string(),
    secure: z.object({ broker: z.string(), caFile: z.string(), username: z.string(), password: z.string() }),
    programs: z.object({ java: z.string(), jars: z.string() }),
  }),
  chromium: program,
  espeak: program,
  openssl: program,
  curl: program,
  pages: z.object({}),
}

/**
 * A real server, shared by all test files of the run. It starts when the first one asks. Null if this machine does not have it: skip
 * the test then. In CI it throws instead, and says what to install.
 */
export async function realServer<Name extends RealServerName>(name: Name): Promise<RealServers[Name] | null> {
  // Not by `fetch`, which gives up after five minutes: in CI the first one may wait for an installation.
  const response = await answerOf(`${inject('realServers')}/${name}`)
  const body = await text(response)
  if (response.statusCode !== 200) throw new Error(body)
  if (name === 'pages') notePages('src/web')
  return z.nullable(schemas[name]).parse(JSON.parse(body))
}

function answerOf(url: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => void get(url, resolve).once('error', reject))
}
