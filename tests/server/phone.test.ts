import { expect, test } from 'vitest'
import { type CountryCode, dialledDigits, reportedToE164, toE164 } from '../../src/kernel/phone.ts'

const patient = '+919876543210'

test.each<readonly [written: string, home: CountryCode, read: string | null]>([
  // As it should be written, and as people write it.
  ['9876543210', 'IN', patient],
  ['+91 98765-43210', 'IN', patient],
  ['(098765) 43210', 'IN', patient],
  ['०९८७६५ ४३२१०', 'IN', patient],
  ['\u2066+91\u200B98765/43210\u2069', 'IN', patient],
  ['tel:+91-98765-43210', 'IN', patient],
  // With a wrong prefix.
  ['+09876543210', 'IN', patient],
  ['0919876543210', 'IN', patient],
  ['00919876543210', 'IN', patient],
  ['000919876543210', 'IN', patient],
  ['+00919876543210', 'IN', patient],
  ['91 09876543210', 'IN', patient],
  ['+91 0 98765 43210', 'IN', patient],
  ['+91 0091 9876543210', 'IN', patient],
  ['+91 +91 9876543210', 'IN', patient],
  ['9191 9876543210', 'IN', patient],
  ['091-91-9876543210', 'IN', patient],
  ['+9876543210', 'IN', patient],
  ['009876543210', 'IN', patient],
  ['+02226543210', 'IN', '+912226543210'],
  ['0910222654 3210', 'IN', '+912226543210'],
  ['+0301234567', 'DE', '+49301234567'],
  ['+0390612345678', 'IT', '+390612345678'],
  ['+0501234567', 'AE', '+971501234567'],
  ['0971501234567', 'AE', '+971501234567'],
  // Of another country.
  ['14155552671', 'IN', '+14155552671'],
  ['1 (415) 555-2671', 'IN', '+14155552671'],
  ['0014155552671', 'IN', '+14155552671'],
  ['+0014155552671', 'IN', '+14155552671'],
  ['014155552671', 'IN', '+14155552671'],
  ['971501234567', 'IN', '+971501234567'],
  ['442079460958', 'IN', '+442079460958'],
  ['85291234567', 'IN', '+85291234567'],
  ['9779812345678', 'IN', '+9779812345678'],
  ['8801712345678', 'IN', '+8801712345678'],
  ['94771234567', 'IN', '+94771234567'],
  ['919876543210', 'AE', patient],
  ['919876543210', 'US', patient],
  // At home if it can be.
  ['6591234567', 'IN', '+916591234567'],
  ['4155552671', 'US', '+14155552671'],
  ['1800 123 4567', 'IN', '+9118001234567'],
  // No whole number, or more than one.
  ['5232', 'IN', null],
  ['26543210', 'IN', null],
  ['026543210', 'IN', null],
  ['29022158', 'IN', null],
  ['43123456', 'IN', null],
  ['987654321', 'IN', null],
  ['+91 5232', 'IN', null],
  ['91', 'IN', null],
  ['0000000000', 'IN', null],
  ['91919191', 'IN', null],
  ['9876543210, 9812345678', 'IN', null],
  ['9.19876E+11', 'IN', null],
  ['9'.repeat(40), 'IN', null],
  ['+266696687', 'IN', null],
  ['anonymous', 'IN', null],
  ['', 'IN', null],
  ['4699594866', 'IN', null],
  ['6591234567', 'AE', null],
])('reads %s at home in %s as %s', (written, home, read) => {
  expect(reportedToE164(written, home)).toBe(read)
})

test('a mistyped number is refused: it is not taken abroad', () => {
  expect(['79981234567', '81234567890', '99876543210', '14155552671'].map((typed) => toE164(typed, 'IN'))).toEqual([null, null, null, null])
  expect(['+14155552671', '0014155552671', '09876543210'].map((typed) => toE164(typed, 'IN'))).toEqual([
    '+14155552671',
    '+14155552671',
    patient,
  ])
  expect(toE164('919876543210', undefined)).toBe(patient)
})

test('a number of thousands of digits is read at once', () => {
  expect(reportedToE164('91'.repeat(100_000), 'IN')).toBeNull()
})

test.each([
  ['"Ward 7" <5232>', '5232'],
  ['26543210 ext 5', '26543210'],
  ['+91 98765-43210, +91 98123 45678', '919876543210'],
  ['9876543210.0', '9876543210'],
  ['*123#', '*123#'],
  ['anonymous', ''],
])('dials of %s the part that has the most digits: %s', (text, digits) => {
  expect(dialledDigits(text)).toBe(digits)
})
