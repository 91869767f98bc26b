import proxyAddr from 'proxy-addr'
import { z } from 'zod'
import { validationMessage } from '../kernel/validation-message.ts'
import { isOriginPattern } from '../kernel/origin-pattern.ts'
import { isCountry } from '../kernel/phone.ts'
import { StartError } from '../kernel/start-error.ts'
import { gatewayVariables } from './gateway.ts'
import { seedVariables } from './seeds.ts'
import { addressInput } from '../kernel/input.ts'
import { list, listenAddress, parties, path, text, wholeNumber } from './values.ts'

const origin = z
  .url({ protocol: /^https?$/, error: 'must be http(s) addresses, separated by commas' })
  .transform((url) => new URL(url).origin)
const otlpHeader = z
  .string()
  .regex(/^[\w-]+=./, 'must be name=value, separated by commas; a comma in a value is %2C')
  .transform((pair): [string, string] => {
    const [name = '', ...value] = pair.split('=')
    return [name, decodeURIComponent(value.join('='))]
  })
const environmentSchema = z.object({
  ...seedVariables,
  ...gatewayVariables,
  NODE_ENV: text.toLowerCase().optional(),
  SANDBOX: parties.optional(),
  HOST: text.default('127.0.0.1'),
  PORT: wholeNumber({ min: 0, max: 65535 }).default(4100),
  DATA_DIR: text.default('data'),
  LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']).default('info'),
  LOG_FORMAT: z.enum(['auto', 'json', 'pretty']).default('auto'),
  TRUST_PROXY: list
    .refine(
      (values) => isHopCount(values) || areAddresses(values),
      'must be a number of hops, or addresses, ranges and loopback, separated by commas',
    )
    .default(['loopback']),
  HTTP_CONNECTIONS_PER_ADDRESS: wholeNumber({ min: 10, max: 1_000_000 }).default(1_000),
  OVERLOAD_DELAY_MS: wholeNumber({ min: 0, max: 10_000 }).default(25),
  DEADLINE_FACTOR: wholeNumber({ min: 1, max: 100 }).default(1),
  STOP_DELAY_SECONDS: wholeNumber({ min: 0, max: 120 }).default(0),
  PUBLIC_URL: addressInput.optional(),
  ALLOWED_ORIGINS: list
    .refine(
      (values) => values.every(isOriginPattern),
      'must be origins such as https://desk.example.com, https://*.example.com or http://localhost:*, separated by commas',
    )
    .default([]),
  CONSOLE_SIP_SERVERS: list
    .refine((values) => values.every(isSocketOrigin), 'must be addresses such as wss://sip.example.com:444, separated by commas')
    .optional(),
  CALLBACK_ADDRESSES: list.refine(areAddresses, 'must be addresses or ranges such as 10.0.0.0/8, separated by commas').optional(),
  METRICS_ADDRESS: listenAddress.optional(),
  METRICS_FROM: list.refine(areAddresses, 'must be addresses, ranges such as 10.0.0.0/8, or loopback, separated by commas').optional(),
  DEFAULT_COUNTRY: z.string().refine(isCountry, 'must be a country code such as IN').default('IN'),
  PLATFORM_URL: addressInput.refine(isOrigin, 'must be only scheme, host and port; the paths have their own settings').optional(),
  PLATFORM_GRAPHQL_PATH: path.default('/graphql'),
  PLATFORM_METADATA_PATH: path.default('/metadata'),
  PLATFORM_WORKSPACE_URL: text
    .refine((value) => URL.canParse(value.replace('{workspace}', 'x')), 'must be an address with {workspace} in the place of the subdomain')
    .optional(),
  PLATFORM_REQUESTS_PER_MINUTE: wholeNumber({ min: 10, max: 100_000 }).default(100),
  PLATFORM_MANAGER_ROLE: text.optional(),
  PLATFORM_USER_ROLE: text.optional(),
  PLATFORM_AWAY_MINUTES: wholeNumber({ min: 1, max: 60 }).default(15),
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
  DEEPGRAM_URL: addressInput.default('https://api.deepgram.com'),
  DEEPGRAM_API_KEY: text.optional(),
  OTEL_EXPORTER_OTLP_ENDPOINT: addressInput.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: list.pipe(z.array(otlpHeader)).default([]),
  OTEL_SERVICE_NAME: text.default('call-center-sidecar'),
  OTEL_TRACES_SAMPLER_ARG: text.transform(Number).pipe(z.number().min(0).max(1)).default(1),
  RECORDING_ORIGINS: list.pipe(z.array(origin)).default([]),
  OPENAI_URL: addressInput.optional(),
  OPENAI_API_KEY: text.optional(),
  ANTHROPIC_URL: addressInput.optional(),
  ANTHROPIC_API_KEY: text.optional(),
  GOOGLE_URL: addressInput.optional(),
  GOOGLE_API_KEY: text.optional(),
  OPENAI_COMPATIBLE_URL: addressInput.optional(),
  OPENAI_COMPATIBLE_API_KEY: text.optional(),
})

