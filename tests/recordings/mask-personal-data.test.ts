import { describe, expect, test } from 'vitest'
import { maskPersonalData } from '../../src/features/recordings/mask-personal-data.ts'

const masked = (...lines: readonly string[]): string => maskPersonalData(lines).join(' / ')

describe('masks', () => {
  test.each([
    ['a card', 'It is 4111 1111 1111 1111, thanks', 'It is •••• •••• •••• ••••, thanks'],
    ['a card with dashes', '4111-1111-1111-1111', '••••-••••-••••-••••'],
    ['a phone number', 'call +91 98200 98200', 'call +•• ••••• •••••'],
    ['a long reference', 'reference 20250117', 'reference ••••••••'],
    ['digits of another script', 'नंबर ९८२००९८२०० है', 'नंबर •••••••••• है'],
    ['an e-mail address', 'write to anita.d+x@mail.example.com please', 'write to [e-mail] please'],
    ['an e-mail address read out', 'my mail is kiran dot d at example dot com okay', 'my mail is [e-mail] okay'],
    ['a card read out', 'four one one one, one one one one, one one one one, one one one one.', '• • • •, • • • •, • • • •, • • • •.'],
    ['a number read out with doubles', 'nine eight double two three four five six', '• • • • • • • •'],
    ['a number read out in Hindi', 'नौ आठ सात छह पाँच चार तीन दो', '• • • • • • • •'],
  ])('%s', (_what, text, expected) => {
    expect(masked(text)).toBe(expected)
  })

  test('a number that continues on the next line', () => {
    expect(masked('my card is 4111 1111', '1111 1111 that is it')).toBe('my card is •••• •••• / •••• •••• that is it')
  })
})

test.each([
  'The fee is 80,000 rupees.',
  'On Thursday at 10:30.',
  'ten thirty on the fifteenth, one or two days',
  'bill number four four one nine',
  'I am at home',
  'Doctor Rao at two',
])('left as it is: %s', (text) => {
  expect(masked(text)).toBe(text)
})

test('keeps the number of lines, also if a line has a line break', () => {
  expect(maskPersonalData(['a\nb', '', 'c'])).toEqual(['a b', '', 'c'])
})
