import { setTimeout as delay } from 'node:timers/promises'
import type { StandInAnswer } from '../stand-in.ts'
import type { ModelAsk } from './ask.ts'
import type { Reply } from './reply.ts'

/** A stream that ends after so many pieces, with the vendor's error or cut off. */
export type Break = { readonly after: number; readonly how: 'error' | 'cut' }

export type Saying = {
  readonly ask: ModelAsk
  readonly reply: Reply
  readonly id: string
  readonly createdAt: number
  readonly tokens: { readonly input: number; readonly output: number }
  /** Between the pieces of a stream. */
  readonly tokenDelayMs: number
  readonly broken: Break | null
}

/** Words with the spaces before them, as a model hands them out. */
export function piecesOf(text: string): readonly string[] {
  return text.match(/\s*\S+|\s+$/g) ?? []
}

/** The pieces of a stream at its pace, or the first of them and then `error` or nothing more. */
export async function* paced(events: Iterable<string>, { tokenDelayMs, broken }: Saying, error: string): AsyncGenerator<string> {
  let count = 0
  for (const event of events) {
    if (broken !== null && count >= broken.after) {
      if (broken.how === 'cut') throw new Error('cut off')
      yield error
      return
    }
    if (tokenDelayMs > 0) await delay(tokenDelayMs)
    yield event
    count += 1
  }
}

export const brokenInside = {
  message: 'The server had an error while processing your request. Sorry about that!',
  type: 'server_error',
  param: null,
  code: 'server_error',
}

/** The answer of `/v1/chat/completions`. */
export function chatAnswer(saying: Saying): StandInAnswer {
  const { ask, reply, id } = saying
  const usage = usageOf(saying)
  if (ask.stream) {
    return {
      headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' },
      body: paced(chunks(saying), saying, `data: ${JSON.stringify({ error: brokenInside })}\n\n`),
    }
  }
  const message = {
    role: 'assistant',
    content: reply.toolCalls.length > 0 ? null : reply.text,
    refusal: null,
    ...(reply.toolCalls.length > 0 ? { tool_calls: reply.toolCalls.map(wireToolCall) } : {}),
  }
  const choice = { index: 0, message, logprobs: null, finish_reason: finishOf(reply) }
  return { body: { id, object: 'chat.completion', created: seconds(saying), model: ask.model, choices: [choice], usage } }
}

function* chunks(saying: Saying): Generator<string> {
  const { ask, reply, id } = saying
  const chunk = (choices: readonly unknown[], usage?: unknown): string => {
    const body = { id, object: 'chat.completion.chunk', created: seconds(saying), model: ask.model, choices, ...(usage ? { usage } : {}) }
    return `data: ${JSON.stringify(body)}\n\n`
  }
  const delta = (part: unknown, finish: string | null = null): string =>
    chunk([{ index: 0, delta: part, logprobs: null, finish_reason: finish }])
  yield delta({ role: 'assistant', content: '', refusal: null })
  for (const [index, call] of reply.toolCalls.entries()) {
    yield delta({ tool_calls: [{ index, ...wireToolCall({ ...call, arguments: '' }) }] })
    for (const piece of piecesOf(call.arguments)) yield delta({ tool_calls: [{ index, function: { arguments: piece } }] })
  }
  for (const piece of piecesOf(reply.text)) yield delta({ content: piece })
  yield delta({}, finishOf(reply))
  if (ask.wantsUsage) yield chunk([], usageOf(saying))
  yield 'data: [DONE]\n\n'
}

function wireToolCall(call: Reply['toolCalls'][number]) {
  return { id: call.id, type: 'function', function: { name: call.name, arguments: call.arguments } }
}

function finishOf(reply: Reply): string {
  return reply.ended ?? (reply.toolCalls.length > 0 ? 'tool_calls' : 'stop')
}

function usageOf({ tokens }: Saying) {
  return { prompt_tokens: tokens.input, completion_tokens: tokens.output, total_tokens: tokens.input + tokens.output }
}

function seconds({ createdAt }: Saying): number {
  return Math.floor(createdAt / 1000)
}
