import { expect, test } from 'vitest'
import { listScorecards } from '../../src/features/recordings/scorecards/list-scorecards.ts'
import { scorecardAgreement } from '../../src/features/recordings/scorecards/scorecard-agreement.ts'
import {
  correctedCalls,
  scoredCalls,
  storedScorecards,
  type StoredScorecard,
} from '../../src/features/recordings/scorecards/stored-scorecard.ts'
import { isoMoment } from '../../src/kernel/clock.ts'
import { createSqliteStore } from '../../src/providers/store/sqlite.ts'
import { createTestClock } from '../harness/clock.ts'
import { testPrincipal } from '../harness/gateway.ts'
import { createTempDir } from '../harness/temp-dir.ts'
import { retentionOf } from '../../src/wiring/stored-values.ts'

test('a range has the scorecards of its first and of its last moment', async () => {
  await using dir = await createTempDir()
  const clock = createTestClock()
  const store = createSqliteStore({ dataDir: dir.path, clock, retentionOf })
  const principal = testPrincipal({ role: 'MANAGER', workspaceId: 'w1' })
  const begin = clock.now() - 10_000
  const correction = {
    verdict: 'BROKEN',
    reason: 'I listened',
    at: isoMoment(begin),
    by: { userId: 'u', memberId: 'm', name: 'M' },
  } as const
  for (const offset of [0, 1, 2]) {
    const callId = `call${offset}`
    const scorecard: StoredScorecard = {
      callId,
      agentId: null,
      at: begin + offset,
      analyzedAt: isoMoment(begin),
      expiresAt: isoMoment(clock.now() + 86_400_000),
      version: 1,
      criteria: [{ key: 'k', name: 'K', question: 'Q?', weight: 1, verdict: 'MET', correction: { ...correction, modelVerdict: 'MET' } }],
    }
    await storedScorecards.write({ store }, { workspaceId: 'w1', callId }, { value: scorecard, lifetime: 86_400_000 })
    await scoredCalls.add({ store }, 'w1', { member: callId, score: begin + offset })
    await correctedCalls.add({ store }, 'w1', { member: callId, score: begin + offset })
  }
  const ports = { store, clock }
  const shown = async (range: { from?: string; to?: string }) => {
    const { nodes } = await listScorecards(ports, principal, { ...range, correctedOnly: false, first: 10 })
    const { scorecards } = await scorecardAgreement(ports, principal, range)
    return [nodes.map(({ callId }) => callId), scorecards]
  }
  const middle = isoMoment(begin + 1)
  expect(await shown({ from: middle, to: middle })).toEqual([['call1'], 1])
  expect(await shown({ from: middle })).toEqual([['call2', 'call1'], 2])
  expect(await shown({ to: middle })).toEqual([['call1', 'call0'], 2])
  await expect(shown({ from: middle, to: isoMoment(begin) })).rejects.toMatchObject({ reason: 'INVALID_INPUT' })
  await store.close()
})
