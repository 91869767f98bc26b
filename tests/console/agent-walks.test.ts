import { expect, test } from 'vitest'
import { walkAsAgent } from '../harness/agent-walks/walk.ts'
import { realServer } from '../harness/real-server.ts'

const chromium = await realServer('chromium')

// Two of the 200 of `npm run prove:console -- walks`.
test.skipIf(chromium === null)(
  'an agent with two devices loses no note and no session, and sees what is true, whatever happens',
  async () => {
    expect(await walkAsAgent(chromium?.binary ?? '', { count: 2, seed: 232 })).toBeGreaterThan(0)
  },
)
