import { parseArgs } from 'node:util'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import {
  AppError,
  type ErrorReason,
  errorReasons,
  invalidFields,
  invalidInput,
  isErrorReason,
  withFields,
} from '../../src/kernel/errors.ts'
import { parseExactJson } from '../../src/kernel/exact-json.ts'
import { deepFreeze } from '../../src/kernel/freeze.ts'
import { transportError } from '../../src/kernel/http-client.ts'
import { parseInput } from '../../src/kernel/input.ts'
import { checkJson } from '../../src/kernel/json-limits.ts'
import { createLog } from '../../src/kernel/log.ts'
import { networkOf } from '../../src/kernel/network.ts'
import { fitsOrigin, isOriginPattern } from '../../src/kernel/origin-pattern.ts'
import { latinFigures, phoneParts, readablePhone, toE164 } from '../../src/kernel/phone.ts'
import { createPublicAddress } from '../../src/kernel/public-address.ts'
import { codeText, logRefusal, Refusal } from '../../src/kernel/refusal.ts'
import { createNextFlight } from '../../src/kernel/next-flight.ts'
import { createSingleFlight } from '../../src/kernel/single-flight.ts'
import { isTimeZone, momentOfLocal } from '../../src/kernel/time-zone.ts'
import { UsageError, usageMessage } from '../../src/kernel/usage-error.ts'
import { createWithFallback, TookTooLong, withDeadline } from '../../src/kernel/with-fallback.ts'
import { waitFor } from '../harness/wait-for.ts'

/** Those whose title says what to do, and those that are never thrown without a detail. */
const needNoHelp: ReadonlySet<ErrorReason> = new Set([
  ...(['TOKEN_REFUSED', 'SESSION_GONE', 'TOO_MANY_TRIES', 'OVERLOADED', 'STOPPING'] as const),
  ...(['ORIGIN_REFUSED', 'ROLE_MISSING', 'NOT_YOURS', 'INVALID_INPUT', 'SESSION_LOCKED', 'SESSION_TAKEN_OVER', 'SLOT_TAKEN'] as const),
  ...(['ALREADY_CLAIMED', 'TOO_MANY_CONNECTIONS', 'TOO_MANY_STREAMS', 'ASSISTANT_MISSING', 'PERSISTED_QUERY_NOT_SUPPORTED'] as const),
])

test.each(errorReasons.filter((reason) => !needNoHelp.has(reason)))('an error %s without a detail says what to do', (reason) => {
  const { title, message } = new AppError(reason)
  expect(message).toMatch(new RegExp(`^${title}\\. [A-Z].{20,}`))
  // What is known of accounts, paths and keys is in the log only.
  expect(message).not.toMatch(/account (?:is|does)|unknown e-mail|https?:/)
})

test('numbers beyond 2^53 keep their digits; what is not JSON is undefined', () => {
  expect(parseExactJson('{"a":31795211882000007,"b":9007199254740991,"c":1.5,"d":1e300}')).toEqual({
    a: '31795211882000007',
    b: 9_007_199_254_740_991,
    c: 1.5,
    d: 1e300,
  })
  expect(parseExactJson('{')).toBeUndefined()
})

test('a key with an invalid escape is left to the parser, one that escapes a name of a prototype is not', () => {
  const check = (key: string) => checkJson(Buffer.from(`{"${key}":1}`), { values: 10, depth: 10 })
  check(String.raw`\uzzzz_proto__`)
  for (const key of ['__proto__', String.raw`\u005f_proto__`, String.raw`\u0063onstructor`])
    expect(() => check(key)).toThrow('must not have the key')
})

test('zones have names of the IANA database', () => {
  expect(['Asia/Kolkata', 'UTC', 'No/Where', '+05:30', ''].map(isTimeZone)).toEqual([true, true, false, false, false])
  // Clocks go forward at 02:00, and back at 03:00.
  const berlin = (local: string) => new Date(momentOfLocal(Date.parse(`${local}Z`), 'Europe/Berlin')).toISOString().slice(0, 16)
  expect(['2026-03-29T02:30', '2026-10-25T02:30', '2026-07-01T12:00'].map(berlin)).toEqual([
    '2026-03-29T01:30',
    '2026-10-25T00:30',
    '2026-07-01T10:00',
  ])
})

test('a step that fails is skipped for a while', async () => {
  const withFallback = createWithFallback({ patienceMs: 60_000, pauseMs: 60_000 })
  expect(await withFallback(async () => 1, 0)).toBe(1)
  expect(await withFallback(() => Promise.reject(new Error('away')), 0)).toBe(0)
  expect(await withFallback(async () => 1, 0)).toBe(0)
  const again = createWithFallback({ patienceMs: 60_000, pauseMs: 0 })
  expect(await again(() => Promise.reject(new Error('away')), 0)).toBe(0)
  expect(await again(async () => 1, 0)).toBe(1)
  await expect(withDeadline(new Promise(() => undefined), 1)).rejects.toBeInstanceOf(TookTooLong)
})

