import { setTimeout as pause } from 'node:timers/promises'
import { z } from 'zod'
import { createTestApp, type TestApp } from '../harness/app.ts'
import { waitFor } from '../harness/wait-for.ts'
import { wrongCalls } from './calls/records.ts'
import { createChance, disturb, type ExpectedCall, forge, playCall, type Posting } from './calls/traffic.ts'
import { type Figure, proveParts, say } from './stage/report.ts'

const events = 10_000
const forgeries = 1_000
const inFlight = 32
const steady = { perSecond: 100, seconds: 10 }
const pathSchema = z.object({ path: z.string() })

async function keyPath(app: TestApp, token: string): Promise<string> {
  const { body } = await app.rest('POST', '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  return pathSchema.parse(body).path
}

async function post(app: TestApp, path: string, { contentType, body }: Posting): Promise<{ status: number; tookMs: number }> {
  const startedAt = performance.now()
  const response = await fetch(app.url + path, { method: 'POST', headers: { 'content-type': contentType }, body })
  await response.arrayBuffer()
  return { status: response.status, tookMs: performance.now() - startedAt }
}

/** Runs a fixed number of steps at the same time. */
async function each<Item, Result>(items: readonly Item[], step: (item: Item) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  const remaining = items.values()
  const work = async (): Promise<void> => {
    for (const item of remaining) results.push(await step(item))
  }
  await Promise.all(Array.from({ length: inFlight }, work))
  return results
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

async function proveWebhooks(): Promise<readonly Figure[]> {
  await using app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await app.signIn('manager@demo.example')
  const path = await keyPath(app, token)
  const chance = createChance(20_250_115)
  const expected: ExpectedCall[] = []
  const postings: Posting[] = []
  for (let index = 0; postings.length < events; index += 1) {
    const call = playCall(index, chance)
    expected.push(call.expected)
    postings.push(...call.postings)
  }
  const sent = disturb(postings, chance)
  const startedAt = performance.now()
  const answers = await each(sent, (posting) => post(app, path, posting))
  const acceptedMs = performance.now() - startedAt
  say(
    `${sent.length} webhooks for ${expected.length} calls were accepted in ${(acceptedMs / 1000).toFixed(1)} s; waiting for the platform's records`,
  )
  const wrong = await waitUntilRight(app, expected)
  const writtenMs = performance.now() - startedAt
  const refused = answers.filter(({ status }) => status !== 200).length
  return [
    {
      claim: `${events} call events, 10 % twice, 20 % out of order, the platform allowing 100 requests a minute`,
      figure: `${expected.length} calls, ${expected.length - wrong} right (one record each), ${refused} webhooks rejected; all written after ${(writtenMs / 1000).toFixed(0)} s`,
      holds: wrong === 0 && refused === 0,
    },
    {
      claim: `The same, ${inFlight} at once as fast as they are accepted`,
      figure: `${Math.round(sent.length / (acceptedMs / 1000))} a second, each on disk before its answer; ${tookOf(answers)}`,
      holds: refused === 0,
    },
    await proveForgeries(app, path),
  ]
}

type Answered = { readonly status: number; readonly tookMs: number }

function tookOf(answers: readonly Answered[]): string {
  const took = answers.map(({ tookMs }) => tookMs)
  return `p50 ${percentile(took, 0.5).toFixed(0)} ms, p99 ${percentile(took, 0.99).toFixed(0)} ms`
}

/** A steady stream: each webhook at its own time, whether or not the former ones were answered. */
async function proveSteadyWebhooks(): Promise<Figure> {
  await using app = await createTestApp()
  app.standIns.telephony.accountMode({ mode: 'token' })
  const { token } = await app.signIn('manager@demo.example')
  const path = await keyPath(app, token)
  const chance = createChance(7)
  const postings = Array.from({ length: 400 }, (_, index) => playCall(index, chance).postings).flat()
  for (const posting of postings.slice(0, 50)) await post(app, path, posting)
  const paced = postings.slice(50, 50 + steady.seconds * steady.perSecond)
  const answers = await Promise.all(
    paced.map(async (posting, index) => {
      await pause((index * 1_000) / steady.perSecond)
      return post(app, path, posting)
    }),
  )
  const took = answers.map(({ tookMs }) => tookMs)
  const claim = `Webhooks at a steady ${steady.perSecond} a second, each on disk before its answer (to be under 50 ms)`
  return { claim, figure: tookOf(answers), holds: percentile(took, 0.99) < 50 && answers.every(({ status }) => status === 200) }
}

async function waitUntilRight(app: TestApp, expected: readonly ExpectedCall[]): Promise<number> {
  let wrong = expected.length
  const check = (): boolean => {
    wrong = wrongCalls(app.standIns.platform, expected).length
    return wrong === 0
  }
  await waitFor(check, { deadlineMs: 600_000, what: 'the records' }).catch(() => undefined)
  return wrong
}

async function proveForgeries(app: TestApp, path: string): Promise<Figure> {
  const answers = await each(
    Array.from({ length: forgeries }, (_, index) => forge(index, path)),
    (forged) => post(app, forged.path, forged),
  )
  const accepted = answers.filter(({ status }) => status < 400).length
  const failed = answers.filter(({ status }) => status >= 500).length
  const figure = `${accepted} of ${forgeries} accepted, ${failed} answered with 5xx`
  return {
    claim: 'Forged webhooks (guessed address, wrong or missing proof, another account)',
    figure,
    holds: accepted === 0 && failed === 0,
  }
}

const platformMs = 50

async function proveLookups(): Promise<Figure> {
  await using app = await createTestApp()
  const { token } = await app.signIn('agent1@demo.example')
  app.standIns.platform.fault({ operation: '', delayMs: platformMs, act: 'answer' })
  const lookup = async (): Promise<number> => {
    const startedAt = performance.now()
    const { status } = await app.rest('POST', '/api/calls/lookup?enrich=false', { token, body: { phoneNumber: '9876543210' } })
    if (status !== 200) throw new Error(`the look-up answered ${status}`)
    return performance.now() - startedAt
  }
  for (let warm = 0; warm < 10; warm += 1) await lookup()
  const took: number[] = []
  for (let round = 0; round < 200; round += 1) took.push(await lookup())
  const [p50, p95] = [percentile(took, 0.5), percentile(took, 0.95)]
  const figure = `p50 ${p50.toFixed(0)} ms, p95 ${p95.toFixed(0)} ms in all; the platform takes two times ${platformMs} ms of it`
  return { claim: `Screen pop against a platform that answers in ${platformMs} ms`, figure, holds: p95 - 2 * platformMs < 300 }
}

const parts: Readonly<Record<string, () => Promise<readonly Figure[]>>> = {
  lookups: async () => [await proveLookups()],
  steady: async () => [await proveSteadyWebhooks()],
  webhooks: proveWebhooks,
}
await proveParts('Calls', parts)
process.exit(process.exitCode)
