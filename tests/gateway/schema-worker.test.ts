import { expect, onTestFinished, test, vi } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import type { FromWorker, ToWorker } from '../../src/server/graphql/stitching/messages.ts'
import { type ObjectNames, objectNames } from '../../src/server/graphql/stitching/object-names.ts'
import { createSchemaWorker } from '../../src/server/graphql/stitching/schema-worker.ts'
import { fixedConfiguration } from '../harness/fixed-configuration.ts'

const endpoint = 'http://127.0.0.1:9/graphql'
const settings = {
  endpoints: { records: endpoint, metadata: endpoint },
  contract: 'type Query { greeting: String }',
  maxSchemas: 1,
  refreshMs: 60_000,
  rereadMs: 0,
  deadlineMs: 5_000,
  directory: null,
}
const operation = (id: number, objects: ObjectNames): ToWorker => ({
  type: 'execute',
  id,
  isTraced: false,
  source: '',
  operationName: null,
  variables: null,
  workspaceId: 'w1',
  accessToken: 'token',
  requestId: `r${id}`,
  objects,
  introspects: false,
  wantsSdl: true,
})

test('an operation that comes while an idle thread ends is answered, by a new thread', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  const answers = [Promise.withResolvers<FromWorker>(), Promise.withResolvers<FromWorker>()]
  let exits = 0
  const worker = createSchemaWorker({
    settings,
    log: createLog('silent'),
    onMessage: (message) => void ('id' in message && message.type === 'failed' && answers[message.id]?.resolve(message)),
    onExit: () => {
      exits += 1
      answers[1]?.reject(new Error('the operation was failed'))
    },
  })
  const objects = objectNames(await fixedConfiguration().read('w1', 'platform'))
  worker.post(operation(0, objects))
  expect(await answers[0]?.promise).toMatchObject({ id: 0, reason: 'PROVIDER_UNAVAILABLE' })
  worker.stopWhenIdle()
  vi.advanceTimersByTime(15 * 60_000)
  worker.post(operation(1, objects))
  expect(await answers[1]?.promise).toMatchObject({ id: 1, reason: 'PROVIDER_UNAVAILABLE' })
  expect(exits).toBe(0)
  await worker.stop()
})
