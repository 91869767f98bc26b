import { setTimeout as delay } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { z } from 'zod'
import type { Clock } from '../../src/kernel/clock.ts'
import { sandboxPassword } from '../../src/sandbox/platform/seed.ts'
import { createChance, disturb, playCall, type Posting } from '../prove/calls/traffic.ts'
import { ask } from './instances.ts'
import { type OverviewAnswer, overviewSchema } from './supervision.ts'

const signInSchema = z.object({ tokens: z.object({ accessToken: z.object({ token: z.string() }) }) })

export async function signIn(url: string, email = 'manager@demo.example'): Promise<string> {
  const workspace = email.slice('manager@'.length).split('.')[0]
  const { body } = await ask(url, '/auth/login', { body: { email, password: sandboxPassword, workspace } })
  return signInSchema.parse(body).tokens.accessToken.token
}

export async function callbackPath(url: string, token: string): Promise<string> {
  const { body } = await ask(url, '/api/calls/callback-keys', { token, body: { provider: 'ozonetel' } })
  return z.object({ path: z.string() }).parse(body).path
}

export async function overview(url: string, token: string): Promise<OverviewAnswer> {
  return overviewSchema.parse((await ask(url, '/api/supervisor/overview', { token })).body)
}

/** Null, after a pause, if it is not complete: whoever asks in a loop leaves the processor to the work that completes it. */
export async function completeOverview(url: string, token: string): Promise<OverviewAnswer | null> {
  const seen = await overview(url, token)
  if (seen.today.complete) return seen
  await delay(100)
  return null
}

/** Services that are started until it is disposed of begin each second what they else begin every 15: reading today's calls from the platform. */
export function completingSoon(): Disposable {
  const { setInterval } = globalThis
  const hurried = (...[run, ms, ...rest]: Parameters<typeof setInterval>) => setInterval(run, ms === 15_000 ? 1_000 : ms, ...rest)
  const spy = vi.spyOn(globalThis, 'setInterval').mockImplementation(hurried)
  return { [Symbol.dispose]: () => spy.mockRestore() }
}

/** The parts of an overview that must be equal on all instances. */
export const counted = ({ today: { total, byAgent, byCampaign, byDisposition, byHour }, missedWaiting, callsNow }: OverviewAnswer) => ({
  total,
  rows: [byAgent, byCampaign, byDisposition, byHour].map((rows) => rows.map((row) => JSON.stringify(row)).toSorted()),
  waiting: missedWaiting.count,
  now: callsNow.ringing + callsNow.onCall,
})

/** Calls of today, some of them with a disposition. The webhooks go to the instances in turn, some twice and out of order. */
export async function sendTraffic(urls: readonly string[], path: string, { count, from }: { count: number; from: number }) {
  const chance = createChance(11)
  const calls = Array.from({ length: count }, (_, index) =>
    playCall(index, chance, { beganAt: from + index * 1_000, disposed: index < 30 }),
  )
  const sent = disturb(
    calls.flatMap(({ postings }) => postings),
    chance,
  )
  const post = ({ contentType, body }: Posting, index: number) =>
    fetch((urls[index % urls.length] ?? '') + path, { method: 'POST', headers: { 'content-type': contentType }, body })
  for (let at = 0; at < sent.length; at += 50) {
    const answers = await Promise.all(sent.slice(at, at + 50).map(post))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
  }
  return calls.map(({ expected }) => expected)
}

/** Some minutes ago. */
export const startOfTraffic = (clock: Clock): number => Math.floor(clock.now() / 1_000) * 1_000 - 300_000
