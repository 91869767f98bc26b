import { afterEach, expect, test, vi } from 'vitest'
import { type StillAllowed, watchActor } from '../../src/features/auth/watch-actor.ts'
import { createLiveStream } from '../../src/features/calls/live-stream.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'

function open(allowed: StillAllowed = { check: async () => {}, dueInMs: () => 30_000 }) {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const leaving = new AbortController()
  const end = { signal: leaving.signal, allowed }
  const stream = createLiveStream({ notifications, topic: 'call.changed', workspaceId: 'w1', end })
  const tell = (payload: string, workspaceId = 'w1') => notifications.publish({ topic: 'call.changed', workspaceId, payload })
  return { stream, tell, leave: () => leaving.abort() }
}

test('what stands comes first, another workspace never, and what changes twice before it is read comes once', async () => {
  const { stream, tell, leave } = open()
  const keys = stream(async () => ['standing'])
  expect((await keys.next()).value).toEqual({ key: 'standing', isFirst: true })
  await tell('elsewhere', 'w2')
  for (const key of ['a', 'b', 'a', 'a']) await tell(key)
  expect((await keys.next()).value).toEqual({ key: 'a', isFirst: false })
  expect((await keys.next()).value).toEqual({ key: 'b', isFirst: false })
  const waiting = keys.next()
  leave()
  expect((await waiting).done).toBe(true)
})

test('a reader that is too far behind is dropped', async () => {
  const { stream, tell } = open()
  const keys = stream(async () => ['standing'])
  await keys.next()
  for (let number = 0; number < 600; number += 1) await tell(String(number))
  await expect(keys.next()).rejects.toMatchObject({ reason: 'OVERLOADED' })
})

const principal = {
  userId: 'u1',
  memberId: 'm1',
  workspaceId: 'w1',
  workspace: 'demo',
  role: 'MANAGER',
  email: 'manager@demo.example',
  firstName: '',
  lastName: '',
  agentId: null,
} as const

afterEach(() => vi.useRealTimers())

test.each([
  ['a token that is refused', () => Promise.reject(new AppError('TOKEN_REFUSED')), 'TOKEN_REFUSED'],
  ['a role that is another', async () => ({ ...principal, role: 'AGENT', agentId: 'a1' }) as const, 'ROLE_MISSING'],
  ['a workspace that is served no more', () => Promise.reject(new AppError('WORKSPACE_NOT_SERVED')), 'WORKSPACE_NOT_SERVED'],
])('a stream on which nothing happens ends half a minute after %s', async (_what, resolve, reason) => {
  vi.useFakeTimers()
  const { stream } = open(
    watchActor({ principals: { resolve }, clock: systemClock }, { principal, accessToken: 'token', clientAddress: '127.0.0.1' }),
  )
  const ending = stream(async () => []).next()
  await Promise.all([expect(ending).rejects.toMatchObject({ reason }), vi.advanceTimersByTimeAsync(30_000)])
})

test('a platform that is away ends no stream', async () => {
  vi.useFakeTimers()
  let asked = 0
  const resolve = () => {
    asked += 1
    return Promise.reject(new AppError('PROVIDER_UNAVAILABLE'))
  }
  const { stream, tell } = open(
    watchActor({ principals: { resolve }, clock: systemClock }, { principal, accessToken: 'token', clientAddress: '127.0.0.1' }),
  )
  const next = stream(async () => []).next()
  await vi.advanceTimersByTimeAsync(90_000)
  expect(asked).toBe(3)
  await tell('news')
  expect((await next).value).toEqual({ key: 'news', isFirst: false })
})
