import { RateLimiterMemory } from 'rate-limiter-flexible'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { bulkhead } from 'cockatiel'
import { limitSignIns } from '../../src/features/auth/limit-sign-ins.ts'
import { createCredentialGate } from '../../src/features/auth/credential-gate.ts'
import { AppError } from '../../src/kernel/errors.ts'
import { failingStore } from '../harness/failing-store.ts'
import { createSessionDesk, type Instance, type LogInAs, type SessionDesk } from '../harness/session-desk.ts'
import { waitFor } from '../harness/wait-for.ts'

const quarter = 15 * 60_000
const user = 'user@demo.example'

let desk: SessionDesk
let service: Instance
let other: Instance
beforeAll(async () => {
  desk = await createSessionDesk()
})
beforeEach(() => {
  service = desk.instance()
  other = desk.instance()
  desk.clock.advance(quarter)
  desk.standIns.platform.clearFaults()
  desk.standIns.platform.forgetCalls()
})
afterAll(() => desk[Symbol.asyncDispose]())

const reached = (): number => desk.standIns.platform.calls('getLoginTokenFromCredentials').length

/** The reason of a refusal, or `in`. */
async function attempt(instance: Instance, email: string, as: LogInAs): Promise<string> {
  try {
    await instance.logIn(email, as)
    return 'in'
  } catch (error) {
    if (error instanceof AppError) return error.reason
    throw error
  }
}

function guess(count: number, of: (index: number) => { instance?: Instance; email?: string; address?: string }): Promise<string[]> {
  const tries = Array.from({ length: count }, (_, index) => {
    const { instance = service, email = user, address = '203.0.113.7' } = of(index)
    return attempt(instance, email, { password: `wrong ${index}`, address })
  })
  return Promise.all(tries)
}

const count = (reasons: readonly string[], reason: string): number => reasons.filter((one) => one === reason).length

describe('wrong passwords for one account', () => {
  test('10 of 60 concurrent attempts, from 60 addresses and through two instances, reach the platform', async () => {
    const reasons = await guess(60, (index) => ({ instance: index % 2 ? service : other, address: `198.51.100.${index}` }))
    expect(reached()).toBe(10)
    expect(count(reasons, 'SIGN_IN_REFUSED')).toBe(10)
    expect(count(reasons, 'TOO_MANY_TRIES')).toBe(50)
  })

  test('are refused with the seconds to wait, and no longer count after 15 minutes', async () => {
    await guess(10, () => ({ address: '198.51.100.1' }))
    desk.clock.advance(5 * 60_000)
    const refused = service.logIn(user, { address: '198.51.100.2' })
    await expect(refused).rejects.toMatchObject({ code: 'RATE_LIMITED', data: { retryAfterSeconds: 600 } })
    desk.clock.advance(10 * 60_000)
    expect(await attempt(service, user, { address: '198.51.100.2' })).toBe('in')
  })

  test('from other addresses do not lock the owner out, who has 10 attempts of their own', async () => {
    expect(await attempt(service, user, { address: '203.0.113.7' })).toBe('in')
    await guess(40, (index) => ({ address: `192.0.2.${index}` }))
    expect(reached()).toBe(11)
    expect(await attempt(other, user, { address: '203.0.113.7' })).toBe('in')
    await guess(20, () => ({ address: '203.0.113.7' }))
    expect(reached()).toBe(22)
    expect(await attempt(service, user, { address: '203.0.113.7' })).toBe('TOO_MANY_TRIES')
  })

  test('do not lock the owner out whose IPv6 address changes within one network', async () => {
    expect(await attempt(service, user, { address: '2001:db8:1:1:a::1' })).toBe('in')
    await guess(20, (index) => ({ address: `2001:db8:9:9::${index + 1}` }))
    expect(await attempt(other, user, { address: '2001:db8:1:1:b::2' })).toBe('in')
    expect(await attempt(other, user, { address: '2001:db8:1:2::1' })).toBe('TOO_MANY_TRIES')
  })

  test('do not lock the owner out at the last five addresses of their sign-ins', async () => {
    const addresses = Array.from({ length: 6 }, (_, index) => `203.0.113.${20 + index}`)
    for (const address of addresses) expect(await attempt(service, user, { address })).toBe('in')
    await guess(20, (index) => ({ address: `198.51.100.${index}` }))
    for (const address of addresses.slice(1)) expect(await attempt(other, user, { address })).toBe('in')
    expect(await attempt(other, user, { address: '203.0.113.20' })).toBe('TOO_MANY_TRIES')
  })

  test('are not let pass at an address that is good for another account only', async () => {
    expect(await attempt(service, 'manager@demo.example', { address: '192.0.2.200' })).toBe('in')
    await guess(10, (index) => ({ address: `198.51.100.${index}` }))
    expect(await attempt(other, user, { password: 'wrong', address: '192.0.2.200' })).toBe('TOO_MANY_TRIES')
  })

  test('count for the same account in any spelling of its e-mail', async () => {
    const spellings = [user, user.toUpperCase(), 'User@demo.example', 'uSER@DEMO.example']
    await guess(24, (index) => ({ email: spellings[index % 4] ?? user, address: `198.51.100.${index}` }))
    expect(reached()).toBe(10)
  })

  test('do not count if the platform could not check them', async () => {
    desk.standIns.platform.fault({ operation: 'getLoginTokenFromCredentials', act: 'refuse', status: 503, times: 15 })
    const reasons = await guess(15, () => ({ address: '198.51.100.1' }))
    expect(count(reasons, 'PROVIDER_UNAVAILABLE')).toBe(15)
    // As soon as the service asks the platform again.
    await waitFor(async () => (await attempt(service, user, { address: '198.51.100.1' })) === 'in')
  })
})

