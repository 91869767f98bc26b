import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { AppError } from '../../src/kernel/errors.ts'
import { hashOf } from '../../src/kernel/ids.ts'
import { refreshTokens } from '../../src/features/auth/refresh-tokens.ts'
import { failingStore } from '../harness/failing-store.ts'
import { createSessionDesk, type Instance, type SessionDesk } from '../harness/session-desk.ts'

let desk: SessionDesk
let service: Instance
let other: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
  service = desk.instance()
  other = desk.instance()
})
beforeEach(() => {
  desk.standIns.platform.clearFaults()
  desk.standIns.platform.forgetCalls()
})
afterAll(() => desk[Symbol.asyncDispose]())

const renewals = (): number => desk.standIns.platform.calls('renewToken').length
const refresh = (instance: Instance, token: string) =>
  refreshTokens(instance.ports, { ...instance.client, pausing: (wait) => wait() }, token)

async function refreshTokenOf(email = 'user@demo.example'): Promise<string> {
  return (await service.logIn(email)).tokens.refreshToken.token
}

describe('a renewal of tokens', () => {
  test('20 concurrent renewals of each of 10 tokens, on two instances, ask the platform once per token and return the same tokens', async () => {
    const tokens = await Promise.all(Array.from({ length: 10 }, () => refreshTokenOf()))
    const requests = tokens.flatMap((token) =>
      Array.from({ length: 20 }, async (_, index) => ({ token, answer: await refresh(index % 2 ? service : other, token) })),
    )
    const answers = await Promise.all(requests)
    expect(renewals()).toBe(10)
    for (const token of tokens) {
      const own = answers.filter((one) => one.token === token).map(({ answer }) => JSON.stringify(answer))
      expect(new Set(own).size).toBe(1)
    }
  })

  test('returns the same tokens within 30 s, on the other instance too', async () => {
    const token = await refreshTokenOf()
    const first = await refresh(service, token)
    desk.clock.advance(29_000)
    expect(await refresh(service, token)).toEqual(first)
    expect(await refresh(desk.instance(), token)).toEqual(first)
    expect(renewals()).toBe(1)
  })

  test('shares its tokens until 30 s have passed, no longer', async () => {
    const token = await refreshTokenOf()
    await refresh(service, token)
    desk.clock.advance(30_000)
    await expect(refresh(service, token)).resolves.toHaveProperty('accessToken')
    expect(renewals()).toBe(2)
  })

  test('stores nothing that can be read without the token', async () => {
    const token = await refreshTokenOf()
    const { accessToken, refreshToken } = await refresh(service, token)
    const stored = await desk.store.get(`auth:renewal-outcome:${hashOf(token)}`)
    expect(stored).toMatch(/^v1\./)
    for (const secret of [token, accessToken.token, refreshToken.token]) expect(stored).not.toContain(secret)
  })

  test('asks the platform once about a token that it refuses, and refuses all requests', async () => {
    const token = await refreshTokenOf()
    desk.standIns.platform.expireTokens(['REFRESH'])
    const refused = await Promise.allSettled(Array.from({ length: 10 }, (_, index) => refresh(index % 2 ? service : other, token)))
    for (const one of refused) expect(one).toMatchObject({ reason: { code: 'UNAUTHENTICATED' } })
    expect(renewals()).toBe(1)
  })
})

describe('a renewal whose answer was lost', () => {
  test('is sent again within the minute of grace', async () => {
    const token = await refreshTokenOf()
    desk.standIns.platform.fault({ operation: 'renewToken', act: 'cutAfter', times: 1 })
    await expect(refresh(service, token)).rejects.toMatchObject({ code: 'UPSTREAM_UNAVAILABLE' })
    desk.clock.advance(20_000)
    await expect(refresh(other, token)).resolves.toHaveProperty('accessToken')
    expect(renewals()).toBe(2)
  })

  test('is never sent again later, on any instance', async () => {
    const token = await refreshTokenOf()
    desk.standIns.platform.fault({ operation: 'renewToken', act: 'cutAfter', times: 1 })
    await expect(refresh(service, token)).rejects.toThrow(AppError)
    for (const laterMs of [60_000, 3_600_000, 30 * 24 * 3_600_000]) {
      desk.clock.advance(laterMs)
      await expect(refresh(desk.instance(), token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
    }
    expect(renewals()).toBe(1)
  })

  test('nor is a successful one, when its old token is used again much later', async () => {
    const token = await refreshTokenOf()
    await refresh(service, token)
    desk.clock.advance(24 * 3_600_000)
    await expect(refresh(other, token)).rejects.toMatchObject({ reason: 'TOKEN_REFUSED' })
    expect(renewals()).toBe(1)
  })
})

test('while the store is away, concurrent renewals in one process still share one request', async () => {
  const alone = desk.instance({ store: failingStore(desk.store, () => true) })
  const token = await refreshTokenOf()
  const answers = await Promise.all(Array.from({ length: 20 }, () => refresh(alone, token)))
  expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
  expect(await refresh(alone, token)).toEqual(answers[0])
  expect(renewals()).toBe(1)
})
