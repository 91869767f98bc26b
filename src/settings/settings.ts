import { existsSync } from 'node:fs'
import { deepFreeze } from '../kernel/freeze.ts'
import { type Environment, readEnvironment, SettingsError } from './environment.ts'
import type { Role } from './command-line.ts'
import { toGateway } from './gateway.ts'
import { type Seed, toSeed } from './seeds.ts'

/** The validated, frozen settings. Only this folder reads the environment. */
export type Settings = ReturnType<typeof toSettings>

/** The process environment. Variables that it lacks come from `.env` in the working directory. */
export function loadEnvironment(): NodeJS.ProcessEnv {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return { ...process.env }
}

/**
 * Reads and validates the environment. Throws one SettingsError that names every error. `further`: the environments of more customers, read
 * only for their seeds (the sandbox has two customers).
 */
export function readSettings(environment: NodeJS.ProcessEnv, further: readonly NodeJS.ProcessEnv[] = [], role: Role = 'all'): Settings {
  const [own, ...others] = [environment, ...further].map(readEnvironment)
  if (!own) throw new SettingsError(['the environment is missing'])
  if (own.NODE_ENV === 'production' && own.DEADLINE_FACTOR !== 1)
    throw new SettingsError([
      'DEADLINE_FACTOR: is refused under NODE_ENV=production, because locks and leases would end before these waits',
    ])
  return toSettings(own, [own, ...others].flatMap(toSeed), role)
}

function toSettings(env: Environment, seeds: readonly Seed[], role: Role) {
  return deepFreeze({
    role,
    production: env.NODE_ENV === 'production',
    /** The stand-ins that SANDBOX names; null if it is not set. */
    sandbox: env.SANDBOX ?? null,
    http: {
      host: env.HOST,
      port: env.PORT,
      trustProxy: env.TRUST_PROXY,
      connectionsPerAddress: env.HTTP_CONNECTIONS_PER_ADDRESS,
      overloadDelayMs: env.OVERLOAD_DELAY_MS,
      /** How long the port accepts connections after the signal to stop. */
      stopDelayMs: env.STOP_DELAY_SECONDS * 1_000,
      publicUrl: env.PUBLIC_URL ?? null,
      /** Origins, beside the frontends of the served workspaces, whose pages may call the service. */
      // The console's own too: a proxy may not hand the host on.
      allowedOrigins: [...env.ALLOWED_ORIGINS, ...(env.PUBLIC_URL === undefined ? [] : [new URL(env.PUBLIC_URL).origin])],
      /** Where the console's phones register. Null: at any secure web socket. */
      sipServers: env.CONSOLE_SIP_SERVERS ?? null,
      callbackAddresses: env.CALLBACK_ADDRESSES ?? null,
      /** Who may read /metrics; null: nobody. */
      metricsFrom: env.METRICS_FROM ?? null,
    },
    /** A port of its own for /metrics alone. */
    metricsAddress: env.METRICS_ADDRESS ?? null,
    dataDir: env.DATA_DIR,
    /** How many times longer than usual to wait for other parties. */
    deadlineFactor: env.DEADLINE_FACTOR,
    logLevel: env.LOG_LEVEL,
    /** Null: readable on a terminal, else JSON. */
    logFormat: env.LOG_FORMAT === 'auto' ? null : env.LOG_FORMAT,
    defaultCountry: env.DEFAULT_COUNTRY,
    platform: toPlatform(env),
    graphql: toGateway(env, env.DATA_DIR),
    workspaces: env.WORKSPACES ?? [],
    /** How long a new member's temporary password can be read. */
    temporaryPasswordHours: env.TEMPORARY_PASSWORD_HOURS,
    /** Initial configuration values, each for one workspace. */
    seeds,
    redisUrl: env.REDIS_URL ?? null,
    /** 32 bytes in base64; if null, a key file in the data directory is used. */
    secretsKey: env.SECRETS_KEY ?? null,
    kafka: toKafka(env),
    speech: { url: env.DEEPGRAM_URL, apiKey: env.DEEPGRAM_API_KEY ?? null },
    /** Null: no traces. */
    tracing:
      env.OTEL_EXPORTER_OTLP_ENDPOINT === undefined
        ? null
        : {
            endpoint: env.OTEL_EXPORTER_OTLP_ENDPOINT,
            headers: Object.fromEntries(env.OTEL_EXPORTER_OTLP_HEADERS),
            serviceName: env.OTEL_SERVICE_NAME,
            sampled: env.OTEL_TRACES_SAMPLER_ARG,
          },
    recordings: {
      /** The only origins in private networks from which recordings may be fetched. */
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

function toPlatform(env: Environment) {
  return {
    url: env.PLATFORM_URL ?? '',
    graphqlPath: env.PLATFORM_GRAPHQL_PATH,
    metadataPath: env.PLATFORM_METADATA_PATH,
    /** What the platform lets an API key do. */
    requestsPerMinute: env.PLATFORM_REQUESTS_PER_MINUTE,
    /** Has `{workspace}` in the place of the subdomain. */
    workspaceUrl: env.PLATFORM_WORKSPACE_URL ?? '',
    /** How long the platform's last word about a member counts while it is away. */
    awayMs: env.PLATFORM_AWAY_MINUTES * 60_000,
    /** Labels of the platform roles that count in workspaces whose configuration names none; null: the standard ones. */
    roles: { manager: env.PLATFORM_MANAGER_ROLE ?? null, user: env.PLATFORM_USER_ROLE ?? null },
  }
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
