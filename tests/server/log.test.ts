import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { buildSchema, GraphQLError, isInputObjectType } from 'graphql'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { openLogOutput } from '../../src/kernel/log-output.ts'
import { loggedReason } from '../../src/kernel/logged-error.ts'
import { Refusal } from '../../src/kernel/refusal.ts'
import { agentRecord } from '../../src/ports/records/agent.ts'
import { modelVendors } from '../../src/providers/models/vendors.ts'
import { choicesOf, telephonyProviders } from '../../src/providers/telephony/registry.ts'
import { createSectionSchemas } from '../../src/features/configuration/section-schemas.ts'
import { readContract } from '../../src/server/graphql/local-schema.ts'
import { createTempDir } from '../harness/temp-dir.ts'

const planted = 'planted-4f9Kq27xZ81mTe06'

function linesOf(write: (log: ReturnType<typeof createLog>) => void): string {
  const lines: string[] = []
  write(createLog('debug', { write: (line) => void lines.push(line), onLost: () => {} }))
  return lines.join('')
}

describe('an error in the log', () => {
  test('has no property that a library gave it, and no message that may quote a provider', () => {
    const failure = Object.assign(new Error(`Incorrect API key provided: ${planted}`), {
      name: 'AI_APICallError',
      responseBody: planted,
      requestBodyValues: { messages: [planted] },
      responseHeaders: { 'set-cookie': planted },
      config: { auth: { password: planted } },
      code: 'invalid_api_key',
    })
    const line = linesOf((log) => log.error({ err: new AppError('PROVIDER_UNAVAILABLE', { cause: failure }) }, 'provider.request-failed'))
    expect(line).not.toContain(planted)
    expect(JSON.parse(line)).toMatchObject({
      err: { type: 'AppError', reason: 'PROVIDER_UNAVAILABLE', cause: { type: 'AI_APICallError', code: 'invalid_api_key' } },
    })
  })

  test.each([
    new TypeError(`Failed to parse URL from https://agent:${planted}@pbx.example/records?key=${planted}`),
    new TypeError(`Headers.append: "Bearer ${planted}" is an invalid header value.`),
    new TypeError(`Headers.append: "${planted}" is an invalid header value.`),
    new TypeError("Cannot use 'in' operator to search for 'id' in Asha Rao, +91 98765 43210"),
    new Error('the token eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIyMDIwIn0.c2lnbmF0dXJl does not fit'),
    new Error('asha.rao@example.com is not known'),
    new SyntaxError(`Unexpected token 's', "${planted.slice(0, 10)}"... is not valid JSON`),
    new GraphQLError(`Variable "$password" got invalid value "${planted}"`),
    new TypeError("Received type string ('Vikram Shah')"),
    new TypeError('9876598765 is no extension'),
    new AppError('PLATFORM_REFUSED', {
      detail: 'The platform does not allow this: Vikram Shah is the last administrator',
      cause: new Refusal({ provider: 'platform', code: 'FORBIDDEN', subCode: null }),
    }),
  ])('%s: shows no secret', (error) => {
    const cause = linesOf((log) => log.error({ err: new Error('outside', { cause: error }) }, 'http.handler-failed'))
    const line = linesOf((log) => log.error({ err: error, reason: loggedReason(error) }, 'http.handler-failed')) + cause
    for (const secret of [planted, planted.slice(0, 9), '98765', 'c2lnbmF0dXJl', 'asha.rao', 'Vikram']) expect(line).not.toContain(secret)
  })

  test('shows no beginning of a key where the message is cut', () => {
    const line = linesOf((log) => log.error({ err: new Error(`${'x '.repeat(245)}${planted}`) }, 'http.handler-failed'))
    expect(line).not.toContain(planted.slice(0, 9))
  })

  test('still says what is wrong', () => {
    const missing = new TypeError("Cannot read properties of undefined (reading 'leadId')")
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:6379'), { code: 'ECONNREFUSED' })
    const line = linesOf((log) => log.error({ err: missing, cause: loggedReason(refused) }, 'http.handler-failed'))
    expect(line).toContain("reading 'leadId'")
    expect(line).toContain('tests/server/log.test.ts')
    expect(line).toContain('connect ECONNREFUSED 127.0.0.1:6379')
  })
})

