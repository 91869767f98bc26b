import { IncomingMessage } from 'node:http'
import { Socket } from 'node:net'
import { expect, test, vi } from 'vitest'
import { CircuitBreaker } from '../../src/kernel/circuit-breaker.ts'
import { createLog } from '../../src/kernel/log.ts'
import type { AnswerHandler } from '../../src/server/graphql/upstream.ts'
import { readAnswer } from '../../src/server/graphql/whole-answer.ts'
import { HttpContext } from '../../src/server/http/http-context.ts'
import { TimedResponse } from '../../src/server/http/timed-response.ts'

test('a context that lasts, as that of a web socket, keeps nothing of the answers that it has had', async () => {
  const request = new IncomingMessage(new Socket())
  const host = { log: createLog('silent'), addressOf: () => '192.0.2.1' }
  const ctx = new HttpContext(request, new TimedResponse(request), { host, deadlineMs: Number.POSITIVE_INFINITY })
  const aborts: { readonly mock: { readonly calls: readonly unknown[] } }[] = []
  const begun: AnswerHandler[] = []
  const upstream = {
    figures: { inFlight: 0, sent: 0 },
    breaker: new CircuitBreaker({ party: 'platform', who: 'The platform', workspaceId: null }),
    dispatch(_request: unknown, handler: AnswerHandler) {
      aborts.push(vi.spyOn(handler, 'abort'))
      begun.push(handler)
    },
    close: async () => {},
  }
  const answers = ['/a', '/b'].map((path) => readAnswer(upstream, { path, headers: [], body: '' }, ctx))
  begun[0]?.onResponseEnd()
  await answers[0]
  ctx.abort('CLIENT_LEFT')
  expect(aborts.map(({ mock }) => mock.calls.length > 0)).toEqual([false, true])
})
