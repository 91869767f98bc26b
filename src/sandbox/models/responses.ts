import type { StandInAnswer } from '../stand-in.ts'
import { brokenInside, paced, piecesOf, type Saying } from './chat-completions.ts'
import type { Reply } from './reply.ts'

/** The answer of `/v1/responses`. */
export function responsesAnswer(saying: Saying): StandInAnswer {
  if (!saying.ask.stream) return { body: response(saying, endOf(saying)) }
  const error = { type: 'error', sequence_number: saying.broken?.after ?? 0, error: brokenInside }
  const broken = `event: error\ndata: ${JSON.stringify(error)}\n\n`
  return { headers: { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' }, body: paced(events(saying), saying, broken) }
}

function endOf({ reply }: Saying): 'completed' | 'incomplete' {
  return reply.ended === undefined ? 'completed' : 'incomplete'
}

const whyIncomplete = { length: 'max_output_tokens', content_filter: 'content_filter' } as const

function response(saying: Saying, status: 'in_progress' | 'completed' | 'incomplete') {
  const { ask, tokens, id, reply } = saying
  const done = status !== 'in_progress'
  return {
    id,
    object: 'response',
    created_at: Math.floor(saying.createdAt / 1000),
    status,
    error: null,
    incomplete_details: done && reply.ended !== undefined ? { reason: whyIncomplete[reply.ended] } : null,
    model: ask.model,
    output: done ? outputOf(saying.reply, id) : [],
    usage: done
      ? {
          input_tokens: tokens.input,
          input_tokens_details: { cached_tokens: 0 },
          output_tokens: tokens.output,
          output_tokens_details: { reasoning_tokens: 0 },
          total_tokens: tokens.input + tokens.output,
        }
      : null,
  }
}

function outputOf(reply: Reply, id: string): readonly Readonly<Record<string, unknown>>[] {
  const calls = reply.toolCalls.map((call) => functionCall(call, id, call.arguments))
  return calls.length > 0 ? calls : [message(id, 'completed', [textPart(reply.text)])]
}

function functionCall(call: Reply['toolCalls'][number], id: string, input: string) {
  return { id: `fc_${id}_${call.id}`, type: 'function_call', status: 'completed', call_id: call.id, name: call.name, arguments: input }
}

function message(id: string, status: string, content: readonly unknown[]) {
  return { id: `msg_${id}`, type: 'message', status, role: 'assistant', content }
}

function textPart(text: string) {
  return { type: 'output_text', text, annotations: [], logprobs: [] }
}

type WireEvent = { readonly type: string; readonly [name: string]: unknown }

function* events(saying: Saying): Generator<string> {
  let number = 0
  for (const event of eventBodies(saying)) {
    yield `event: ${event.type}\ndata: ${JSON.stringify({ ...event, sequence_number: number })}\n\n`
    number += 1
  }
}

function* eventBodies(saying: Saying): Generator<WireEvent> {
  yield { type: 'response.created', response: response(saying, 'in_progress') }
  yield { type: 'response.in_progress', response: response(saying, 'in_progress') }
  yield* saying.reply.toolCalls.length > 0 ? callEvents(saying) : textEvents(saying)
  yield { type: `response.${endOf(saying)}`, response: response(saying, endOf(saying)) }
}

function* callEvents({ reply, id }: Saying): Generator<WireEvent> {
  for (const [index, call] of reply.toolCalls.entries()) {
    const item = functionCall(call, id, '')
    const place = { item_id: item.id, output_index: index }
    yield { type: 'response.output_item.added', output_index: index, item: { ...item, status: 'in_progress' } }
    for (const delta of piecesOf(call.arguments)) yield { type: 'response.function_call_arguments.delta', ...place, delta }
    yield { type: 'response.function_call_arguments.done', ...place, arguments: call.arguments }
    yield { type: 'response.output_item.done', output_index: index, item: functionCall(call, id, call.arguments) }
  }
}

function* textEvents({ reply, id }: Saying): Generator<WireEvent> {
  const place = { item_id: `msg_${id}`, output_index: 0, content_index: 0 }
  yield { type: 'response.output_item.added', output_index: 0, item: message(id, 'in_progress', []) }
  yield { type: 'response.content_part.added', ...place, part: textPart('') }
  for (const delta of piecesOf(reply.text)) yield { type: 'response.output_text.delta', ...place, delta, logprobs: [] }
  yield { type: 'response.output_text.done', ...place, text: reply.text, logprobs: [] }
  yield { type: 'response.content_part.done', ...place, part: textPart(reply.text) }
  yield { type: 'response.output_item.done', output_index: 0, item: message(id, 'completed', [textPart(reply.text)]) }
}