const fieldSchema = z.looseObject({
  secret: z.boolean().optional(),
  properties: z.record(z.string(), z.unknown()).optional(),
  anyOf: z.array(z.unknown()).optional(),
  oneOf: z.array(z.unknown()).optional(),
})

/** The names of the fields that a JSON Schema marks as secret, at any depth. */
function secretsIn(schema: unknown, name = ''): readonly string[] {
  const { secret, properties = {}, anyOf = [], oneOf = [] } = fieldSchema.parse(schema)
  return [
    ...(secret === true ? [name] : []),
    ...Object.entries(properties).flatMap(([inner, part]) => secretsIn(part, inner)),
    ...[...anyOf, ...oneOf].flatMap((part) => secretsIn(part, name)),
  ]
}

const secretWord = /password|secret|token$|apikey|api_key|^key$/i

test('what any schema marks as secret is hidden by its name', () => {
  const providers = {
    ...choicesOf(telephonyProviders),
    models: modelVendors,
  }
  const ofSections = Object.values(createSectionSchemas({ defaultCountry: 'IN', ...providers })).flatMap((schema) =>
    secretsIn(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' })),
  )
  const ofRecords = Object.entries(agentRecord.fields).flatMap(([name, field]) => ('isSecret' in field ? [name] : []))
  const inputs = Object.values(buildSchema(readContract()).getTypeMap()).filter(isInputObjectType)
  const ofInputs = inputs.flatMap((input) => Object.keys(input.getFields())).filter((name) => secretWord.test(name))
  const others = ['authorization', 'cookie', 'redisUrl', 'secretsKey', 'x-widget-key']
  expect(ofSections.length).toBeGreaterThan(3)
  expect(ofRecords.length).toBeGreaterThan(0)
  expect(ofInputs).toContain('password')
  for (const name of new Set([...ofSections, ...ofRecords, ...ofInputs, ...others])) {
    const lines = linesOf((log) => {
      log.info({ [name]: planted }, 'http.request')
      log.info({ input: { [name]: planted } }, 'http.request')
      log.info({ request: { input: { [name]: planted } } }, 'http.request')
      log.info({ requests: [{ inputs: [{ [name]: planted }] }] }, 'http.request')
    })
    expect(lines, name).not.toContain(planted)
  }
})

test('a secret is hidden as deep as the log shows anything', () => {
  let fields: Record<string, unknown> = { password: planted, plain: 'shown' }
  const deepest: string[] = []
  for (let nesting = 0; nesting < 10; nesting += 1) {
    const line = linesOf((log) => log.info(fields, 'http.request'))
    expect(line, String(nesting)).not.toContain(planted)
    if (line.includes('shown')) deepest.push(line)
    fields = { inner: fields }
  }
  expect(deepest.at(-1)).toContain('[secret]')
  expect(deepest).toHaveLength(6)
})

/** A reader that takes nothing until it is told to. */
function stalledReader() {
  const waiting: (() => void)[] = []
  const taken: string[] = []
  let isStalled = true
  const stream = new Writable({
    decodeStrings: false,
    write(chunk: unknown, _encoding, done) {
      taken.push(String(chunk))
      if (isStalled) waiting.push(done)
      else done()
    },
  })
  const goOn = (): void => {
    isStalled = false
    for (const done of waiting) done()
  }
  return { stream, goOn, text: () => taken.join('') }
}

describe('the output of the log', () => {
  test('holds a bounded part of the lines that nobody reads, and says later how many were lost', async () => {
    const reader = stalledReader()
    const output = await openLogOutput('json', reader.stream, { waitingChars: 100_000, finishMs: 5_000 })
    const log = createLog('info', output)
    for (let index = 0; index < 2_000; index += 1) log.info({ index, filler: 'x'.repeat(100) }, 'http.request')
    expect(reader.stream.writableLength).toBeLessThan(120_000)
    reader.goOn()
    log.info('http.request')
    await output[Symbol.asyncDispose]()
    const lines = reader.text().trim().split('\n')
    const { lines: lost } = z.object({ lines: z.number() }).parse(JSON.parse(lines.find((line) => line.includes('log.lines-lost')) ?? '{}'))
    expect(lost).toBeGreaterThan(1_000)
    expect(lines.length - 2 + lost).toBe(2_000)
  })

  test('does not hold the process if nobody reads', async () => {
    const { stream } = stalledReader()
    const output = await openLogOutput('json', stream, { waitingChars: 100_000, finishMs: 10 })
    createLog('info', output).info('http.request')
    await output[Symbol.asyncDispose]()
    expect(stream.writableLength).toBeGreaterThan(0)
  })

  test('that fails ends nothing', async () => {
    const broken = new Writable({ write: (_chunk, _encoding, done) => done(new Error('EPIPE')) })
    const output = await openLogOutput('json', broken)
    createLog('info', output).info('http.request')
    await expect(output[Symbol.asyncDispose]()).resolves.toBeUndefined()
  })

  test('says how many lines a full disk has lost, when there is room again', async () => {
    await using dir = await createTempDir()
    const file = join(dir.path, 'log')
    // Longer than the process may write.
    writeFileSync(file, Buffer.alloc(3_000_000))
    const script = `
      const { truncateSync } = await import('node:fs')
      const { openLogOutput } = await import('./src/kernel/log-output.ts')
      const { createLog } = await import('./src/kernel/log.ts')
      const output = await openLogOutput('json', process.stdout)
      const log = createLog('info', output)
      const failed = async () => {
        for (let index = 0; index < 300; index += 1) log.info({ index }, 'http.request')
        await new Promise((resolve) => setImmediate(resolve))
      }
      await failed()
      await failed()
      truncateSync(process.env.LOG_FILE)
      log.info('http.request')
      await output[Symbol.asyncDispose]()`
    const child = spawn('sh', ['-c', 'ulimit -f 2000; exec "$@"', 'sh', process.execPath, '--input-type=module', '--eval', script], {
      env: { ...process.env, LOG_FILE: file },
      stdio: ['ignore', openSync(file, 'a'), 'ignore'],
    })
    expect(await once(child, 'exit')).toEqual([0, null])
    const lines = readFileSync(file, 'utf8').trim().split('\n')
    const lost = lines.find((line) => line.includes('log.lines-lost')) ?? '{}'
    expect(z.object({ lines: z.number() }).parse(JSON.parse(lost)).lines).toBeGreaterThan(300)
  })

  test.each([
    { ends: 'process.exit(0)', code: 0 },
    { ends: "throw new Error('a bug')", code: 1 },
  ])('loses no line when the process ends by $ends', async ({ ends, code }) => {
    const script = `
      const { openLogOutput } = await import('./src/kernel/log-output.ts')
      const { createLog } = await import('./src/kernel/log.ts')
      const log = createLog('info', await openLogOutput('json', process.stdout))
      for (let index = 0; index < 100; index += 1) log.info({ index }, 'http.request')
      ${ends}`
    // Its uncaught error is what is tested.
    const env = { ...process.env, UNCAUGHT_ERRORS_FILE: '' }
    const child = spawn(process.execPath, ['--input-type=module', '--eval', script], { env, stdio: ['ignore', 'pipe', 'ignore'] })
    const exited = once(child, 'exit')
    expect((await text(child.stdout)).trim().split('\n')).toHaveLength(100)
    expect(await exited).toEqual([code, null])
  })

  test('is readable on a terminal', async () => {
    const reader = stalledReader()
    reader.goOn()
    await using output = await openLogOutput('pretty', reader.stream)
    createLog('info', output).warn({ part: 'store' }, 'health.part-down')
    expect(reader.text()).toMatch(/^\[\d\d:\d\d:\d\d\.\d{3}\].*WARN.*health\.part-down.*"part":"store"/s)
  })
})
