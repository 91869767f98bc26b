import { describe, expect, test } from 'vitest'
import { lineInput } from '../../src/kernel/input.ts'
import { oneLine, plainText } from '../../src/kernel/text.ts'

describe('what people say stays', () => {
  test.each([
    'BP is >140 in the morning and <90 at night, sugar >200.',
    'Platelets <50000 and fever, wants a visit today',
    'K.Ramesh, Dr.K.Rao, Smt.Lakshmi: Tab.Metformin 500mg b.d.',
    'T.Nagar branch, opp.Hotel Saravana, pin.600017',
    'Hb 9.5 -> 11.2 & rising; dose = 2*1 [after food] {new} | a_b_c',
    'Prefers Mr.Iyer@clinic; email k.rao@example.com; tel:+91 98450 12345',
    'Temp 38½ °C, H₂O, 10⁹/L, №5, ﬁrst',
    'He said: `no`, \\ and #1 ~ 5% … 3/4 tablets &amp; rest',
    'data: none. www is down. http: not yet',
    'ශ්‍රීමතී, ന്‍, ক্‌ষ, ಕ್‌ಷ, می‌خواهم, 👨‍👩‍👧',
  ])('%s', (text) => {
    expect(oneLine(text)).toBe(text)
    expect(plainText(text, 200)).toBe(text)
  })
})

test.each([
  ['See https://evil.example/x?y=1 now', 'See now'],
  ['See www.evil.example. Now', 'See Now'],
  ['a HTTPS://evil.example b', 'a b'],
  ['ht\u202Etps://evil.example b', 'b'],
  ['[Click](https://evil.example) here', '[Click]( here'],
])('addresses do not: %s', (text, plain) => {
  expect(plainText(text, 200)).toBe(plain)
})

test.each([
  ['a\u202Eb\u2066c', 'abc'],
  ['a\u0000b\u001Fc\u0085d', 'a b c d'],
  ['a\r\n\u2028b\t c ', 'a b c'],
  ['half \uD83D pair', 'half \uFFFD pair'],
])('nor do characters that no text may have: %j', (text, line) => {
  expect(oneLine(text)).toBe(line)
})

test.each([
  ['one two three four', 12, 'one two…'],
  ['Donaudampfschiff fährt', 12, 'Donaudampfs…'],
  ['👨‍👩‍👧👨‍👩‍👧', 10, '👨‍👩‍👧…'],
  ['ശ്രീമതിശ്രീമതി', 9, 'ശ്രീമതി…'],
])('a long text ends between what people see as characters: %s', (text, longest, short) => {
  expect(plainText(text, longest)).toBe(short)
})

test('a name or number that somebody pastes loses the marks that nobody sees, and keeps its joiners', () => {
  expect(lineInput.parse(' \u202D+91 98450 12345\u202C ')).toBe('+91 98450 12345')
  expect(lineInput.parse('\u2067ශ්‍රීමතී\u2069')).toBe('ශ්‍රීමතී')
  expect(lineInput.safeParse('\u202A\u202C').success).toBe(false)
})
