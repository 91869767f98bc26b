import type { z } from 'zod'

/** A conversation that a model continues: it writes text and calls tools until it has answered the last message. */
export type Conversation = {
  /** The model's role and rules; only our own text. */
  readonly instructions: string
  /** Oldest first; the last is the user's. */
  readonly messages: readonly ConversationMessage[]
  /** By name; the model can do nothing else. */
  readonly tools: Readonly<Record<string, ConversationTool>>
  /** The maximum number of requests to the model; the last one without tools, so that it answers. */
  readonly maxSteps: number
  /** Per step. A model that writes far more is aborted with PROVIDER_ANSWER_INVALID. */
  readonly maxOutputTokens: number
  readonly deadlineMs?: number
  /** When it aborts, the request is cancelled, and the parts end without `ended` and without an error. */
  readonly signal?: AbortSignal
}

export type ConversationMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly SpokenPart[] }

/** Text or a tool call of the model, in order. */
export type SpokenPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly tool: string; readonly input: unknown; readonly output: unknown }

/** A tool that the model may call. */
export type ConversationTool = {
  /** When to use it, for the model. */
  readonly description: string
  /** The input from the model. Strict providers require every property: use `.nullable()`, not `.optional()`. */
  readonly input: z.ZodType
  /** Called only with a valid `input`, one call at a time. Returns JSON. An error ends the conversation with that error. */
  readonly run: (input: unknown, call: ToolCall) => Promise<unknown>
}

/** `id`: as in the parts of the call. */
export type ToolCall = { readonly id: string }

export type Tokens = { readonly input: number; readonly output: number }

export type ConversationPart =
  /** A piece of text; the pieces between two other parts are one text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-answered'; readonly id: string; readonly tool: string; readonly output: unknown }
  /** It called an unknown tool, or with an invalid input. It learns that, and continues. */
  | { readonly type: 'tool-refused'; readonly id: string; readonly tool: string }
  /** One request to the model ended, with its tokens. */
  | { readonly type: 'step-ended'; readonly tokens: Tokens }
  | { readonly type: 'ended'; readonly model: string; readonly complete: boolean; readonly tokens: Tokens }

/** A tool with a typed input. */
export function conversationTool<Input>(tool: {
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly run: (input: Input, call: ToolCall) => Promise<unknown>
}): ConversationTool {
  return { ...tool, run: async (input, call) => tool.run(tool.input.parse(input), call) }
}