test('callers at the same time share one execution, those after it have one of their own', async () => {
  const flight = createSingleFlight<number>()
  let count = 0
  const step = async () => (count += 1)
  expect(await Promise.all([flight.run('a', step), flight.run('a', step), flight.run('b', step)])).toEqual([1, 1, 2])
  expect(await flight.run('a', step)).toBe(3)
})

test('callers while an execution runs share the next one, which begins after it', async () => {
  const flight = createNextFlight<number>()
  const ends = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  let count = 0
  const step = async (): Promise<number> => {
    count += 1
    const own = count
    await ends[own - 1]?.promise
    return own
  }
  const first = [flight.run('a', step), flight.run('a', step)]
  await waitFor(() => count === 1)
  const later = [flight.run('a', step), flight.run('a', step)]
  ends[0]?.reject(new Error('the first one fails'))
  expect(await Promise.allSettled(first)).toMatchObject([{ status: 'rejected' }, { status: 'rejected' }])
  ends[1]?.resolve()
  expect(await Promise.all(later)).toEqual([2, 2])
  expect([await flight.run('a', step), await flight.run('b', step)]).toEqual([3, 4])
})

describe('errors', () => {
  test('of a request name who did not answer', () => {
    const who = 'It'
    const own = new AppError('NOT_FOUND')
    const late = new AppError('DEADLINE_PASSED', { detail: 'too late' })
    const error = new Error('connection reset')
    const errorWith = (signal: AbortSignal, thrown: unknown = error) => transportError(thrown, { who, signal })
    expect(errorWith(AbortSignal.abort(), own)).toBe(own)
    expect(errorWith(AbortSignal.abort(late))).toBe(late)
    expect(errorWith(AbortSignal.abort())).toMatchObject({
      reason: 'DEADLINE_PASSED',
      message: expect.stringContaining('It took too long') as unknown,
    })
    expect(errorWith(new AbortController().signal)).toMatchObject({ reason: 'PROVIDER_UNAVAILABLE', message: 'It is not available' })
  })

  test('of fields are renamed with their message', () => {
    expect(isErrorReason('NOT_FOUND') && !isErrorReason('toString') && !isErrorReason(7)).toBe(true)
    const fault = invalidInput('a', 'is wrong', ['b'])
    expect(fault).toMatchObject({ message: 'a: is wrong', data: { fields: [{ path: 'a', message: 'is wrong', allowed: ['b'] }] } })
    expect(withFields(fault, (field) => ({ ...field, path: 'x' })).message).toBe('x: is wrong')
    const named = new AppError('INVALID_INPUT', { detail: 'own words', data: { fields: [{ path: 'a', message: 'is wrong' }] } })
    expect(withFields(named, (field) => ({ ...field, path: 'x' })).message).toBe('own words')
    const many = invalidFields(Array.from({ length: 60 }, (_, index) => ({ path: `${index}`, message: 'm'.repeat(400) })))
    expect(many.data?.fields).toHaveLength(50)
    expect([many.data?.fields?.[0]?.message.length, many.message.length]).toEqual([300, 2_000])
  })

  test('of input name each field, with what is allowed', () => {
    const schema = z.strictObject({ a: z.string().min(2).max(3), b: z.enum(['x', 'y']), c: z.array(z.int()).min(1), d: z.number().max(5) })
    const faultsOf = (value: unknown) => {
      try {
        return parseInput(schema, value, 'input')
      } catch (error) {
        return error instanceof AppError ? error.data?.fields?.map(({ path, message }) => `${path} ${message}`) : error
      }
    }
    expect(faultsOf({ a: 'ab', b: 'x', c: [1], d: 5 })).toEqual({ a: 'ab', b: 'x', c: [1], d: 5 })
    expect(faultsOf({ a: 'a', b: 'z', c: [], d: 6, e: 1 })).toEqual([
      'input.a must have at least 2 characters',
      'input.b must be one of x, y',
      'input.c must have at least 1 entries',
      'input.d must be at most 5',
      'input.e is not a known field',
    ])
    expect(faultsOf({ a: 'abcd', c: 'x' })).toEqual([
      'input.a must have at most 3 characters',
      'input.b must be one of x, y',
      'input.c must be a list',
      'input.d is required',
    ])
  })

  test('of a command are for the person who typed it', () => {
    const messageOf = () => {
      try {
        return JSON.stringify(parseArgs({ args: ['--x'], options: {} }))
      } catch (error) {
        return usageMessage(error)
      }
    }
    expect(messageOf()).toMatch(/^Unknown option '--x'[^.]*$/)
    expect(usageMessage(new UsageError('wrong'))).toBe('wrong')
    expect(usageMessage(new Error('x'))).toBeNull()
  })

  test('of another system are logged by their codes, everyday ones quietly', () => {
    const lines: unknown[] = []
    const note = (level: string) => (facts: unknown) => void lines.push([level, facts])
    const log = Object.assign(createLog('silent'), { info: note('info'), warn: note('warn') })
    const cause = new Refusal({ provider: 'p', code: 'C', subCode: 'two words' })
    expect([codeText(cause), codeText({ code: 'a', subCode: 'b' }), codeText({ code: null, subCode: null })]).toEqual([
      'C',
      'a / b',
      'without a code',
    ])
    logRefusal(log, 'o', new AppError('NOT_FOUND', { cause }))
    logRefusal(log, 'o', new AppError('PROVIDER_REFUSED', { cause }))
    logRefusal(log, 'o', new Error('x', { cause }))
    logRefusal(log, 'o', new AppError('PROVIDER_REFUSED'))
    const facts = { operation: 'o', provider: 'p', code: 'C', subCode: null }
    expect(lines).toEqual([
      ['info', { ...facts, reason: 'NOT_FOUND' }],
      ['warn', { ...facts, reason: 'PROVIDER_REFUSED' }],
      ['warn', { ...facts, reason: 'UNKNOWN' }],
    ])
  })
})

