import { expect, test, vi } from 'vitest'
import { ownAddress } from '../../src/commands/own-address.ts'

test.each([
  ['', '', 'http://127.0.0.1:4100'],
  ['0.0.0.0', '5000', 'http://127.0.0.1:5000'],
  ['::', '', 'http://127.0.0.1:4100'],
  ['10.0.0.5', '', 'http://10.0.0.5:4100'],
  ['fd00::1', '', 'http://[fd00::1]:4100'],
])('with HOST=%s and PORT=%s, commands ask %s', (host, port, address) => {
  vi.stubEnv('HOST', host)
  vi.stubEnv('PORT', port)
  expect(ownAddress()).toBe(address)
  vi.unstubAllEnvs()
})
