import { createFigures } from '../../src/ports/figures.ts'
import { SignJWT } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { createPrincipals, type FoundPrincipal } from '../../src/features/auth/principals.ts'
import { lookUpPrincipal } from '../../src/features/auth/look-up-principal.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import { createTestClock } from '../harness/clock.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createSessionDesk, type Instance, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

let desk: SessionDesk
let service: Instance
let other: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
  service = desk.instance()
  other = desk.instance()
})
afterAll(() => desk[Symbol.asyncDispose]())

const lookUps = (): number => desk.standIns.platform.calls('currentUser').length

async function accessTokenOf(email: string): Promise<string> {
  const { tokens } = await service.logIn(email)
  desk.standIns.platform.forgetCalls()
  return tokens.accessToken.token
}

describe('the principal of a token', () => {
  test('is looked up at most once a minute', async () => {
    const token = await accessTokenOf('user@demo.example')
    await service.ports.principals.resolve(token)
    expect(lookUps()).toBe(0)
    desk.clock.advance(59_000)
    await service.ports.principals.resolve(token)
    expect(lookUps()).toBe(0)
    desk.clock.advance(1_000)
    await service.ports.principals.resolve(token)
    expect(lookUps()).toBe(1)
  })

  test('is looked up once for concurrent requests', async () => {
    const token = await accessTokenOf('user@demo.example')
    const all = await Promise.all(Array.from({ length: 50 }, () => other.ports.principals.resolve(token)))
    expect(lookUps()).toBe(1)
    expect(new Set(all).size).toBe(1)
  })

  test('has a role that was changed on the platform after a minute', async () => {
    const token = await accessTokenOf('user@demo.example')
    desk.standIns.platform.setRole({ workspace: 'demo', email: 'user@demo.example', role: 'Manager' })
    await expect(service.ports.principals.resolve(token)).resolves.toMatchObject({ role: 'USER' })
    desk.clock.advance(60_000)
    await expect(service.ports.principals.resolve(token)).resolves.toMatchObject({ role: 'MANAGER' })
  })

  test('has a role that was changed through this service at once, on every instance', async () => {
    const token = await accessTokenOf('user@demo.example')
    const before = await other.ports.principals.resolve(token)
    expect(before.role).toBe('MANAGER')
    desk.standIns.platform.setRole({ workspace: 'demo', email: 'user@demo.example', role: 'User' })
    await service.ports.principals.forget(before)
    await expect(service.ports.principals.resolve(token)).resolves.toMatchObject({ role: 'USER' })
    await expect(other.ports.principals.resolve(token)).resolves.toMatchObject({ role: 'USER' })
  })

  test('is not cached if the look-up began before a change', async () => {
    const token = await accessTokenOf('user@demo.example')
    const member = await service.ports.principals.resolve(token)
    desk.clock.advance(60_000)
    desk.standIns.platform.fault({ operation: 'currentUser', delayMs: 100, times: 1 })
    const early = service.ports.principals.resolve(token)
    await waitFor(() => lookUps() === 1)
    await other.ports.principals.forget(member)
    await early
    desk.standIns.platform.forgetCalls()
    await service.ports.principals.resolve(token)
    expect(lookUps()).toBe(1)
  })

  test('is not cached if the sign-in looked it up before a change', async () => {
    const member = await service.ports.principals.resolve(await accessTokenOf('user@demo.example'))
    const answerProfile = desk.standIns.platform.holdAnswers('currentUser')
    const signingIn = service.logIn('user@demo.example')
    await waitFor(() => lookUps() === 1)
    await other.ports.principals.forget(member)
    answerProfile()
    const { tokens } = await signingIn
    await service.ports.principals.resolve(tokens.accessToken.token)
    expect(lookUps()).toBe(2)
  })

  test('has no role any more that the platform says is taken away, though it does not give the agent record', async () => {
    desk.standIns.platform.setRole({ workspace: 'demo', email: 'agent2@demo.example', role: 'Manager' })
    const token = await accessTokenOf('agent2@demo.example')
    const before = await service.ports.principals.resolve(token)
    expect(before).toMatchObject({ role: 'MANAGER' })
    desk.standIns.platform.setRole({ workspace: 'demo', email: 'agent2@demo.example', role: 'User' })
    await service.ports.agentRecordCache.forget(before)
    desk.clock.advance(60_000)
    desk.standIns.platform.fault({ operation: 'agents', act: 'refuse', status: 503, times: 1 })
    await expect(service.ports.principals.resolve(token)).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  })

  test('has the roles of the settings if the configuration cannot be read because the store is away, and no other fault is hidden', async () => {
    const token = await accessTokenOf('user@demo.example')
    const without = (fault: AppError) => ({ ...service.ports, lastKnownConfiguration: { read: () => Promise.reject(fault) } })
    const found = await lookUpPrincipal(without(new AppError('STORE_UNAVAILABLE')), token)
    expect(found.principal).toMatchObject({ email: 'user@demo.example', role: 'USER' })
    await expect(lookUpPrincipal(without(new AppError('NOT_CONFIGURED')), token)).rejects.toMatchObject({ reason: 'NOT_CONFIGURED' })
  })

  test('is refused if its workspace is not served here', async () => {
    const { tokens } = await service.logIn('user@acme.example', { workspace: 'acme' })
    const narrow = desk.instance({ workspaces: ['demo'] })
    await expect(narrow.ports.principals.resolve(tokens.accessToken.token)).rejects.toMatchObject({ reason: 'WORKSPACE_NOT_SERVED' })
  })
})

