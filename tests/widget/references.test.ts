import { expect, test } from 'vitest'
import { formatLocalMoment } from '../../src/features/widget/chat/moments.ts'
import { createReferences } from '../../src/features/widget/chat/references.ts'

test('a record keeps its reference, the first one too', () => {
  const doctors = createReferences('D', [])
  expect([doctors.show('a'), doctors.show('b'), doctors.show('a')]).toEqual(['D1', 'D2', 'D1'])
  expect(doctors.ids).toEqual(['a', 'b'])
  expect([doctors.idOf(' d2 '), doctors.idOf('D3'), doctors.idOf('S1')]).toEqual(['b', null, null])
})

test('a conversation shows at most 500 records', () => {
  const slots = createReferences(
    'S',
    Array.from({ length: 499 }, (_, index) => `slot ${index}`),
  )
  expect([slots.show('last'), slots.show('one more'), slots.show('last')]).toEqual(['S500', null, 'S500'])
})

test('a local time is read as it is written', () => {
  expect(formatLocalMoment('2026-11-23T00:30:00+05:30')).toBe('Mon, 23 Nov 2026, 00:30')
})
