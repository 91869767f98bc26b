import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { UpstreamCall } from '../../src/ports/figures.ts'
import type { OutboundTelephony } from '../../src/ports/outbound-telephony.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createOutboundTelephony } from '../../src/providers/telephony/registry.ts'
import { guardPorts } from '../../src/providers/guarded-ports.ts'
import { pino } from 'pino'
import type { BreakerRules } from '../../src/kernel/circuit-breaker.ts'
import { createPortGuard } from '../../src/providers/port-guard.ts'
import { outboundAccounts } from '../../src/sandbox/accounts.ts'
import { type OutboundStandIn, startOutboundTelephony } from '../../src/sandbox/outbound/outbound.ts'
import { waitFor } from '../harness/wait-for.ts'

// The guard around a real adapter and its provider on a socket.
let provider: OutboundStandIn
let seen: UpstreamCall[]
beforeEach(async () => {
  provider = await startOutboundTelephony()
  seen = []
})
afterEach(() => provider[Symbol.asyncDispose]())

const { sid, key, token, callerId } = outboundAccounts.demo
const call = { agentPhoneNumber: '+919800000001', phoneNumber: '+919876543210', recorded: false, statusWebhookUrl: null, reference: '' }
const log = pino({ level: 'silent' })
const asked = (): number => provider.calls('connect.json').length

/** Dialling for several accounts behind one guard. Dialling counts as repeatable if `again` is true. */
function guarding(rules: BreakerRules, again = false): (account: string) => OutboundTelephony {
  const guard = createPortGuard({ log, observe: (one) => seen.push(one), retryAfterMs: 1, rules })
  const settings = { id: 'exotel', url: provider.url, account: sid, apiKey: key, apiToken: token, callerId }
  return (account) =>
    guard.guard(createOutboundTelephony(settings, { defaultCountry: 'IN' }), {
      port: 'outbound',
      provider: 'exotel',
      who: 'The provider',
      account,
      methods: { dial: again ? 'again' : 'once' },
    })
}

