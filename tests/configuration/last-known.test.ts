import { expect, test } from 'vitest'
import { configurationChanged } from '../../src/features/configuration/create-configuration.ts'
import { withLastKnown } from '../../src/features/configuration/last-known.ts'
import { createLog } from '../../src/kernel/log.ts'
import { createInProcessNotifications } from '../../src/providers/notifications/in-process.ts'
import type { Configuration } from '../../src/ports/configuration/configuration.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'

const withManager = (manager: string) => fixedConfiguration({ platform: { roles: { manager } } })

test('values that were changed are not returned for those that a slow store still has to read', async () => {
  const notifications = createInProcessNotifications({ log: createLog('silent') })
  let stored = withManager('Admin')
  let answered = Promise.resolve()
  const configuration: Configuration = {
    async read(workspaceId, section) {
      const then = stored
      await answered
      return then.read(workspaceId, section)
    },
  }
  const lastKnown = withLastKnown(configuration, { notifications, withFallback: async (_step, otherwise) => otherwise })
  const manager = async () => (await lastKnown.read('w1', 'platform')).roles.manager
  const change = async (to: string) => {
    stored = withManager(to)
    await notifications.publish({ topic: configurationChanged, workspaceId: 'w1', payload: 'w1/platform' })
  }
  expect(await manager()).toBe('Admin')
  stored = withManager('Another')
  expect(await manager()).toBe('Admin')
  await change('Boss')
  expect(await manager()).toBe('Boss')

  // What was read before a change and arrives after it is not remembered.
  const slow = Promise.withResolvers<void>()
  answered = slow.promise
  await change('Chief')
  const late = manager()
  await change('Head')
  slow.resolve()
  expect(await late).toBe('Chief')
  expect(await manager()).toBe('Head')
})
