import { existsSync } from 'node:fs'
import proxyAddr from 'proxy-addr'
import { z } from 'zod'
import { faultWords } from '../kernel/validation-message.ts'
import { nearestName } from '../kernel/near-name.ts'
import { isCountry } from '../kernel/phone.ts'
import { StartError } from '../kernel/start-error.ts'
import { gatewayVariables, toGateway } from './gateway.ts'
import { type Seed, seedVariables, toSeed } from './seeds.ts'
import { address, list, path, text, wholeNumber } from './values.ts'

const origin = z
  .url({ protocol: /^https?$/, error: 'must be http(s) addresses, separated by commas' })
  .transform((url) => new URL(url).origin)
const environmentSchema = z.object({
  ...seedVariables,
  ...gatewayVariables,
  NODE_ENV: text.optional(),
  HOST: text.default('127.0.0.1'),
  PORT: wholeNumber({ min: 0, max: 65535 }).default(4100),
  DATA_DIR: text.default('data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  TRUST_PROXY: list
    .refine(
      (values) => isHopCount(values) || areAddresses(values),
      'must be a number of hops, or addresses, ranges and loopback, separated by commas',
    )
    .default(['loopback']),
  PUBLIC_URL: address.optional(),
  CALLBACK_ADDRESSES: list.refine(areAddresses, 'must be addresses or ranges such as 10.0.0.0/8, separated by commas').optional(),
  DEFAULT_COUNTRY: z.string().refine(isCountry, 'must be a country code such as IN').default('IN'),
  PLATFORM_URL: address.refine(isOrigin, 'must be scheme, host and port alone; the paths are settings of their own').optional(),
  PLATFORM_GRAPHQL_PATH: path.default('/graphql'),
  PLATFORM_METADATA_PATH: path.default('/metadata'),
  PLATFORM_WORKSPACE_URL: text
    .refine((value) => URL.canParse(value.replace('{workspace}', 'x')), 'must be an address, with {workspace} where the subdomain stands')
    .optional(),
  TEMPORARY_PASSWORD_HOURS: wholeNumber({ min: 1, max: 720 }).default(72),
  REDIS_URL: z.url({ protocol: /^rediss?$/, error: 'must be a redis:// or rediss:// address' }).optional(),
  SECRETS_KEY: z
    .string()
    .refine((value) => Buffer.from(value, 'base64').length === 32, 'must be 32 bytes in base64; make one with "openssl rand -base64 32"')
    .optional(),
  KAFKA_BROKERS: list
    .refine((brokers) => brokers.every((broker) => /^[^\s:/]+:\d{1,5}$/.test(broker)), 'must be host:port, separated by commas')
    .optional(),
  KAFKA_GROUP: text.default('call-center-sidecar'),
  KAFKA_PARTITIONS: wholeNumber({ min: 1, max: 1_000 }).default(6),
  KAFKA_SASL_MECHANISM: z.enum(['plain', 'scram-sha-256', 'scram-sha-512']).optional(),
  KAFKA_SASL_USERNAME: text.optional(),
  KAFKA_SASL_PASSWORD: text.optional(),
  KAFKA_TLS: z.enum(['on', 'off']).default('off'),
  KAFKA_TLS_CA_FILE: text.optional(),
  KAFKA_TLS_CERT_FILE: text.optional(),
  KAFKA_TLS_KEY_FILE: text.optional(),
  DEEPGRAM_URL: address.default('https://api.deepgram.com'),
  DEEPGRAM_API_KEY: text.optional(),
  RECORDING_ORIGINS: list.pipe(z.array(origin)).default([]),
  OPENAI_URL: address.optional(),
  OPENAI_API_KEY: text.optional(),
  ANTHROPIC_URL: address.optional(),
  ANTHROPIC_API_KEY: text.optional(),
  GOOGLE_URL: address.optional(),
  GOOGLE_API_KEY: text.optional(),
  OPENAI_COMPATIBLE_URL: address.optional(),
  OPENAI_COMPATIBLE_API_KEY: text.optional(),
})

export const settingNames: readonly string[] = Object.keys(environmentSchema.shape)

/** What only our own names begin with: whatever else is set there is a slip. */
const ownFamilies = /^(?:PLATFORM|OZONETEL|EXOTEL|DEEPGRAM|OPENAI_COMPATIBLE|CALLBACK|RECORDING|WORKSPACES?|SEED)_/

/** Names in the environment that are no settings, but look as if they were meant to be; a sentence each. */
export function misspelt(environment: NodeJS.ProcessEnv): readonly string[] {
  const unknown = Object.keys(environment).filter((name) => !settingNames.includes(name))
  return unknown.flatMap((name) => {
    const meant = nearestName(name, settingNames)
    if (meant === null && !ownFamilies.test(name)) return []
    return [`${name} is no setting of this service${meant === null ? '' : `; is ${meant} meant?`}`]
  })
}

type Environment = z.output<typeof environmentSchema>

/** Groups of which all or none must be set. */
const groups: readonly (readonly (keyof Environment)[])[] = [
  ['PLATFORM_URL', 'PLATFORM_WORKSPACE_URL', 'WORKSPACES'],
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
  ['KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'],
  ['OZONETEL_API_URL', 'OZONETEL_ACCOUNT', 'OZONETEL_API_KEY'],
  ['EXOTEL_URL', 'EXOTEL_ACCOUNT', 'EXOTEL_API_KEY', 'EXOTEL_API_TOKEN', 'EXOTEL_CALLER_ID'],
]

/** What a process does: `service` leaves consuming to others, `consumer` does nothing else. */
export type Role = 'all' | 'service' | 'consumer'

/** The role from `--role=...` of the command line. */
export function readRole(args: readonly string[]): Role {
  const given = args.find((arg) => arg.startsWith('--role='))?.slice('--role='.length) ?? 'all'
  const role = roles.find((name) => name === given)
  if (role === undefined) throw new SettingsError([`--role=${given}: must be one of ${roles.join(', ')}`])
  return role
}
const roles: readonly Role[] = ['all', 'service', 'consumer']

/** Everything that is set from outside, validated and frozen. Nothing below `main.ts` sees the environment. */
export type Settings = ReturnType<typeof toSettings>

/** Raised once with every fault of the environment, a line each. */
export class SettingsError extends StartError {
  constructor(faults: readonly string[]) {
    super(`The settings are not valid:\n${faults.map((fault) => `  - ${fault}`).join('\n')}\nSee .env.example for every setting.`)
    this.name = 'SettingsError'
  }
}

/** The process environment with `.env` of the working directory beneath it, read by Node itself. */
export function loadEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return { ...process.env }
}

