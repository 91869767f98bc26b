import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { platformSection } from '../../src/ports/configuration/platform.ts'
import { objectNames } from '../../src/server/graphql/stitching/object-names.ts'
import { createRunningOperations } from '../../src/server/graphql/stitching/running-operations.ts'
import { createWorkerLoad } from '../../src/server/graphql/stitching/worker-load.ts'
import { HttpContext } from '../../src/server/http/http-context.ts'
import { createRequestContext } from '../../src/server/http/request-context.ts'
import { TimedResponse } from '../../src/server/http/timed-response.ts'

const log = createLog('silent')
const operation = {
  source: '{ __typename }',
  operationName: null,
  variables: null,
  workspaceId: 'w',
  accessToken: 'token',
  requestId: 'r',
  objects: objectNames(platformSection.parse({})),
  introspects: false,
  wantsSdl: false,
}

test('when the thread of the schemas dies, operations that wait for their turn fail with the others, and none goes to the next thread', () => {
  const posted: string[] = []
  const failed: number[] = []
  const load = createWorkerLoad(25, log)
  const worker = { post: ({ type }: { type: string }) => void posted.push(type), stopWhenIdle: () => {}, stop: async () => {} }
  const operations = createRunningOperations(() => worker, load)
  const begin = (number: number): void => {
    const request = new IncomingMessage(new Socket())
    const host = { log, addressOf: () => '192.0.2.1' }
    const ctx = new HttpContext(request, new TimedResponse(request), { host, deadlineMs: Number.POSITIVE_INFINITY })
    const context = createRequestContext(ctx, () => Promise.reject(new Error('nobody')))
    operations.begin(operation, {
      ctx,
      context,
      addedContext: context,
      owner: { workspaceId: 'w', memberId: 'm' },
      kind: 'operation',
      onAnswer: () => {},
      onEnd: () => {},
      onFailure: () => void failed.push(number),
    })
  }
  for (let number = 0; number < 8; number += 1) begin(number)
  load.check({ delayMs: 20, utilization: 1 })
  for (let number = 8; number < 12; number += 1) begin(number)
  expect(posted).toHaveLength(8)
  operations.failAll()
  expect(posted).toHaveLength(8)
  expect(failed.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 12 }, (_, number) => number))
})
