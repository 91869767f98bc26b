import { afterEach, expect, test, vi } from 'vitest'
import type { Principal } from '../../src/access/principal.ts'
import { type StillAllowed, watchActor } from '../../src/features/auth/watch-actor.ts'
import type { Principals } from '../../src/features/auth/principals.ts'
import { liveStream } from '../../src/features/calls/streams/live-stream.ts'
import { takeOverTopic } from '../../src/features/sessions/take-over.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { hashOf } from '../../src/kernel/ids.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { testPrincipal } from '../harness/gateway.ts'

const always: StillAllowed = { check: async () => {}, dueInMs: () => 30_000, onDue: () => new DisposableStack() }

function open(existing: readonly string[], { allowed = always, audience }: { allowed?: StillAllowed; audience?: readonly string[] } = {}) {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const leaving = new AbortController()
  const end = { signal: leaving.signal, allowed }
  const keys = liveStream({ notifications, topic: 'call.changed', workspaceId: 'w1', audience, end, existing: async () => existing })
  const publish = (payload: string, workspaceId = 'w1') => notifications.publish({ topic: 'call.changed', workspaceId, payload })
  const publishTo = (payload: string, to: string) =>
    notifications.publish({ topic: 'call.changed', workspaceId: 'w1', payload, audience: [to] })
  return { keys, publish, publishTo, leave: () => leaving.abort() }
}

test('yields existing keys first, no key of another workspace, and a key that changes twice before it is read once', async () => {
  const { keys, publish, leave } = open(['existing'])
  expect((await keys.next()).value).toEqual({ key: 'existing', isFirst: true })
  await publish('elsewhere', 'w2')
  for (const key of ['a', 'b', 'a', 'a']) await publish(key)
  expect((await keys.next()).value).toEqual({ key: 'a', isFirst: false })
  expect((await keys.next()).value).toEqual({ key: 'b', isFirst: false })
  const waiting = keys.next()
  leave()
  expect((await waiting).done).toBe(true)
})

test('ends the stream of a reader that is too slow', async () => {
  const { keys, publish } = open(['existing'])
  await keys.next()
  for (let number = 0; number < 600; number += 1) await publish(String(number))
  await expect(keys.next()).rejects.toMatchObject({ reason: 'OVERLOADED' })
})

test('yields any number of existing keys', async () => {
  const existing = Array.from({ length: 1_200 }, (_, number) => String(number))
  const { keys, publish } = open(existing)
  for (const key of existing) expect((await keys.next()).value).toEqual({ key, isFirst: true })
  await publish('new')
  expect((await keys.next()).value).toEqual({ key: 'new', isFirst: false })
})

test('ends no stream because of what concerns others', async () => {
  const { keys, publishTo } = open(['existing'], { audience: ['agent1'] })
  await keys.next()
  for (let number = 0; number < 600; number += 1) await publishTo(String(number), 'agent2')
  await publishTo('own', 'agent1')
  expect((await keys.next()).value).toEqual({ key: 'own', isFirst: false })
})

test('ends when it cannot read what changed while notifications were missed: its reader begins again', async () => {
  const gaps: (() => void)[] = []
  const notifications = {
    ...createInProcessNotifications({ log: createLog('silent') }),
    onGap: (listener: () => void) => (gaps.push(listener), new DisposableStack()),
  }
  const end = { signal: new AbortController().signal, allowed: always }
  let isAway = false
  const existing = async (): Promise<readonly string[]> => {
    if (isAway) throw new AppError('STORE_UNAVAILABLE')
    return ['existing']
  }
  const keys = liveStream({ notifications, topic: 'call.changed', workspaceId: 'w1', end, existing })
  expect((await keys.next()).value).toEqual({ key: 'existing', isFirst: true })
  const next = keys.next()
  isAway = true
  for (const report of gaps) report()
  await expect(next).rejects.toMatchObject({ reason: 'STORE_UNAVAILABLE' })
})

const principal = testPrincipal({ workspaceId: 'w1', role: 'MANAGER' })

const follow = () => new DisposableStack()

function watch(resolve: Principals['resolve']): StillAllowed {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const ports = { principals: { resolve, follow }, clock: systemClock, store: { get: async () => null }, notifications }
  return watchActor(ports, { principal, accessToken: 'token', clientAddress: '127.0.0.1' })
}

afterEach(() => vi.useRealTimers())
/** Rounds of the event loop go on: streams wait for one. */
const onlyTimers = { toFake: ['setTimeout', 'clearTimeout', 'Date'] } satisfies Parameters<typeof vi.useFakeTimers>[0]

test.each([
  ['a refused token', () => Promise.reject(new AppError('TOKEN_REFUSED')), 'TOKEN_REFUSED'],
  ['another role', async () => ({ ...principal, role: 'AGENT', agentId: 'a1' }) as const, 'ROLE_MISSING'],
  ['a workspace that is no longer served', () => Promise.reject(new AppError('WORKSPACE_NOT_SERVED')), 'WORKSPACE_NOT_SERVED'],
])('ends an idle stream half a minute after %s', async (_what, resolve, reason) => {
  vi.useFakeTimers(onlyTimers)
  const { keys } = open([], { allowed: watch(resolve) })
  const ending = keys.next()
  await Promise.all([expect(ending).rejects.toMatchObject({ reason }), vi.advanceTimersByTimeAsync(30_000)])
})

test('continues the stream while the platform does not answer', async () => {
  vi.useFakeTimers(onlyTimers)
  let asked = 0
  const resolve = () => {
    asked += 1
    return Promise.reject(new AppError('PROVIDER_UNAVAILABLE'))
  }
  const { keys, publish } = open([], { allowed: watch(resolve) })
  const next = keys.next()
  for (const times of [1, 2, 3]) {
    await vi.advanceTimersByTimeAsync(30_000)
    await vi.waitFor(() => expect(asked).toBe(times))
  }
  await publish('changed')
  expect((await next).value).toEqual({ key: 'changed', isFirst: false })
})

test('a take-over ends the streams of the member that carry another token, and of nobody else', async () => {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const ports = {
    principals: { resolve: async () => principal, follow },
    clock: systemClock,
    store: { get: async () => null },
    notifications,
  }
  const watchAs = (accessToken: string, other: Partial<Principal> = {}) => {
    const allowed = watchActor(ports, { principal: { ...principal, ...other }, accessToken, clientAddress: '127.0.0.1' })
    return { allowed, subscription: allowed.onDue(() => {}) }
  }
  const streams = [watchAs('old'), watchAs('new'), watchAs('old', { memberId: 'another' }), watchAs('old', { workspaceId: 'w2' })]
  const takeOver = { memberId: principal.memberId, lockedAt: '2025-01-15T09:00:00.000Z', tokenHash: hashOf('new') }
  await notifications.publish({ topic: takeOverTopic, workspaceId: 'w1', payload: JSON.stringify(takeOver) })
  const checked = await Promise.allSettled(streams.map(({ allowed }) => allowed.check()))
  expect(checked.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled', 'fulfilled'])
  for (const { subscription } of streams) subscription[Symbol.dispose]()
})
