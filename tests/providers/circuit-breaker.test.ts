import { access } from 'node:fs/promises'
import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { pino } from 'pino'
import { createBreakers } from '../../src/kernel/breakers.ts'
import { type BreakerRules, CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { checkUpstreams } from '../../src/server/operations/health-checks.ts'

const party = { party: 'crm', who: 'The CRM', workspaceId: null }

/** A breaker on a clock that only the test moves. */
function breakerWith(rules: BreakerRules = {}) {
  let at = 1_000
  const breaker = new CircuitBreaker(party, { ...rules, now: () => at })
  const passes = (): boolean => {
    try {
      breaker.enter()
      return true
    } catch {
      return false
    }
  }
  const fails = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      breaker.enter()
      breaker.failed()
    }
  }
  return { breaker, passes, fails, wait: (ms: number) => void (at += ms) }
}

test('refuses calls at once after five failures in a row, lets one through every two seconds, and closes with the first answer', () => {
  const { breaker, passes, fails, wait } = breakerWith()
  fails(4)
  breaker.enter()
  breaker.answered()
  fails(5)
  expect(breaker.cause).toBe('failures')
  wait(500)
  expect(breaker.refusal()).toMatchObject({
    reason: 'PROVIDER_UNAVAILABLE',
    message: 'The CRM does not work at the moment, and gets no requests until it does. Try again in 2 s',
    data: { party: 'crm', retryAfterSeconds: 2 },
  })
  expect(passes()).toBe(false)
  wait(1_500)
  expect([passes(), passes()]).toEqual([true, false])
  breaker.failed()
  wait(2_000)
  expect(passes()).toBe(true)
  // A test that gets no answer does not stop the next one.
  wait(2_000)
  expect(passes()).toBe(true)
  breaker.answered()
  expect([breaker.isOpen, passes(), passes()]).toEqual([false, true, true])
})

test('failures of calls that were sent before it opened do not delay the next test of it', () => {
  const { breaker, passes, fails, wait } = breakerWith({ silence: null })
  for (let call = 0; call < 10; call += 1) breaker.enter()
  fails(5)
  for (let call = 0; call < 10; call += 1) {
    wait(200)
    breaker.failed()
  }
  expect(passes()).toBe(true)
})

test('three calls without any answer for 2.5 s open it; answers to others, or a single slow call, do not', () => {
  const { breaker, passes, wait } = breakerWith()
  breaker.enter()
  wait(60_000)
  for (let call = 0; call < 2; call += 1) breaker.enter()
  wait(2_400)
  breaker.enter()
  breaker.answered()
  wait(2_400)
  expect([passes(), breaker.isOpen]).toEqual([true, false])
  wait(200)
  expect([passes(), breaker.cause]).toEqual([false, 'silence'])
})

test('slow answers are no silence if the probe gets an answer', async () => {
  const probes: ((isAnswered: boolean) => void)[] = []
  const probe = () =>
    new Promise<void>((resolve, reject) => probes.push((isAnswered) => (isAnswered ? resolve() : reject(new Error('none')))))
  const { breaker, wait } = breakerWith({ probe })
  for (let call = 0; call < 30; call += 1) breaker.enter()
  // Each answer to a probe doubles the time until the next one.
  for (const [round, isAnswered] of [true, true, false].entries()) {
    wait(2_500 * 2 ** round - 1)
    breaker.enter()
    expect([probes.length, breaker.isOpen]).toEqual([round, false])
    wait(1)
    breaker.enter()
    breaker.enter()
    probes.at(-1)?.(isAnswered)
    await Promise.resolve()
    await Promise.resolve()
  }
  expect([probes.length, breaker.cause]).toEqual([3, 'silence'])
})

