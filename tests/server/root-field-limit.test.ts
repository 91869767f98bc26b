import { setImmediate as nextRound } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { withinLimit } from '../../src/server/graphql/root-field-limit.ts'

test('four root fields of a request run at once, and one that fails gives its place to the next', async () => {
  const request = {}
  const running: PromiseWithResolvers<string>[] = []
  const run = () => {
    const own = Promise.withResolvers<string>()
    running.push(own)
    return own.promise
  }
  const all = Array.from({ length: 6 }, () => withinLimit(request, run))
  const settled = Promise.allSettled(all)
  const untilRun = async (count: number): Promise<void> => {
    while (running.length < count) await nextRound()
    for (let round = 0; round < 3; round += 1) await nextRound()
    expect(running).toHaveLength(count)
  }
  await untilRun(4)
  // Another request has places of its own.
  const other = withinLimit({}, async () => 'other')
  expect(await other).toBe('other')
  running[2]?.reject(new Error('of the third'))
  await untilRun(5)
  running[0]?.resolve('first')
  await untilRun(6)
  for (const own of running) own.resolve('later')
  const results = await settled
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : String(result.reason)))).toEqual([
    'first',
    'later',
    'Error: of the third',
    'later',
    'later',
    'later',
  ])
})
