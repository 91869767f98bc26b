import { expect, test } from 'vitest'
import { secondsOf } from '../../src/providers/telephony/ozonetel/wire.ts'

test('a duration that no call has is none, so that no time outside of the calendar comes of it', () => {
  expect(['01:02:03', '24:00:00', '24:00:01', '9999999999999:00:00', '-1:00:00', 'x'].map(secondsOf)).toEqual([3_723, 86_400, 0, 0, 0, 0])
})
