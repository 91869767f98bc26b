import { expect, test } from 'vitest'
import { z } from 'zod'
import { type ConversationPart, conversationTool } from '../../src/ports/conversation.ts'
import { createLanguageModel } from '../../src/providers/models/language-model.ts'
import { type StandIn, type StandInAnswer, startStandIn } from '../../src/sandbox/stand-in.ts'

// Conversations over the streams of the two vendors that the sandbox does not imitate, as documented.
type Wire = {
  readonly provider: 'anthropic' | 'google'
  readonly path: string
  readonly asksForTool: string
  readonly says: string
  /** The tool's output in the second request. */
  readonly toolMessage: object
}

const event = (body: { readonly type: string }): string => `event: ${body.type}\ndata: ${JSON.stringify(body)}\n\n`

function anthropicStream(block: object, deltas: readonly object[], stopReason: string): string {
  const message = {
    id: 'msg_1',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'claude-x',
    stop_reason: null,
    stop_sequence: null,
  }
  const events = [
    { type: 'message_start', message: { ...message, usage: { input_tokens: 25, output_tokens: 1 } } },
    { type: 'content_block_start', index: 0, content_block: block },
    { type: 'ping' },
    ...deltas.map((delta) => ({ type: 'content_block_delta', index: 0, delta })),
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: stopReason, stop_sequence: null }, usage: { output_tokens: 15 } },
    { type: 'message_stop' },
  ]
  return events.map(event).join('')
}

function googleStream(parts: readonly object[]): string {
  const usageMetadata = { promptTokenCount: 25, candidatesTokenCount: 15, totalTokenCount: 40 }
  const chunks = parts.map((part, index) => ({
    candidates: [{ content: { parts: [part], role: 'model' }, index: 0, ...(index === parts.length - 1 ? { finishReason: 'STOP' } : {}) }],
    usageMetadata,
    modelVersion: 'gemini-x',
  }))
  return chunks.map((chunk) => `data: ${JSON.stringify(chunk)}\r\n\r\n`).join('')
}

const wires: readonly Wire[] = [
  {
    provider: 'anthropic',
    path: '/v1/messages',
    asksForTool: anthropicStream(
      { type: 'tool_use', id: 'toolu_1', name: 'listDoctors', input: {} },
      [
        { type: 'input_json_delta', partial_json: '{"speciality":' },
        { type: 'input_json_delta', partial_json: '"ENT"}' },
      ],
      'tool_use',
    ),
    says: anthropicStream(
      { type: 'text', text: '' },
      [
        { type: 'text_delta', text: 'Dr. Rao' },
        { type: 'text_delta', text: ' is here.' },
      ],
      'end_turn',
    ),
    toolMessage: { content: [{ type: 'tool_result', tool_use_id: 'toolu_1', content: '{"doctors":["Dr. Rao"]}' }] },
  },
  {
    provider: 'google',
    path: '/v1beta/models/gemini-x:streamGenerateContent',
    asksForTool: googleStream([{ functionCall: { name: 'listDoctors', args: { speciality: 'ENT' } } }]),
    says: googleStream([{ text: 'Dr. Rao' }, { text: ' is here.' }]),
    toolMessage: { parts: [{ functionResponse: { name: 'listDoctors', response: { content: { doctors: ['Dr. Rao'] } } } }] },
  },
]

async function startVendor(answers: string[]): Promise<StandIn> {
  const handle = (): StandInAnswer => ({ headers: { 'content-type': 'text/event-stream' }, body: answers.shift() ?? '' })
  return startStandIn({ name: 'vendor', handle })
}

const listDoctors = conversationTool({
  description: 'Lists doctors',
  input: z.strictObject({ speciality: z.string().nullable() }),
  run: async ({ speciality }) => ({ doctors: speciality === 'ENT' ? ['Dr. Rao'] : [] }),
})

test.each(wires)('$provider streams text and calls a tool', async ({ provider, path, asksForTool, says, toolMessage }) => {
  await using vendor = await startVendor([asksForTool, says])
  const nowhere = { url: null, apiKey: null }
  const endpoints = {
    openai: nowhere,
    openaiCompatible: nowhere,
    anthropic: { url: `${vendor.url}/v1`, apiKey: 'key' },
    google: { url: `${vendor.url}/v1beta`, apiKey: 'key' },
  }
  const name = provider === 'google' ? 'gemini-x' : 'claude-x'
  const model = createLanguageModel({ provider, model: name, temperature: 0.2, systemPromptAddendum: 'Speak kindly.' }, endpoints)
  const conversation = {
    instructions: 'You answer visitors.',
    messages: [{ role: 'user', text: 'Who treats ears?' }] as const,
    tools: { listDoctors },
    maxSteps: 4,
    maxOutputTokens: 100,
  }
  const parts: ConversationPart[] = await Array.fromAsync(model.converse(conversation))
  expect(parts).toMatchObject([
    { type: 'tool-called', tool: 'listDoctors', input: { speciality: 'ENT' } },
    { type: 'tool-answered', output: { doctors: ['Dr. Rao'] } },
    { type: 'step-ended', tokens: { input: 25, output: 15 } },
    { type: 'text', text: 'Dr. Rao' },
    { type: 'text', text: ' is here.' },
    { type: 'step-ended', tokens: { input: 25, output: 15 } },
    { type: 'ended', model: name, complete: true, tokens: { input: 50, output: 30 } },
  ])
  expect(vendor.calls().map((call) => call.path)).toEqual([path, path])
  const sent: unknown = JSON.parse(vendor.calls()[1]?.body ?? '')
  const { messages, contents } = z
    .looseObject({ messages: z.array(z.unknown()).optional(), contents: z.array(z.unknown()).optional() })
    .parse(sent)
  expect((messages ?? contents)?.at(-1)).toMatchObject(toolMessage)
})
