import type { z } from 'zod'

/** A talk that a model goes on with: it speaks, and asks for tools, until it has answered what was said last. */
export type Conversation = {
  /** What the model is, what it has to do and what it must not; ours alone. */
  readonly instructions: string
  /** What was said so far, oldest first; the last is the user's. */
  readonly messages: readonly ConversationMessage[]
  /** All that the model can do, by name. */
  readonly tools: Readonly<Record<string, ConversationTool>>
  /** How often the model may be asked in all; the last time without tools, so that it answers. */
  readonly maxSteps: number
  /** Of each step. A model that says far more all the same is cut off with PROVIDER_ANSWER_INVALID. */
  readonly maxOutputTokens: number
  readonly deadlineMs?: number
  /** Aborted: the model is asked no longer, and the parts end without `ended` and without an error. */
  readonly signal?: AbortSignal
}

export type ConversationMessage =
  | { readonly role: 'user'; readonly text: string }
  | { readonly role: 'assistant'; readonly parts: readonly SpokenPart[] }

/** What the model said or did, in its order. */
export type SpokenPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool'; readonly id: string; readonly tool: string; readonly input: unknown; readonly output: unknown }

/** Something that the model may ask for. */
export type ConversationTool = {
  /** When to use it, for the model. */
  readonly description: string
  /** What the model must give. For strict providers every property is required: `.nullable()`, not `.optional()`. */
  readonly input: z.ZodType
  /** Only ever called with what fits `input`, one call after the other. Its answer is JSON. What it throws ends the conversation. */
  readonly run: (input: unknown, call: ToolCall) => Promise<unknown>
}

/** `id`: as in the parts that tell of the call. */
export type ToolCall = { readonly id: string }

export type Tokens = { readonly input: number; readonly output: number }

export type ConversationPart =
  /** A piece of what the model says; the pieces between two other parts are one text. */
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | { readonly type: 'tool-answered'; readonly id: string; readonly tool: string; readonly output: unknown }
  /** It asked for a tool that there is not, or gave what does not fit. It is told, and goes on. */
  | { readonly type: 'tool-refused'; readonly id: string; readonly tool: string }
  /** It was asked once, and this is what that cost. */
  | { readonly type: 'step-ended'; readonly tokens: Tokens }
  | { readonly type: 'ended'; readonly model: string; readonly complete: boolean; readonly tokens: Tokens }

/** A tool with the types of its input. */
export function conversationTool<Input>(tool: {
  readonly description: string
  readonly input: z.ZodType<Input>
  readonly run: (input: Input, call: ToolCall) => Promise<unknown>
}): ConversationTool {
  return { ...tool, run: async (input, call) => tool.run(tool.input.parse(input), call) }
}
