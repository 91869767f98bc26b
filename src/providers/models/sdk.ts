import { extractReasoningMiddleware, type LanguageModelUsage } from 'ai'
import type { Tokens } from '../../ports/conversation.ts'

// The SDK would write its warnings to the console instead of the log.
globalThis.AI_SDK_LOG_WARNINGS = false

/** The vendor must not store data of patients. */
export const withoutStorage = { openai: { store: false } }

export function tokensOf(usage: LanguageModelUsage | undefined): Tokens {
  return { input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 }
}

/** Around the thoughts of models whose server does not hide them. */
const thoughtTags = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map((name) => ({ opening: `<${name}>`, closing: `</${name}>` })),
  { opening: '[THINK]', closing: '[/THINK]' },
  { opening: '◁think▷', closing: '◁/think▷' },
]

export const closingTags: readonly string[] = thoughtTags.map(({ closing }) => closing)

/** Removes thoughts. `isBegun`: some servers begin them for the model, so that only their end is in the text; of a stream, `holdBegunThoughts`. */
export function thoughtFilters({ isBegun }: { readonly isBegun: boolean }): ReturnType<typeof extractReasoningMiddleware>[] {
  return thoughtTags.map((tagName) => extractReasoningMiddleware({ tagName, startWithReasoning: isBegun }))
}

/** Whether the text has thoughts that do not end. */
export function hasOpenThought(text: string): boolean {
  return thoughtTags.some(({ opening }) => text.toLowerCase().includes(opening.toLowerCase()))
}