test('phone numbers of any script are read', () => {
  expect([toE164('०९८७६५ ४३२१०', 'IN'), toE164('+1 212 555 0123', undefined), toE164('12', 'IN'), toE164('x', 'IN')]).toEqual([
    '+919876543210',
    '+12125550123',
    null,
    null,
  ])
  expect(phoneParts('+919876543210')).toEqual({ national: '9876543210', callingCode: '+91', country: 'IN' })
  expect(phoneParts('9876543210')).toBeNull()
  expect([readablePhone('+919876543210'), readablePhone('x'), latinFigures('९೯９𝟡0')]).toEqual(['+91 98765 43210', 'x', '99990'])
})

test('a network is an IPv4 address or a /64', () => {
  expect(networkOf('192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('::ffff:192.0.2.1')).toBe('192.0.2.1')
  expect(networkOf('2001:db8::1')).toBe(networkOf('2001:db8::2'))
  expect(networkOf('2001:db8::1')).not.toBe(networkOf('2001:db8:0:1::1'))
  expect(networkOf('odd')).toBe('odd')
})

test.each([
  ['https://a.example', 'https://a.example', true],
  ['https://a.example', 'https://b.example', false],
  ['https://a.example', 'http://a.example', false],
  ['https://x.a.example', 'https://*.a.example', true],
  ['https://a.example', 'https://*.a.example', false],
  ['https://xa.example', 'https://*.a.example', false],
  ['http://x.a.example', 'https://*.a.example', false],
  ['http://localhost:4100', 'http://localhost:*', true],
  ['http://localhost', 'http://localhost:*', true],
  ['http://localhost:4100', 'http://localhost', false],
  ['https://x.a.example:8443', 'https://*.a.example:8443', true],
  ['https://x.a.example:8444', 'https://*.a.example:8443', false],
  // No browser writes these.
  ['null', 'https://*.a.example', false],
  ['', 'https://*.a.example', false],
  ['https://A.example', 'https://a.example', false],
  ['https://X.a.example', 'https://*.a.example', false],
  ['https://a.example:443', 'https://a.example', false],
  ['http://localhost:80', 'http://localhost:*', false],
  ['https://a.example.', 'https://a.example', false],
  ['https://x.a.example.', 'https://*.a.example', false],
  ['https://a.example/', 'https://a.example', false],
  ['https://evil.example/.a.example', 'https://*.a.example', false],
  ['https://evil.example?.a.example', 'https://*.a.example', false],
  ['https://evil.example#.a.example', 'https://*.a.example', false],
  ['https://evil.example\\.a.example', 'https://*.a.example', false],
  ['https://me@x.a.example', 'https://*.a.example', false],
  // Two headers.
  ['https://evil.example, https://x.a.example', 'https://*.a.example', false],
  ['https://a.example, https://a.example', 'https://a.example', false],
])('the origin %s fits %s: %s', (origin, pattern, fits) => expect(fitsOrigin(origin, pattern)).toBe(fits))

test('a pattern of origins is written as a browser writes origins', () => {
  const valid = ['https://a.example', 'https://*.a.example', 'http://localhost:*', 'https://a.example:8443']
  const invalid = [
    'https://a.example/',
    'https://A.example',
    'https://*.example',
    'https://a.*',
    'a.example',
    'ftp://a.example',
    'https://a.example:443',
  ]
  expect([...valid, ...invalid].filter(isOriginPattern)).toEqual(valid)
})

test('the public address has the port on which the service listens, if it leaves it open', () => {
  const urlOf = (setting: string | null) => {
    const address = createPublicAddress(setting)
    address.listensOn(4_100)
    return address.url()
  }
  expect([urlOf(null), urlOf('https://a.example'), urlOf('http://127.0.0.1:0')]).toEqual([
    null,
    'https://a.example',
    'http://127.0.0.1:4100',
  ])
})

test('a frozen value is frozen in all its parts', () => {
  const value = deepFreeze({ a: [{ b: 1 }], c: null })
  expect([value, value.a, value.a[0]].every(Object.isFrozen)).toBe(true)
})
