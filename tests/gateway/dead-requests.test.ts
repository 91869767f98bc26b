import { Pool } from 'undici'
import { expect, test } from 'vitest'
import { requestPlatform } from '../../src/server/graphql/stitching/platform-request.ts'
import { sendJson, startUpstream } from '../harness/upstream.ts'

test('a request that has ended before it is sent costs no connection', async () => {
  const connections: unknown[] = []
  await using platform = await startUpstream((_seen, response, { socket }) => {
    connections.push(socket)
    sendJson(response, {})
  })
  const pool = new Pool(platform.url, { connections: 1 })
  const send = (signal: AbortSignal) =>
    requestPlatform(pool, { path: '/', headers: {}, body: '{}', signal, deadlineMs: 5_000, onStatus: () => {} })
  const leaves = new AbortController()
  const { signal } = new AbortController()
  await send(signal)
  // It has the connection while the other waits for its turn.
  const [first, left] = [send(signal), send(leaves.signal)]
  leaves.abort(new Error('left'))
  await expect(left).rejects.toThrow('left')
  await first
  await send(signal)
  await expect(send(leaves.signal)).rejects.toThrow('left')
  await send(signal)
  expect(connections).toHaveLength(4)
  expect(new Set(connections).size).toBe(1)
  await pool.close()
})
