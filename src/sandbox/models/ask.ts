import { z } from 'zod'

/** A JSON Schema, or a part of one, as it came over the wire. */
export type WireSchema = Readonly<Record<string, unknown>>
export type OfferedTool = { readonly name: string; readonly description: string; readonly parameters: WireSchema }
export type ChatMessage = { readonly role: 'user' | 'assistant' | 'tool'; readonly text: string }

/** What is asked of the model, the same for both of its wires. */
export type ModelAsk = {
  readonly model: string
  readonly instructions: string
  readonly messages: readonly ChatMessage[]
  readonly format: { readonly schema: WireSchema; readonly strict: boolean; readonly name: string } | 'json' | 'text'
  readonly tools: readonly OfferedTool[]
  readonly stream: boolean
  readonly wantsUsage: boolean
}

const schemaObject = z.record(z.string(), z.unknown())
const content = z
  .union([z.string(), z.array(z.looseObject({ text: z.string().optional() })), z.null()])
  .optional()
  .transform((value) => (typeof value === 'string' ? value : (value ?? []).map((part) => part.text ?? '').join('\n')))

const chatSchema = z.looseObject({
  model: z.string(),
  messages: z.array(z.looseObject({ role: z.string(), content })).min(1),
  response_format: z
    .looseObject({
      type: z.string(),
      json_schema: z.looseObject({ name: z.string(), schema: schemaObject, strict: z.boolean().nullish() }).optional(),
    })
    .optional(),
  tools: z
    .array(
      z.looseObject({
        function: z.looseObject({ name: z.string(), description: z.string().default(''), parameters: schemaObject.default({}) }),
      }),
    )
    .default([]),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
  stream_options: z.looseObject({ include_usage: z.boolean().optional() }).nullish(),
})

/** `POST /v1/chat/completions`. */
export function chatAsk(body: unknown): ModelAsk {
  const asked = chatSchema.parse(body)
  const { json_schema: schema, type } = asked.response_format ?? {}
  return {
    model: asked.model,
    ...splitMessages(asked.messages),
    format: formatOf(type, schema),
    tools: asked.tool_choice === 'none' ? [] : asked.tools.map((tool) => tool.function),
    stream: asked.stream ?? false,
    wantsUsage: asked.stream_options?.include_usage ?? false,
  }
}

const inputItem = z.union([
  z.looseObject({ type: z.literal('function_call_output'), output: content }).transform((item) => ({ role: 'tool', content: item.output })),
  z.looseObject({ type: z.literal('function_call'), name: z.string(), arguments: z.string() }).transform((item) => ({
    role: 'assistant',
    content: `${item.name}(${item.arguments})`,
  })),
  z.looseObject({ role: z.string(), content }),
  z.looseObject({ type: z.string() }).transform(() => ({ role: 'assistant', content: '' })),
])

const responsesSchema = z.looseObject({
  model: z.string(),
  instructions: z.string().nullish(),
  input: z.union([z.string().transform((text) => [{ role: 'user', content: text }]), z.array(inputItem).min(1)]),
  text: z
    .looseObject({
      format: z.looseObject({
        type: z.string(),
        name: z.string().optional(),
        schema: schemaObject.optional(),
        strict: z.boolean().nullish(),
      }),
    })
    .partial()
    .optional(),
  tools: z
    .array(
      z.looseObject({
        type: z.string(),
        name: z.string().default(''),
        description: z.string().default(''),
        parameters: schemaObject.default({}),
      }),
    )
    .default([]),
  tool_choice: z.unknown().optional(),
  stream: z.boolean().nullish(),
})

/** `POST /v1/responses`. */
export function responsesAsk(body: unknown): ModelAsk {
  const asked = responsesSchema.parse(body)
  const { format } = asked.text ?? {}
  const { instructions, messages } = splitMessages(asked.input)
  return {
    model: asked.model,
    instructions: [asked.instructions ?? '', instructions].filter((text) => text !== '').join('\n'),
    messages,
    format: formatOf(format?.type, format?.schema && { name: format.name ?? 'response', schema: format.schema, strict: format.strict }),
    tools: asked.tool_choice === 'none' ? [] : asked.tools.filter((tool) => tool.type === 'function'),
    stream: asked.stream ?? false,
    wantsUsage: true,
  }
}

type NamedSchema = { readonly name: string; readonly schema: WireSchema; readonly strict?: boolean | null | undefined }

function formatOf(type: string | undefined, named: NamedSchema | undefined): ModelAsk['format'] {
  if (type === 'json_schema' && named) return { name: named.name, schema: named.schema, strict: named.strict === true }
  return type === 'json_object' ? 'json' : 'text'
}

function splitMessages(wire: readonly { role: string; content: string }[]): Pick<ModelAsk, 'instructions' | 'messages'> {
  const system = wire.filter(({ role }) => role === 'system' || role === 'developer')
  const messages = wire
    .filter((message) => !system.includes(message))
    .map(({ role, content }): ChatMessage => ({ role: roleOf(role), text: content }))
  return { instructions: system.map(({ content }) => content).join('\n'), messages }
}

function roleOf(role: string): ChatMessage['role'] {
  return role === 'assistant' || role === 'tool' ? role : 'user'
}