const refusedTokens = { check: () => {}, follow: () => new DisposableStack() }

describe('the last known principal, while the platform is away', () => {
  const setUp = async () => {
    const clock = createTestClock()
    const asked: PromiseWithResolvers<FoundPrincipal>[] = []
    const lookUp = () => {
      const one = Promise.withResolvers<FoundPrincipal>()
      asked.push(one)
      return one.promise
    }
    const notifications = createInProcessNotifications({ log: createLog('silent') })
    const ended = { has: false }
    const check = (): void => {
      if (ended.has) throw new AppError('TOKEN_REFUSED')
    }
    const principals = createPrincipals(
      { notifications, clock, figures: createFigures(), refusedTokens: { ...refusedTokens, check } },
      lookUp,
      { awayMs: 900_000 },
    )
    const token = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(clock.now() / 1_000 + 1_800)
      .sign(new Uint8Array(32))
    const principal = testPrincipal()
    await principals.learn(token, async () => ({ principal, readAt: clock.now() }))
    clock.advance(60_000)
    const lastKnown = { ...principal, isLastKnown: true }
    return { clock, asked, ended, principals, principal, lastKnown, resolve: () => principals.resolve(token) }
  }

  test('is used after a short wait if the platform hangs, and without a wait while the same look-up hangs', async () => {
    const { asked, lastKnown, resolve } = await setUp()
    expect(await resolve()).toEqual(lastKnown)
    const before = performance.now()
    expect(await resolve()).toEqual(lastKnown)
    expect(performance.now() - before).toBeLessThan(500)
    expect(asked).toHaveLength(1)
  })

  test('gives way to the answer that comes later', async () => {
    const { clock, asked, principal, resolve } = await setUp()
    await resolve()
    const newer = { ...principal, role: 'USER' as const }
    asked[0]?.resolve({ principal: newer, readAt: clock.now() })
    await waitFor(async () => expect(await resolve()).toBe(newer))
    expect(asked).toHaveLength(1)
  })

  test.for(['PROVIDER_UNAVAILABLE', 'PROVIDER_ANSWER_INVALID', 'PROVIDER_REFUSED', 'DEADLINE_PASSED'] as const)(
    'is used if the look-up fails with %s, for the time that it may be away',
    async (reason) => {
      const { clock, asked, lastKnown, resolve } = await setUp()
      const failing = (): Promise<unknown> => {
        const answer = resolve()
        asked.at(-1)?.reject(new AppError(reason))
        return answer
      }
      expect(await failing()).toEqual(lastKnown)
      clock.advance(839_999)
      expect(await failing()).toEqual(lastKnown)
      clock.advance(1)
      await expect(failing()).rejects.toMatchObject({ reason })
    },
  )

  test.for(['TOKEN_REFUSED', 'PLATFORM_REFUSED', 'OVERLOADED'] as const)('is not used if the look-up fails with %s', async (reason) => {
    const { asked, resolve } = await setUp()
    const answer = resolve()
    asked[0]?.reject(new AppError(reason))
    await expect(answer).rejects.toMatchObject({ reason })
  })

  test.for(['TOKEN_REFUSED', 'PLATFORM_REFUSED', 'WORKSPACE_NOT_SERVED', 'NOT_FOUND'] as const)(
    'is not used any more after %s, which may come late',
    async (reason) => {
      const { asked, lastKnown, resolve } = await setUp()
      expect(await resolve()).toEqual(lastKnown)
      asked[0]?.reject(new AppError(reason))
      await new Promise(setImmediate)
      const later = resolve()
      asked[1]?.reject(new AppError('PROVIDER_UNAVAILABLE'))
      await expect(later).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
    },
  )

  test('is not used after a change of the member, or after the end of the sign-in', async () => {
    const { asked, ended, principals, principal, resolve } = await setUp()
    const early = resolve()
    ended.has = true
    await expect(early).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
    ended.has = false
    await principals.forget(principal)
    const later = resolve()
    asked[1]?.reject(new AppError('PROVIDER_UNAVAILABLE'))
    await expect(later).rejects.toMatchObject({ reason: 'PROVIDER_UNAVAILABLE' })
  })
})