describe('right passwords', () => {
  test('never count: 40 concurrent and 15 consecutive sign-ins succeed', async () => {
    const atOnce = Array.from({ length: 40 }, (_, index) => attempt(index % 2 ? service : other, user, { address: `198.51.100.${index}` }))
    expect(count(await Promise.all(atOnce), 'in')).toBe(40)
    for (let tries = 0; tries < 15; tries += 1) expect(await attempt(service, user, { address: '198.51.100.77' })).toBe('in')
  })
})

test('500 accounts behind one address never reach its limit, even if each uses up its ten attempts; one more attempt does', async () => {
  const { credentialGate: gate } = service.ports
  const { signal } = new AbortController()
  for (let tries = 0; tries < 5_000; tries += 1) {
    const settle = await gate.enter({ account: `person${tries % 500}@demo.example`, address: '192.0.2.1', signal })
    settle('WRONG')
  }
  const entering = gate.enter({ account: 'one-more@demo.example', address: '192.0.2.1', signal })
  await expect(entering).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
  await expect(gate.enter({ account: 'one-more@demo.example', address: '192.0.2.2', signal })).resolves.toBeTypeOf('function')
})

describe('permits', () => {
  const { signal } = new AbortController()
  const account = 'person@demo.example'
  /** A gate whose addresses have three permits. */
  const smallGate = () =>
    createCredentialGate(service.ports, ({ name, points, seconds }) => {
      return new RateLimiterMemory({ points: name.startsWith('address') ? 3 : points, duration: seconds })
    })

  test('of an account come back if its address has none', async () => {
    const gate = smallGate()
    for (let tries = 0; tries < 3; tries += 1) (await gate.enter({ account: null, address: '192.0.2.1', signal }))('WRONG')
    for (let tries = 0; tries < 12; tries += 1) {
      await expect(gate.enter({ account, address: '192.0.2.1', signal })).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
    }
    const settles = []
    for (let tries = 0; tries < 10; tries += 1) settles.push(await gate.enter({ account, address: `192.0.2.${10 + tries}`, signal }))
    for (const settle of settles) settle('WRONG')
    await expect(gate.enter({ account, address: '192.0.2.99', signal })).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
  })

  test.each(['RIGHT', 'UNKNOWN'] as const)('of an address come back after an attempt that is %s', async (outcome) => {
    const gate = smallGate()
    for (let tries = 0; tries < 12; tries += 1) (await gate.enter({ account, address: '192.0.2.1', signal }))(outcome)
    for (let tries = 0; tries < 3; tries += 1) (await gate.enter({ account, address: '192.0.2.1', signal }))('WRONG')
    await expect(gate.enter({ account, address: '192.0.2.1', signal })).rejects.toMatchObject({ reason: 'TOO_MANY_TRIES' })
  })
})

test('while the store is away, each process counts by itself', async () => {
  const alone = desk.instance({ store: failingStore(desk.store, () => true) })
  const reasons = await guess(30, (index) => ({ instance: alone, address: `198.51.100.${index}` }))
  expect(reached()).toBe(10)
  expect(count(reasons, 'TOO_MANY_TRIES')).toBe(20)
})

test('a sign-in is refused with the seconds to wait if too many others wait', async () => {
  const context = { allowAtLeast: () => {} }
  const busy = { logInBulkhead: bulkhead(1, 0) }
  const { promise, resolve } = Promise.withResolvers<string>()
  const first = limitSignIns(busy, context, () => promise)
  await expect(limitSignIns(busy, context, async () => 'second')).rejects.toMatchObject({
    reason: 'OVERLOADED',
    data: { retryAfterSeconds: 10 },
  })
  resolve('first')
  await expect(first).resolves.toBe('first')
})
