import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type ConsoleStage, openConsoleStage } from '../harness/console.ts'
import { fill, screensWithoutMarkup } from '../harness/markup-screens.ts'
import { realServer } from '../harness/real-server.ts'

const chromium = await realServer('chromium')
let stage: ConsoleStage
beforeAll(async () => {
  if (!chromium) return
  stage = await openConsoleStage(chromium.binary, { withDemo: true })
  await fill(stage, await stage.app.signIn('manager@demo.example'))
})
afterAll(() => stage?.[Symbol.asyncDispose]())

describe.skipIf(chromium === null)('markup in every text', () => {
  test('is shown as it is on every screen of the administration: no script runs, no element comes of it', async () => {
    const screens = [
      '/administration',
      '/administration/setup',
      '/administration/configuration',
      ...['platform', 'telephony', 'ai', 'widget', 'theme', 'alerts'].flatMap((section) => [
        `/administration/configuration/${section}`,
        `/administration/configuration/${section}/history`,
      ]),
      '/administration/team',
      '/administration/widget',
      '/administration/webhooks',
      '/administration/dead-letters',
      '/administration/audit',
      '/administration/health',
    ]
    expect(await screensWithoutMarkup(stage, screens)).toEqual([])
  })
})