export const settingNames: readonly string[] = Object.keys(environmentSchema.shape)

export type Environment = z.output<typeof environmentSchema>

/** Settings that belong together: either all of a group are set, or none. */
const groups: readonly (readonly (keyof Environment)[])[] = [
  ['PLATFORM_URL', 'PLATFORM_WORKSPACE_URL', 'WORKSPACES'],
  ['KAFKA_SASL_MECHANISM', 'KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD'],
  ['KAFKA_TLS_CERT_FILE', 'KAFKA_TLS_KEY_FILE'],
  ['OZONETEL_API_URL', 'OZONETEL_ACCOUNT', 'OZONETEL_API_KEY'],
  ['EXOTEL_URL', 'EXOTEL_ACCOUNT', 'EXOTEL_API_KEY', 'EXOTEL_API_TOKEN', 'EXOTEL_CALLER_ID'],
  ['ALERT_WEBHOOK_URL', 'ALERT_WEBHOOK_SECRET'],
]

/** Thrown once with every error in the environment, one line each. */
export class SettingsError extends StartError {
  readonly errors: readonly string[]

  constructor(errors: readonly string[]) {
    super(`The settings are not valid:\n${errors.map((error) => `  - ${error}`).join('\n')}\nSee .env.example for every setting.`)
    this.name = 'SettingsError'
    this.errors = errors
  }
}

/** Nothing that could end a directive of a content security policy. */
function isSocketOrigin(value: string): boolean {
  return /^wss?:\/\/[\w.-]+(:\d{1,5})?$/.test(value)
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

/** Parses the environment; an empty variable counts as not set. Throws SettingsError. */
export function readEnvironment(environment: NodeJS.ProcessEnv): Environment {
  const set = Object.fromEntries(Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ''))
  const parsed = environmentSchema.safeParse(set, { error: validationMessage })
  const errors = [
    ...(parsed.success ? [] : parsed.error.issues.map((issue) => `${settingOf(issue.path)}: ${issue.message}`)),
    ...groupErrors(set),
  ]
  if (!parsed.success || errors.length > 0) throw new SettingsError(errors)
  return parsed.data
}

/** As a person writes it: `WORKSPACES, second entry`. */
function settingOf([name, entry]: readonly PropertyKey[]): string {
  if (typeof entry !== 'number') return String(name)
  const place = ['first', 'second', 'third'][entry]
  return place === undefined ? `${String(name)}, entry ${entry + 1}` : `${String(name)}, ${place} entry`
}

function groupErrors(set: Readonly<Record<string, unknown>>): string[] {
  const errors = groups.flatMap((group) => {
    const missing = group.filter((name) => !(name in set))
    return missing.length === 0 || missing.length === group.length
      ? []
      : [`${missing.join(', ')}: must be set too, together with ${group.filter((name) => name in set).join(', ')}`]
  })
  const workspaceUrl = set['PLATFORM_WORKSPACE_URL']
  if (String(set['WORKSPACES']).includes(',') && typeof workspaceUrl === 'string' && !workspaceUrl.includes('{workspace}'))
    errors.push('PLATFORM_WORKSPACE_URL: must contain {workspace}, because WORKSPACES names several')
  if ('REDIS_URL' in set && !('SECRETS_KEY' in set))
    errors.push('SECRETS_KEY: is required with REDIS_URL, the same on every instance; make one with "openssl rand -base64 32"')
  return errors
}