test('the answer to a probe counts although the event loop was blocked until its deadline', async () => {
  const probed = Promise.withResolvers<void>()
  const probe = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', reject)
      const answer = access('/')
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100)
      void answer.then(resolve)
    }).finally(probed.resolve)
  const { breaker, wait } = breakerWith({ probe, probeDeadlineMs: 50 })
  for (let call = 0; call < 3; call += 1) breaker.enter()
  wait(2_500)
  await nextRound()
  breaker.enter()
  await probed.promise
  await nextRound()
  expect(breaker.isOpen).toBe(false)
})

test('silence is noticed although nobody else calls', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setImmediate', 'performance'] })
  try {
    const breaker = new CircuitBreaker(party)
    for (let call = 0; call < 3; call += 1) breaker.enter()
    await vi.advanceTimersByTimeAsync(2_000)
    breaker.answered()
    breaker.enter()
    await vi.advanceTimersByTimeAsync(2_400)
    expect(breaker.isOpen).toBe(false)
    await vi.advanceTimersByTimeAsync(400)
    expect(breaker.cause).toBe('silence')
  } finally {
    vi.useRealTimers()
  }
})

test('after silence the answer to a probe is enough, because the answer to the test may take minutes', async () => {
  let answers = false
  const probe = async () => (answers ? undefined : Promise.reject(new Error('none')))
  const { breaker, passes, wait } = breakerWith({ probe })
  for (let call = 0; call < 3; call += 1) breaker.enter()
  wait(2_500)
  breaker.enter()
  await nextRound()
  expect(breaker.cause).toBe('silence')
  wait(2_000)
  expect(passes()).toBe(true)
  await nextRound()
  expect(breaker.isOpen).toBe(true)
  answers = true
  wait(2_000)
  expect([passes(), passes()]).toEqual([true, false])
  await nextRound()
  expect([breaker.isOpen, passes()]).toEqual([false, true])
})

test('a test that ends without a verdict is followed by another one at once, but only by one', () => {
  const { breaker, passes, fails, wait } = breakerWith()
  breaker.enter()
  breaker.enter()
  breaker.enter()
  fails(5)
  // This one was no test.
  breaker.left()
  expect(passes()).toBe(false)
  wait(2_000)
  expect([passes(), passes()]).toEqual([true, false])
  wait(100)
  breaker.left()
  expect([passes(), passes()]).toEqual([true, false])
  // Those from before may leave too.
  breaker.left()
  breaker.left()
  expect(passes()).toBe(false)
  wait(2_000)
  expect(passes()).toBe(true)
  breaker.left()
  expect([passes(), passes()]).toEqual([true, false])
})

test('retries are at most a tenth of the answers, and five in store', () => {
  const { breaker } = breakerWith()
  const taken = (): number => {
    let count = 0
    while (breaker.takeRetry()) count += 1
    return count
  }
  expect(taken()).toBe(1)
  const answer = (times: number): void => {
    for (let time = 0; time < times; time += 1) {
      breaker.enter()
      breaker.answered()
    }
  }
  answer(21)
  expect(taken()).toBe(2)
  answer(1_000)
  expect(taken()).toBe(5)
})

test('paused upstreams are logged and counted, and /health names their workspace in the reason alone', async () => {
  const lines: string[] = []
  const breakers = createBreakers(pino({ base: null, timestamp: false }, { write: (line: string) => void lines.push(line) }))
  const breaker = breakers.of('key', { party: 'telephony', who: 'The telephony provider', workspaceId: 'w1' }, { failuresToOpen: 1 })
  expect(breakers.of('key', party)).toBe(breaker)
  expect(checkUpstreams(breakers)).toEqual({ problem: null, detail: [] })
  await expect(
    breaker.run(
      () => Promise.reject(new Error('away')),
      () => true,
    ),
  ).rejects.toThrow('away')
  expect(() => breaker.enter()).toThrow('The telephony provider')
  expect(checkUpstreams(breakers)).toMatchObject({
    problem: 'The telephony provider of workspace w1 gets no requests at present, because it fails',
    detail: [{ party: 'telephony', works: false, seconds: 0 }],
  })
  expect(breakers.counts.get('telephony')).toEqual({ openings: 1, refused: 1, retries: 0 })
  breaker.waiting += 1
  breaker.answered()
  expect(checkUpstreams(breakers)).toMatchObject({ problem: null, detail: [{ party: 'telephony', works: true, seconds: 0 }] })
  expect(lines.map((line): unknown => JSON.parse(line))).toMatchObject([
    { party: 'telephony', workspaceId: 'w1', cause: 'failures', msg: 'upstream.paused' },
    { party: 'telephony', workspaceId: 'w1', msg: 'upstream.resumed' },
  ])
})

