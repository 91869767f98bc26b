import { expect, test } from 'vitest'
import { createLiveStream } from '../src/calls/live-stream.ts'
import { createLog } from '../src/kernel/log.ts'
import { createLocalNotices } from '../src/providers/notices/local.ts'

function open({ isOver = async () => false }: { isOver?: () => Promise<boolean> } = {}) {
  const notices = createLocalNotices({ log: createLog('silent') })
  const leaving = new AbortController()
  const end = { signal: leaving.signal, isOver }
  const stream = createLiveStream({ notices, topic: 'call.changed', workspaceId: 'w1', end })
  const tell = (payload: string, workspaceId = 'w1') => notices.publish({ topic: 'call.changed', workspaceId, payload })
  return { stream, tell, leave: () => leaving.abort() }
}

test('what stands comes first, another workspace never, and what changes twice before it is read comes once', async () => {
  const { stream, tell, leave } = open()
  const keys = stream(async () => ['standing'])
  expect((await keys.next()).value).toEqual({ key: 'standing', isFirst: true })
  await tell('elsewhere', 'w2')
  for (const key of ['a', 'b', 'a', 'a']) await tell(key)
  expect((await keys.next()).value).toEqual({ key: 'a', isFirst: false })
  expect((await keys.next()).value).toEqual({ key: 'b', isFirst: false })
  const waiting = keys.next()
  leave()
  expect((await waiting).done).toBe(true)
})

test('a reader that is too far behind is dropped', async () => {
  const { stream, tell } = open()
  const keys = stream(async () => ['standing'])
  await keys.next()
  for (let number = 0; number < 600; number += 1) await tell(String(number))
  await expect(keys.next()).rejects.toMatchObject({ reason: 'OVERLOADED' })
})
