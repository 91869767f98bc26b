import { expect, test } from 'vitest'
import { agentRowsOf } from '../../src/web/console/areas/supervisor/agent-rows.ts'
import { presetOf, rangeBefore, rangeOf, validRange } from '../../src/web/console/areas/supervisor/range.ts'
import { hoursOf, placeOf, secondsByState, shownSpan } from '../../src/web/console/areas/supervisor/timeline/spans.ts'

const agents = [
  { id: 'a1', state: 'READY' },
  { id: 'a2', state: 'WRAP_UP' },
]
const today = { byAgent: [{ agentId: 'a1', counts: { answered: 4, averageHandlingSeconds: 90 } }] }

test('a call is beside its agent, and a row that has not changed is the same object', () => {
  const before = agentRowsOf({ agents, callsNow: { calls: noCalls() }, today }, [])
  expect(before).toEqual([
    { id: 'a1', state: 'READY', call: null, answered: 4, handlingSeconds: 90 },
    { id: 'a2', state: 'WRAP_UP', call: null, answered: 0, handlingSeconds: null },
  ])
  const calls = [{ id: 'c1', agentId: 'a1' }]
  const after = agentRowsOf({ agents: agents.map((agent) => ({ ...agent })), callsNow: { calls }, today }, before)
  expect(after[0]).toMatchObject({ call: { id: 'c1' } })
  expect(after[1]).toBe(before[1])
})

function noCalls(): readonly { readonly id: string; readonly agentId: string | null }[] {
  return []
}

test('a range of days: presets, the time before, and what an address may say', () => {
  expect(presetOf(rangeOf('month', '2026-11-22'), '2026-11-22')).toBe('month')
  expect(presetOf({ from: '2026-01-01', to: '2026-01-09' }, '2026-11-22')).toBeNull()
  expect(rangeBefore({ from: '2026-03-01', to: '2026-03-07' })).toEqual({ from: '2026-02-22', to: '2026-02-28' })
  expect(validRange({ from: '2026-11-20', to: '2026-11-10' }, '2026-11-22')).toEqual({ from: '2026-11-10', to: '2026-11-20' })
  expect(validRange({ from: '2020-01-01', to: '2026-11-10' }, '2026-11-22')).toEqual({ from: '2025-11-10', to: '2026-11-10' })
  expect(validRange({ from: 'x', to: undefined }, '2026-11-22')).toEqual({ from: '2026-11-16', to: '2026-11-22' })
})

test('a day is shown in whole hours of the clinic’s time, and its states are summed up', () => {
  const timeline = {
    timeZone: 'Asia/Kolkata',
    states: [
      { state: 'SIGNED_OUT', from: '2026-11-21T18:30:00.000Z', to: '2026-11-22T03:40:00.000Z' },
      { state: 'READY', from: '2026-11-22T03:40:00.000Z', to: '2026-11-22T03:50:00.000Z' },
      { state: 'ON_CALL', from: '2026-11-22T03:50:00.000Z', to: null },
    ],
    calls: [],
  } as const
  const now = Date.parse('2026-11-22T05:10:00.000Z')
  const shown = shownSpan(timeline, now)
  if (!shown) throw new Error('nothing is shown')
  // From 09:00 to 11:00 in Kolkata.
  expect(hoursOf(shown).map((hour) => new Date(hour).toISOString().slice(11, 16))).toEqual(['03:30', '04:30', '05:30'])
  expect(placeOf({ from: shown.from, to: Date.parse('2026-11-22T04:30:00Z') }, shown)).toEqual({ left: '0%', width: '50%' })
  expect(Object.fromEntries(secondsByState(timeline, now))).toMatchObject({ READY: 600, ON_CALL: 4_800 })
  expect(shownSpan({ ...timeline, states: timeline.states.slice(0, 1) }, now)).toBeNull()
})