/** Whether this environment asks for the sandbox: no platform is named. Under NODE_ENV=production that is an error. */
export function asksForSandbox(environment: NodeJS.ProcessEnv): boolean {
  if (environment['PLATFORM_URL']) return false
  if (environment['NODE_ENV'] === 'production') {
    throw new SettingsError(['PLATFORM_URL: is required under NODE_ENV=production (without it the sandbox would start)'])
  }
  const host = environment['HOST'] ?? '127.0.0.1'
  if (!['127.0.0.1', '::1', 'localhost'].includes(host))
    throw new SettingsError([`HOST: the sandbox listens on loopback alone, not on ${host}`])
  return true
}

/**
 * Reads and checks the environment; throws one SettingsError that names every fault. `further`: the same environment as seen by further
 * customers, for their seeds alone (the sandbox has two).
 */
export function readSettings(environment: NodeJS.ProcessEnv, further: readonly NodeJS.ProcessEnv[] = [], role: Role = 'all'): Settings {
  const [own, ...others] = [environment, ...further].map(readEnvironment)
  if (!own) throw new SettingsError(['the environment is missing'])
  return toSettings(own, [own, ...others].flatMap(toSeed), role)
}

function isHopCount([first, ...others]: readonly string[]): boolean {
  return first !== undefined && others.length === 0 && /^\d+$/.test(first)
}

function isOrigin(value: string): boolean {
  const { pathname, search, hash, username, password } = new URL(value)
  return pathname + search + hash + username + password === '/'
}

function areAddresses(values: readonly string[]): boolean {
  try {
    proxyAddr.compile([...values])
    return true
  } catch {
    return false
  }
}

