import { expect, test } from 'vitest'
import { otherParty } from '../../src/providers/telephony/other-party.ts'

test.each<readonly [reported: string, phoneNumber: string | null, dialledNumber: string | null]>([
  ['09876543210', '+919876543210', '09876543210'],
  ['  +91\u202E 98765\u200B43210\u0000 ', '+919876543210', '+91 98765\u200B43210'],
  ['sip:+919876543210@10.0.0.1', '+919876543210', '+919876543210'],
  ['"Ramesh" <sip:09876543210@pbx.example;user=phone>', '+919876543210', '09876543210'],
  ['tel:+91-98765-43210;ext=5', '+919876543210', '+91-98765-43210'],
  ['5232@192.168.1.5', null, '5232'],
  ['५२३२', null, '५२३२'],
  ['5232', null, '5232'],
  ['2654 3210', null, '2654 3210'],
  ['*5232#', null, '*5232#'],
  ['9.19876E+11', null, '9.19876E+11'],
  ['0', null, null],
  ['+910000000000', null, null],
  ['1000', null, '1000'],
  ['100000', null, '100000'],
  ['7'.repeat(100_000), null, '7'.repeat(40)],
  ['anonymous', null, null],
  ['sip:anonymous@192.168.1.5', null, null],
  ['anonymous@10.0.0.1', null, null],
  ['None', null, null],
  ['Private Number', null, null],
  ['+*#', null, null],
  ['\u202E', null, null],
  ['', null, null],
])('reads %j', (reported, phoneNumber, dialledNumber) => {
  expect(otherParty(reported, 'IN')).toEqual({ phoneNumber, dialledNumber })
})
