import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import tls from 'node:tls'
import { text } from 'node:stream/consumers'
import { describe, expect, it } from 'vitest'
import { requireSafeTls } from '../../src/kernel/process-safety.ts'
import { settingNames, SettingsError } from '../../src/settings/environment.ts'
import { misspelt } from '../../src/settings/misspelt.ts'
import { standInParties } from '../../src/settings/sandbox.ts'
import { readRole } from '../../src/settings/command-line.ts'
import { readSettings } from '../../src/settings/settings.ts'
import { childEnvironment } from '../harness/child-environment.ts'

const platform = {
  PLATFORM_URL: 'https://crm.example.com',
  PLATFORM_WORKSPACE_URL: 'https://{workspace}.crm.example.com',
  WORKSPACES: 'acme,demo',
}

const standInsOf = (environment: NodeJS.ProcessEnv) => standInParties(readSettings(environment))

function errorsOf(environment: NodeJS.ProcessEnv): string {
  try {
    readSettings(environment)
  } catch (error) {
    if (error instanceof SettingsError) return error.message
    throw error
  }
  return ''
}

describe('settings', () => {
  it('need only the platform, and are deeply frozen', () => {
    const settings = readSettings(platform)
    expect(settings.http.port).toBe(4100)
    expect(settings.workspaces).toEqual(['acme', 'demo'])
    expect(settings.seeds[0]?.workspace).toBe('acme')
    expect(Object.isFrozen(settings)).toBe(true)
    expect(Object.isFrozen(settings.seeds[0]?.sections.telephony)).toBe(true)
  })

  it('name every error in one message', () => {
    const errors = errorsOf({ ...platform, PORT: 'many', DEFAULT_COUNTRY: 'Atlantis', WORKSPACES: 'Not A Label', SECRETS_KEY: 'short' })
    for (const name of ['PORT', 'DEFAULT_COUNTRY', 'WORKSPACES', 'SECRETS_KEY']) expect(errors).toContain(`- ${name}`)
  })

  it('say in plain words what is allowed', () => {
    const errors = errorsOf({ ...platform, PORT: '70000', LOG_LEVEL: 'loud', TRUST_PROXY: 'zzz', CALLBACK_ADDRESSES: 'here' })
    expect(errors).toContain('PORT: must be at most 65535')
    expect(errors).toContain('LOG_LEVEL: must be one of trace, debug')
    expect(errors).toContain('TRUST_PROXY: must be a number of hops, or addresses')
    expect(errors).toContain('CALLBACK_ADDRESSES: must be addresses or ranges')
    expect(readSettings({ ...platform, TRUST_PROXY: '2' }).http.trustProxy).toEqual(['2'])
    expect(readSettings({ ...platform, TRUST_PROXY: 'loopback, 10.0.0.0/8' }).http.trustProxy).toEqual(['loopback', '10.0.0.0/8'])
  })

  it.each([
    ['PORT', '1e3'],
    ['PORT', '0x1000'],
    ['PORT', '4100.0'],
    ['GRAPHQL_MAX_TOKENS', '-5'],
    ['GRAPHQL_MAX_DEPTH', 'Infinity'],
    ['PLATFORM_GRAPHQL_PATH', '/graph ql'],
    ['PLATFORM_GRAPHQL_PATH', '/graphql?token=x'],
    ['PLATFORM_METADATA_PATH', '//elsewhere.example/metadata'],
    ['PLATFORM_URL', 'https://crm.example.com/base'],
    ['PLATFORM_URL', 'https://user:secret@crm.example.com'],
    ['PLATFORM_URL', 'https://crm.example.com?x=1'],
  ])('refuse %s=%s', (name, value) => {
    const errors = errorsOf({ ...platform, [name]: value })
    expect(errors).toContain(`- ${name}: must be`)
    expect(errors).not.toContain('secret')
  })

  it('accept the address of a platform with its port', () => {
    expect(readSettings({ ...platform, PLATFORM_URL: 'https://CRM.example.com:443/' }).platform.url).toBe('https://CRM.example.com:443')
  })

  it('refuse a half-set group and name what is missing', () => {
    expect(errorsOf({ PLATFORM_URL: 'https://crm.example.com' })).toContain(
      'PLATFORM_WORKSPACE_URL, WORKSPACES: must be set too, together with PLATFORM_URL',
    )
    expect(errorsOf({ ...platform, PLATFORM_WORKSPACE_URL: 'https://crm.example.com' })).toContain('must contain {workspace}, because')
    expect(errorsOf({ ...platform, PLATFORM_WORKSPACE_URL: 'https://crm.example.com', WORKSPACES: 'acme' })).toBe('')
    expect(errorsOf({ ...platform, OZONETEL_ACCOUNT: 'x' })).toContain('OZONETEL_API_URL, OZONETEL_API_KEY: must be set too')
    expect(errorsOf({ ...platform, EXOTEL_ACCOUNT: 'x' })).toContain(
      'EXOTEL_URL, EXOTEL_API_KEY, EXOTEL_API_TOKEN, EXOTEL_CALLER_ID: must be set too',
    )
  })

  it.each([
    ['PLATROM_URL', 'PLATROM_URL is not a setting of this service; did you mean PLATFORM_URL?'],
    ['PLATFROM_URL', 'PLATFROM_URL is not a setting of this service; did you mean PLATFORM_URL?'],
    ['WORKSPACE', 'WORKSPACE is not a setting of this service; did you mean WORKSPACES?'],
    ['SECRET_KEY', 'SECRET_KEY is not a setting of this service; did you mean SECRETS_KEY?'],
    ['PROT', 'PROT is not a setting of this service; did you mean PORT?'],
    ['PLATFORM_TIMEOUT', 'PLATFORM_TIMEOUT is not a setting of this service'],
  ])('warn that %s looks misspelt', (name, warning) => {
    expect(misspelt({ ...platform, [name]: 'x' })).toEqual([warning])
  })

  it('ignore the variables of other programs', () => {
    const others = [
      'PATH',
      'PWD',
      'TERM',
      'HOSTNAME',
      'PS1',
      'HOME',
      'LANG',
      'SHLVL',
      'USER',
      'KAFKA_HOME',
      'GOOGLE_APPLICATION_CREDENTIALS',
    ]
    const more = [
      'npm_config_port',
      'OPENAI_ORG_ID',
      'REDIS_PASSWORD',
      'POSTGRES_URL',
      'NODE_OPTIONS',
      'LS_COLORS',
      'DATABASE_URL',
      'CI',
      '_',
    ]
    const environment = Object.fromEntries([...others, ...more, ...settingNames].map((name) => [name, 'x']))
    expect(misspelt(environment)).toEqual([])
  })

  it('require the secrets key if instances share a store', () => {
    expect(errorsOf({ ...platform, REDIS_URL: 'redis://127.0.0.1:6379' })).toContain('SECRETS_KEY: is required with REDIS_URL')
  })

  it('require all settings of a Kafka group, or none', () => {
    expect(readSettings(platform).kafka).toBeNull()
    const kafka = { ...platform, KAFKA_BROKERS: 'a.example:9092, b.example:9093' }
    expect(readSettings(kafka).kafka).toMatchObject({ brokers: ['a.example:9092', 'b.example:9093'], partitions: 6, sasl: null, tls: null })
    expect(errorsOf({ ...kafka, KAFKA_BROKERS: 'kafka://a.example' })).toContain('- KAFKA_BROKERS')
    expect(errorsOf({ ...kafka, KAFKA_SASL_USERNAME: 'x' })).toContain('KAFKA_SASL_MECHANISM, KAFKA_SASL_PASSWORD: must be set too')
    expect(errorsOf({ ...kafka, KAFKA_TLS_CERT_FILE: 'x' })).toContain('KAFKA_TLS_KEY_FILE: must be set too')
    const sasl = { KAFKA_SASL_MECHANISM: 'scram-sha-512', KAFKA_SASL_USERNAME: 'me', KAFKA_SASL_PASSWORD: 'secret' }
    expect(readSettings({ ...kafka, ...sasl, KAFKA_TLS: 'on', KAFKA_TLS_CA_FILE: 'ca.pem' }).kafka).toMatchObject({
      sasl: { mechanism: 'scram-sha-512', username: 'me', password: 'secret' },
      tls: { caFile: 'ca.pem', certFile: null, keyFile: null },
    })
  })

  it('set the limits of a GraphQL request, in whole numbers', () => {
    expect(readSettings(platform).graphql).toEqual({
      limits: {
        document: { tokens: 15_000, depth: 30, aliases: 250, directives: 250, rootFields: 60, listNesting: 8 },
        bodyBytes: 1_048_576,
        uploadBytes: 104_857_600,
      },
      stitching: { directory: 'data/schemas', maxSchemas: 8, refreshMs: 600_000, rereadMs: 5_000 },
    })
    const given = { ...platform, GRAPHQL_MAX_UPLOAD_MB: '20', GRAPHQL_MAX_SCHEMAS: '2', GRAPHQL_SCHEMA_REFRESH_SECONDS: '60' }
    expect(readSettings(given).graphql).toMatchObject({
      limits: { uploadBytes: 20_971_520 },
      stitching: { maxSchemas: 2, refreshMs: 60_000 },
    })
    const errors = errorsOf({ ...platform, GRAPHQL_MAX_DEPTH: '0', GRAPHQL_MAX_TOKENS: 'all', GRAPHQL_MAX_SCHEMAS: '0' })
    expect(errors).toContain('GRAPHQL_MAX_DEPTH: must be at least 3')
    for (const name of ['GRAPHQL_MAX_TOKENS', 'GRAPHQL_MAX_SCHEMAS']) expect(errors).toContain(`- ${name}`)
  })

  it('read one of three roles from the command line', () => {
    expect([readRole([]), readRole(['--role=consumer']), readRole(['--role', 'service'])]).toEqual(['all', 'consumer', 'service'])
    expect([readRole(['--help']), readRole(['-h'])]).toEqual([null, null])
    expect(() => readRole(['--role=boss'])).toThrow('--role=boss: must be one of all, service, consumer')
  })

  it.each([['--rol=consumer'], ['consumer'], ['--role'], ['--port=80']])(
    'refuse %s on the command line, and say what is possible',
    (argument) => {
      expect(() => readRole([argument])).toThrow(/npm start \[-- --role=<role>\]/)
    },
  )

  it('name an entry of a list as a person would', () => {
    expect(errorsOf({ ...platform, WORKSPACES: 'Not A Label,ok,NEITHER' })).toContain('- WORKSPACES, first entry: must be DNS labels')
    expect(errorsOf({ ...platform, WORKSPACES: 'Not A Label,ok,NEITHER' })).toContain('- WORKSPACES, third entry: must be DNS labels')
  })

  it('take origins of frontends, exact ones or of all subdomains', () => {
    const ALLOWED_ORIGINS = 'https://desk.example.com, https://*.example.com:8443, http://localhost:*, http://[::1]:*'
    expect(readSettings({ ...platform, ALLOWED_ORIGINS }).http.allowedOrigins).toHaveLength(4)
    const wrong = [
      '*',
      'https://*',
      'https://desk.example.com/',
      'desk.example.com',
      'https://desk.*.com',
      'https://DESK.example.com',
      'null',
    ]
    for (const origin of [
      ...wrong,
      'https://desk.example.com:443',
      'ftp://desk.example.com',
      'http://*.localhost:*:1',
      'https://*.com',
      'https://*.',
    ]) {
      expect(errorsOf({ ...platform, ALLOWED_ORIGINS: origin }), origin).toContain('- ALLOWED_ORIGINS: must be origins such as')
    }
  })

  it('start the sandbox without a platform, but never in production, however it is written', () => {
    expect(() => standInsOf({ NODE_ENV: 'Production' })).toThrow(/PLATFORM_URL: is required/)
    expect(standInsOf({})).toEqual(['platform', 'telephony', 'models', 'speech'])
    expect(standInsOf(platform)).toEqual([])
    expect(() => standInsOf({ NODE_ENV: 'production' })).toThrow(/PLATFORM_URL: is required under NODE_ENV=production/)
    expect(() => standInsOf({ HOST: '0.0.0.0' })).toThrow(/HOST: .* loopback only, not on 0\.0\.0\.0/)
  })

  it('have the usual deadlines in production, because locks and leases do not grow with them', () => {
    expect(readSettings({ ...platform, DEADLINE_FACTOR: '10' }).deadlineFactor).toBe(10)
    expect(errorsOf({ ...platform, DEADLINE_FACTOR: '10', NODE_ENV: 'production' })).toContain('- DEADLINE_FACTOR: is refused')
    expect(readSettings({ ...platform, DEADLINE_FACTOR: '1', NODE_ENV: 'production' }).deadlineFactor).toBe(1)
  })

  it('choose the stand-ins beside a real platform', () => {
    expect(standInsOf({ ...platform, SANDBOX: 'telephony, models,speech' })).toEqual(['telephony', 'models', 'speech'])
    expect(standInsOf({ ...platform, SANDBOX: 'models', HOST: '0.0.0.0' })).toEqual(['models'])
    expect(standInsOf({ SANDBOX: 'speech,platform' })).toEqual(['platform', 'speech'])
  })

  it.each([
    [{ ...platform, SANDBOX: 'phone' }, 'SANDBOX: must name platform, telephony, models, speech or several of them, separated by commas'],
    [{ ...platform, SANDBOX: 'models,,outbound' }, 'SANDBOX: must name platform, telephony, models, speech or several of them'],
    [{ ...platform, SANDBOX: ' , ' }, 'SANDBOX: must name platform, telephony, models, speech or several of them'],
    [{ ...platform, SANDBOX: 'models', NODE_ENV: 'production' }, 'SANDBOX: is refused under NODE_ENV=production'],
    [{ ...platform, SANDBOX: 'platform,models' }, 'SANDBOX: names the platform, but PLATFORM_URL is set too'],
    [{ SANDBOX: 'models' }, 'PLATFORM_URL: is required, because SANDBOX does not name the platform'],
  ])('refuse stand-ins that do not fit: %o', (environment, message) => {
    expect(() => standInsOf(environment)).toThrow(message)
  })

  it('are all in .env.example, and no others are', () => {
    const example = readFileSync('.env.example', 'utf8')
    const named = [...example.matchAll(/^#? ?([A-Z][A-Z0-9_]+)=/gm)].map((match) => match[1])
    expect(new Set(named)).toEqual(new Set(settingNames.filter((name) => name !== 'NODE_ENV')))
  })
})

describe('TLS of outbound connections', () => {
  it('is never without verified certificates: the start is refused', async () => {
    const env = { ...childEnvironment, NODE_TLS_REJECT_UNAUTHORIZED: '0', DATA_DIR: '/nowhere/at/all' }
    const programs = [
      ['src/main.ts'],
      ['src/commands/provision.ts'],
      ['src/commands/tour.ts'],
      ['src/commands/diagnose.ts', '--workspace', 'demo', '--email', 'x@y.example'],
    ]
    const refused = await Promise.all(
      programs.map(async (program) => {
        const child = spawn(process.execPath, program, { env, stdio: ['ignore', 'ignore', 'pipe'] })
        const [errors, ended] = await Promise.all([text(child.stderr), once(child, 'close')])
        const exit: readonly unknown[] = ended
        return { program, code: exit[0], errors }
      }),
    )
    for (const { program, code, errors } of refused) {
      expect([program, code]).toEqual([program, 1])
      expect(errors).toContain('NODE_TLS_REJECT_UNAUTHORIZED=0 would accept every certificate')
      expect(errors).toContain('NODE_EXTRA_CA_CERTS')
    }
    expect(() => requireSafeTls({ NODE_TLS_REJECT_UNAUTHORIZED: '1' })).not.toThrow()
  })

  it('is version 1.2 or later, whatever the flags of Node are', () => {
    const before = tls.DEFAULT_MIN_VERSION
    try {
      tls.DEFAULT_MIN_VERSION = 'TLSv1'
      requireSafeTls({})
      expect(tls.DEFAULT_MIN_VERSION).toBe('TLSv1.2')
      tls.DEFAULT_MIN_VERSION = 'TLSv1.3'
      requireSafeTls({})
      expect(tls.DEFAULT_MIN_VERSION).toBe('TLSv1.3')
    } finally {
      tls.DEFAULT_MIN_VERSION = before
    }
  })
})