test('repeats a request once after a temporary error, only if the method is repeatable', async () => {
  provider.fault({ act: 'refuse', status: 503, times: 1 })
  await guarding({}, true)('a').dial(call)
  expect(asked()).toBe(2)
  provider.fault({ act: 'refuse', status: 503, times: 1 })
  await expect(guarding({})('a').dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(asked()).toBe(3)
  expect(seen.map(({ provider: id, operation, result }) => [id, operation, result])).toEqual([
    ['exotel', 'dial', 'OK'],
    ['exotel', 'dial', 'PROVIDER_UNAVAILABLE'],
  ])
  expect(seen.every(({ seconds }) => seconds > 0 && seconds < 5)).toBe(true)
})

test('pauses requests to an account after several failures in a row, then tries it again; other accounts are not affected', async () => {
  const outbound = guarding({ openMs: 2_000, failuresToOpen: 3 })
  provider.fault({ act: 'cut', times: 3 })
  for (let failure = 0; failure < 3; failure += 1)
    await expect(outbound('a').dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  await expect(outbound('a').dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE', data: { retryAfterSeconds: 2 } })
  expect(asked()).toBe(3)
  await outbound('b').dial(call)
  expect(asked()).toBe(4)
  await waitFor(() => outbound('a').dial(call))
  expect(asked()).toBe(5)
})

test('refusals and rate limits are answers: they are returned each time', async () => {
  const outbound = guarding({ failuresToOpen: 2 }, true)
  provider.fault({ act: 'refuse', status: 400, times: 4 })
  for (let refusal = 0; refusal < 4; refusal += 1)
    await expect(outbound('a').dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_REFUSED' })
  provider.fault({ act: 'refuse', status: 429, times: 4 })
  for (let refusal = 0; refusal < 4; refusal += 1)
    await expect(outbound('a').dial(call)).rejects.toMatchObject({ data: { retryAfterSeconds: 60 } })
  expect(asked()).toBe(8)
})

test('failures of one port, model or provider do not pause another one', async () => {
  const broken = async () => Promise.reject(away)
  const guard = createPortGuard({ log, rules: { failuresToOpen: 1, openMs: 5_000 }, retryAfterMs: 1 })
  const port = (name: string, account: string, step: () => Promise<string>) =>
    guard.guard({ step }, { port: name, provider: 'x', who: 'It', account, methods: { step: 'once' } })
  await expect(port('speech', 'a', broken).step()).rejects.toMatchObject({ data: undefined })
  expect(await port('outbound', 'a', async () => 'x').step()).toBe('x')
  expect(await port('speech', 'b', async () => 'x').step()).toBe('x')
  await expect(port('speech', 'a', async () => 'x').step()).rejects.toMatchObject({ data: { retryAfterSeconds: 5 } })
  const refusal = new AppError('PROVIDER_REFUSED')
  const models = guardPorts(guard)
  const ask = (provider: string, model: string, error: AppError) => {
    const failing = { structured: () => Promise.reject(error), converse: () => new ReadableStream(), prepare: async () => undefined }
    return models.languageModel(failing, { provider, model, url: 'http://127.0.0.1:9' }).structured(question)
  }
  await expect(ask('x', 'a', away)).rejects.toBe(away)
  await expect(ask('x', 'b', refusal)).rejects.toBe(refusal)
  await expect(ask('y', 'a', refusal)).rejects.toBe(refusal)
  await expect(ask('x', 'a', refusal)).rejects.toMatchObject({ data: { retryAfterSeconds: 5 } })
})

const away = new AppError('PROVIDER_UNAVAILABLE')
const question = { instructions: '', prompt: '', schema: z.object({}) }

test('a provider that answers only 503 gets at most one retry before it is paused, however many ask', async () => {
  provider.fault({ act: 'refuse', status: 503 })
  const outbound = guarding({}, true)('a')
  for (let request = 0; request < 20; request += 1)
    await expect(outbound.dial(call)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  expect(asked()).toBe(5)
})

test('the account of one workspace cannot pause the same provider for another workspace', async () => {
  const guarded = guardPorts(createPortGuard({ log, rules: { failuresToOpen: 1 } }))
  const settings = { id: 'exotel', url: provider.url, account: sid, apiKey: key, apiToken: token, callerId }
  const dial = (workspaceId: string) =>
    guarded.outbound(createOutboundTelephony(settings, { defaultCountry: 'IN' }), { workspaceId, provider: settings }).dial(call)
  provider.fault({ act: 'cut', times: 1 })
  await expect(dial('a')).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  await expect(dial('a')).rejects.toMatchObject({
    message: 'The provider of outbound calls does not work at the moment, and gets no requests until it does. Try again in 2 s',
    data: { party: 'outbound', retryAfterSeconds: 2 },
  })
  await dial('b')
})

test('does not change methods that are not guarded', async () => {
  const outbound = guarding({})('a')
  await expect(outbound.recording({ url: 'nonsense' })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  expect(seen).toEqual([])
})

describe('a stream', () => {
  type Words = { say: (words: readonly (string | AppError)[]) => AsyncIterable<string> }
  const closed: string[] = []
  const words: Words = {
    async *say(said) {
      try {
        for (const word of said) {
          if (word instanceof AppError) throw word
          yield word
        }
      } finally {
        closed.push(String(said[0]))
      }
    },
  }
  const guarded = (rules: BreakerRules = {}): Words =>
    createPortGuard({ log, observe: (one) => seen.push(one), retryAfterMs: 1, rules }).guard(words, {
      port: 'words',
      provider: 'x',
      who: 'The speaker',
      account: 'a',
      methods: { say: 'stream' },
    })

  test('is passed on piece by piece and reported once, for any way it ends', async () => {
    expect(await Array.fromAsync(guarded().say(['a', 'b']))).toEqual(['a', 'b'])
    await expect(Array.fromAsync(guarded().say(['a', away]))).rejects.toBe(away)
    expect(seen.map(({ operation, result }) => [operation, result])).toEqual([
      ['say', 'OK'],
      ['say', 'PROVIDER_UNAVAILABLE'],
    ])
  })

  test('is opened once more if its beginning fails', async () => {
    const failures = [away]
    const flaky: Words = { say: (said) => words.say(failures.splice(0).length > 0 ? [away] : said) }
    const port = createPortGuard({ log, retryAfterMs: 1 }).guard(flaky, {
      port: 'words',
      provider: 'x',
      who: 'The speaker',
      account: 'a',
      methods: { say: 'stream' },
    })
    expect(await Array.fromAsync(port.say(['a', 'b']))).toEqual(['a', 'b'])
  })

  test('is closed when its reader stops', async () => {
    closed.length = 0
    for await (const word of guarded().say(['left', 'b'])) if (word === 'left') break
    expect(closed).toEqual(['left'])
    expect(seen).toMatchObject([{ result: 'OK' }])
  })

  test('counts for the breaker if it does not begin, but not if it breaks later', async () => {
    const port = guarded({ failuresToOpen: 2, openMs: 60_000 })
    for (let time = 0; time < 4; time += 1) await expect(Array.fromAsync(port.say(['a', away]))).rejects.toBe(away)
    await expect(Array.fromAsync(port.say([away]))).rejects.toBe(away)
    await expect(Array.fromAsync(port.say(['a']))).rejects.toMatchObject({ data: { retryAfterSeconds: 60 } })
  })
})