test('each party is shown once, with the worst of its accounts and since when it is so; those that fail come first', () => {
  let at = 1_000
  const breakers = createBreakers(pino({ level: 'silent' }))
  const rules = { failuresToOpen: 1, now: () => at }
  const [speech, working, failing, later] = [
    breakers.of('speech', { ...party, party: 'speech' }, rules),
    breakers.of('one account', party, rules),
    breakers.of('another account', party, rules),
    breakers.of('an account that fails later', party, rules),
  ]
  breakers.of('never called', { ...party, party: 'outbound' }, rules)
  for (const breaker of [speech, working]) {
    breaker.enter()
    breaker.answered()
  }
  at += 5_000
  failing.enter()
  failing.failed()
  at += 1_000
  later.enter()
  later.failed()
  at += 1_000
  expect(breakers.states()).toMatchObject([
    { party: 'crm', works: false, seconds: 2 },
    { party: 'speech', works: true, seconds: 7 },
  ])
  for (const breaker of [failing, later]) {
    breaker.waiting += 1
    breaker.answered()
  }
  at += 1_000
  expect(breakers.states()).toMatchObject([
    { party: 'crm', works: true, seconds: 1 },
    { party: 'speech', works: true, seconds: 8 },
  ])
})

test('a breaker that nobody has used for a minute is not shown, because its account may be gone', () => {
  let at = 1_000
  const breakers = createBreakers(pino({ level: 'silent' }))
  const breaker = breakers.of('former account', party, { failuresToOpen: 1, now: () => at })
  breaker.enter()
  breaker.failed()
  at += 59_999
  expect(breakers.paused()).toMatchObject([{ party: 'crm', cause: 'failures', seconds: 60 }])
  at += 1
  expect(breakers.paused()).toEqual([])
  breaker.enter()
  expect(breakers.paused()).toMatchObject([{ party: 'crm', seconds: 60 }])
})

test('however many accounts there are, the breaker of the platform is shown', () => {
  const breakers = createBreakers(pino({ level: 'silent' }))
  const breaker = breakers.add(party, { failuresToOpen: 1 })
  breaker.enter()
  breaker.failed()
  for (let account = 0; account < 1_001; account += 1) breakers.of(`account ${account}`, { ...party, party: 'other' })
  expect(breakers.paused()).toMatchObject([{ party: 'crm' }])
})

test('says what the last calls have shown, for ten minutes after the last one', () => {
  let at = 1_000
  const breakers = createBreakers(pino({ level: 'silent' }))
  const breaker = breakers.of('account', party, { failuresToOpen: 2, now: () => at })
  const end = (how: 'answered' | 'failed'): void => {
    breaker.enter()
    breaker[how]()
  }
  expect(breakers.verdicts()).toEqual([])
  end('answered')
  at += 5
  expect(breakers.verdicts()).toEqual([{ ...party, key: 'account', works: true, agoMs: 5 }])
  end('failed')
  expect(breakers.verdicts()).toEqual([])
  end('failed')
  at += 599_999
  expect(breakers.verdicts()).toMatchObject([{ works: false, agoMs: 599_999 }])
  // Such a call shows nothing, but somebody needs the upstream.
  breaker.enter()
  breaker.left()
  at += 1
  expect(breakers.verdicts()).toMatchObject([{ works: false, agoMs: 600_000 }])
  at += 599_998
  expect(breakers.verdicts()).toHaveLength(1)
  at += 1
  expect(breakers.verdicts()).toEqual([])
})