test('forged tokens push no valid token out of the cache', async () => {
  const clock = createTestClock()
  const sign = (name: string) =>
    new SignJWT({ name })
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime(clock.now() / 1_000 + 600)
      .sign(new Uint8Array(32))
  const good = await Promise.all(['a', 'b', 'c'].map(sign))
  let lookedUp = 0
  const principal = testPrincipal()
  const lookUp = async (token: string) => {
    lookedUp += 1
    if (!good.includes(token)) throw new AppError('TOKEN_REFUSED')
    return { principal, readAt: clock.now() }
  }
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const principals = createPrincipals({ notifications, clock, figures: createFigures(), refusedTokens }, lookUp, {
    maxEntries: 3,
    awayMs: 900_000,
  })
  for (const token of good) await principals.resolve(token)
  const forged = await Promise.all(Array.from({ length: 500 }, (_, index) => sign(`forged ${index}`)))
  const refused = await Promise.allSettled(forged.map((token) => principals.resolve(token)))
  expect(refused.every(({ status }) => status === 'rejected')).toBe(true)
  lookedUp = 0
  for (const token of good) await principals.resolve(token)
  expect(lookedUp).toBe(0)
})

test('a cached principal is not used after its token has expired', async () => {
  desk.standIns.platform.setLifetimes({ accessMs: 30_000 })
  const token = await accessTokenOf('user@demo.example')
  await service.ports.principals.resolve(token)
  desk.clock.advance(30_000)
  await expect(service.ports.principals.resolve(token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
  desk.standIns.platform.setLifetimes({ accessMs: 1_800_000 })
})

test('a token that expires at this very moment is refused without a look-up', async () => {
  const clock = createTestClock()
  const token = await new SignJWT({})
    .setProtectedHeader({ alg: 'HS256' })
    .setExpirationTime(clock.now() / 1_000 + 1)
    .sign(new Uint8Array(32))
  let lookedUp = 0
  const lookUp = async () => {
    lookedUp += 1
    return { principal: testPrincipal(), readAt: clock.now() }
  }
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  const principals = createPrincipals({ notifications, clock, figures: createFigures(), refusedTokens }, lookUp, {
    maxEntries: 3,
    awayMs: 900_000,
  })
  clock.advance(1_000)
  await expect(principals.resolve(token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
  expect(lookedUp).toBe(0)
})
