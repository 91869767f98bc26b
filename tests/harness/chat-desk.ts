import { randomUUID } from 'node:crypto'
import { parseJsonEventStream, readUIMessageStream, type UIMessage, type UIMessageChunk, uiMessageChunkSchema } from 'ai'
import { z } from 'zod'
import type { TestApp } from './app.ts'
import { site, type WidgetDesk } from './widget-desk.ts'

export type AskOptions = {
  readonly messageId?: string
  readonly key?: string
  readonly address?: string
  readonly signal?: AbortSignal
}

/** A reply as the AI SDK's own reader understands it. */
export type ReadReply = {
  readonly status: number
  readonly headers: Headers
  readonly chunks: readonly UIMessageChunk[]
  /** The message that the chunks make; null if there was none. */
  readonly message: UIMessage | null
  readonly text: string
  /** What was answered in place of a stream. */
  readonly problem: unknown
}

/** A visitor’s conversation with the assistant. */
export type ChatDesk = {
  readonly conversationId: string
  /** Sends a message and reads the whole reply; every chunk is held against the AI SDK's schema. */
  say(text: string, options?: AskOptions): Promise<ReadReply>
  /** Sends a message and leaves the reading to the test. */
  send(text: string, options?: AskOptions): Promise<Response>
  /** The stored messages. */
  history(key?: string): Promise<readonly UIMessage[]>
}

export function createChatDesk({ app, key: ownKey }: Pick<WidgetDesk, 'app' | 'key'>, conversationId: string = randomUUID()): ChatDesk {
  const headersOf = ({ key = ownKey, address = '203.0.113.7' }: AskOptions): Record<string, string> => ({
    'x-widget-key': key,
    origin: site,
    'x-forwarded-for': address,
  })
  const send: ChatDesk['send'] = (text, options = {}) =>
    fetch(`${app.url}/api/widget/chat`, {
      method: 'POST',
      headers: { ...headersOf(options), 'content-type': 'application/json' },
      body: JSON.stringify({
        id: conversationId,
        message: { id: options.messageId ?? randomUUID(), role: 'user', parts: [{ type: 'text', text }] },
      }),
      ...(options.signal ? { signal: options.signal } : {}),
    })
  return {
    conversationId,
    send,
    async say(text, options) {
      const response = await send(text, options)
      if (!response.ok) {
        return { status: response.status, headers: response.headers, chunks: [], message: null, text: '', problem: await response.json() }
      }
      return readReply(response)
    },
    async history(key = ownKey) {
      const { body } = await (app satisfies TestApp).rest('GET', `/api/widget/chat/${conversationId}`, { headers: headersOf({ key }) })
      return z.object({ messages: z.array(z.custom<UIMessage>()) }).parse(body).messages
    },
  }
}

async function readReply(response: Response): Promise<ReadReply> {
  if (!response.body) throw new Error('an answer without a body')
  const parsed = parseJsonEventStream({ stream: response.body, schema: uiMessageChunkSchema })
  const chunks: UIMessageChunk[] = []
  for await (const result of parsed) {
    if (!result.success) throw result.error
    chunks.push(result.value)
  }
  const message = await messageOf(chunks)
  const text = (message?.parts ?? []).map((part) => (part.type === 'text' ? part.text : '')).join('')
  return { status: response.status, headers: response.headers, chunks, message, text, problem: null }
}

async function messageOf(chunks: readonly UIMessageChunk[]): Promise<UIMessage | null> {
  const stream = new ReadableStream<UIMessageChunk>({
    start(controller) {
      for (const chunk of chunks) if (chunk.type !== 'error') controller.enqueue(chunk)
      controller.close()
    },
  })
  let last: UIMessage | null = null
  for await (const message of readUIMessageStream({ stream, terminateOnError: true })) last = message
  return last
}
