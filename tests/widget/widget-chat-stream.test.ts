import { once } from 'node:events'
import { connect } from 'node:net'
import { expect, test } from 'vitest'
import { createLog } from '../../src/kernel/log.ts'
import { problemHandler } from '../../src/server/http/routes.ts'
import { createHttpServer } from '../../src/server/http/http-server.ts'
import { sendReply } from '../../src/server/widget/chat-stream.ts'
import type { ReplyPart } from '../../src/features/widget/chat/reply-parts.ts'
import type { HttpContext } from '../../src/server/http/http-context.ts'
import { waitFor } from '../harness/wait-for.ts'

type EndlessOptions = { readonly deadlineMs?: number; readonly before?: (ctx: HttpContext) => Promise<unknown> }

/** A handler that sends an endless reply, and how much it has produced so far. `before`: what the handler does before it sends the reply. */
async function startEndless({ deadlineMs = 30_000, before = async () => null }: EndlessOptions = {}) {
  const made = { parts: 0, isClosed: false }
  async function* endless(): AsyncGenerator<ReplyPart> {
    try {
      yield { type: 'began', replyId: 'r' }
      for (;;) {
        made.parts += 1
        yield { type: 'text', text: 'word '.repeat(200) }
      }
    } finally {
      made.isClosed = true
    }
  }
  const server = await createHttpServer({
    host: '127.0.0.1',
    port: 0,
    trustProxy: [],
    log: createLog('silent'),
    health: {},
    deadlineMs,
    handlers: {
      '/chat': problemHandler(async (ctx) => {
        await before(ctx)
        await sendReply(ctx, endless())
      }),
    },
  })
  return { port: server.port, made, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() }
}

test('a slow reader slows the model down, and leaving ends the reply', async () => {
  await using endless = await startEndless()
  const { made } = endless
  const socket = connect(endless.port, '127.0.0.1')
  socket.pause()
  await once(socket, 'connect')
  socket.write('GET /chat HTTP/1.1\r\nhost: x\r\n\r\n')
  const stood = await waitFor(async () => {
    const before = made.parts
    await new Promise((resolve) => setTimeout(resolve, 200))
    return before > 0 && before === made.parts && before
  })
  // What fits into the buffers of two sockets: some megabytes, of a stream without end.
  expect(stood * 1_000).toBeLessThan(16_000_000)
  socket.resume()
  await waitFor(() => made.parts > stood + 1_000)
  expect(made.isClosed).toBe(false)
  socket.destroy()
  expect(await waitFor(() => made.isClosed)).toBe(true)
})

test('a reply that is ready only after the deadline of its request is ended, so that it releases its lease', async () => {
  await using endless = await startEndless({ deadlineMs: 50, before: (ctx) => waitFor(() => ctx.aborted !== null) })
  expect((await fetch(`http://127.0.0.1:${endless.port}/chat`)).status).toBe(504)
  expect(await waitFor(() => endless.made.isClosed)).toBe(true)
})