function readEnvironment(environment: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = environmentSchema.safeParse(set, { error: faultWords })
  const faults = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`)),
    ...groupFaults(set),
  ]
  if (!parsed.success || faults.length > 0) throw new SettingsError(faults)
  return parsed.data
}

function groupFaults(set: Readonly<Record<string, unknown>>): string[] {
  const faults = groups.flatMap((group) => {
    const missing = group.filter((name) => !(name in set))
    return missing.length === 0 || missing.length === group.length
      ? []
      : [`${missing.join(', ')}: must be set too, together with ${group.filter((name) => name in set).join(', ')}`]
  })
  if ('REDIS_URL' in set && !('SECRETS_KEY' in set))
    faults.push('SECRETS_KEY: is required with REDIS_URL, the same on every instance; make one with "openssl rand -base64 32"')
  return faults
}

function toSettings(env: Environment, seeds: readonly Seed[], role: Role) {
  return deepFreeze({
    role,
    production: env.NODE_ENV === 'production',
    http: {
      host: env.HOST,
      port: env.PORT,
      trustProxy: env.TRUST_PROXY,
      publicUrl: env.PUBLIC_URL ?? null,
      callbackAddresses: env.CALLBACK_ADDRESSES ?? null,
    },
    dataDir: env.DATA_DIR,
    logLevel: env.LOG_LEVEL,
    defaultCountry: env.DEFAULT_COUNTRY,
    platform: {
      url: env.PLATFORM_URL ?? '',
      graphqlPath: env.PLATFORM_GRAPHQL_PATH,
      metadataPath: env.PLATFORM_METADATA_PATH,
      /** With `{workspace}` where the subdomain stands. */
      workspaceUrl: env.PLATFORM_WORKSPACE_URL ?? '',
      /** Labels of the two platform roles, where a workspace's configuration names no others. */
      roles: { manager: env.PLATFORM_MANAGER_ROLE, user: env.PLATFORM_USER_ROLE },
    },
    graphql: toGateway(env),
    workspaces: env.WORKSPACES ?? [],
    /** How long a new member's temporary password can be read. */
    temporaryPasswordHours: env.TEMPORARY_PASSWORD_HOURS,
    /** Values that belong to one customer each, and count for that workspace alone. */
    seeds,
    redisUrl: env.REDIS_URL ?? null,
    /** 32 bytes in base64, or null: then a key file in the data directory is used. */
    secretsKey: env.SECRETS_KEY ?? null,
    kafka: toKafka(env),
    speech: { url: env.DEEPGRAM_URL, apiKey: env.DEEPGRAM_API_KEY ?? null },
    recordings: {
      /** Where recordings lie within our own network: exactly these may be private. */
      trustedOrigins: env.RECORDING_ORIGINS,
    },
    models: {
      openai: { url: env.OPENAI_URL ?? null, apiKey: env.OPENAI_API_KEY ?? null },
      anthropic: { url: env.ANTHROPIC_URL ?? null, apiKey: env.ANTHROPIC_API_KEY ?? null },
      google: { url: env.GOOGLE_URL ?? null, apiKey: env.GOOGLE_API_KEY ?? null },
      openaiCompatible: { url: env.OPENAI_COMPATIBLE_URL ?? null, apiKey: env.OPENAI_COMPATIBLE_API_KEY ?? null },
    },
  })
}

function toKafka(env: Environment) {
  if (env.KAFKA_BROKERS === undefined) return null
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = env
  const hasSasl = mechanism !== undefined && username !== undefined && password !== undefined
  const files = {
    caFile: env.KAFKA_TLS_CA_FILE ?? null,
    certFile: env.KAFKA_TLS_CERT_FILE ?? null,
    keyFile: env.KAFKA_TLS_KEY_FILE ?? null,
  }
  return {
    brokers: env.KAFKA_BROKERS,
    group: env.KAFKA_GROUP,
    partitions: env.KAFKA_PARTITIONS,
    sasl: hasSasl ? { mechanism, username, password } : null,
    tls: env.KAFKA_TLS === 'on' ? files : null,
  }
}

function deepFreeze<T extends object>(value: T): T {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) deepFreeze(part)
  return Object.freeze(value)
}
