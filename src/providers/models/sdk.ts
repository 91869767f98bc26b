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
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think']
    .flatMap((name) => [name, name.toUpperCase()])
    .map((name) => ({ opening: `<${name}>`, closing: `</${name}>` })),
  { opening: '[THINK]', closing: '[/THINK]' },
  { opening: '◁think▷', closing: '◁/think▷' },
]

export const closingTags: readonly string[] = thoughtTags.map(({ closing }) => closing)

/**
 * For an answer that is JSON as a whole, and so has no thoughts: the tags in it are what somebody said. Writes them in another way, so that no filter
 * around it takes them for its own.
 */
export const keepQuotedTags: ReturnType<typeof extractReasoningMiddleware> = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate }) {
    const { content, ...rest } = await doGenerate()
    return { ...rest, content: content.map((part) => (part.type === 'text' ? { ...part, text: withTagsEscaped(part.text) } : part)) }
  },
}

function withTagsEscaped(text: string): string {
  const tags = thoughtTags.flatMap(({ opening, closing }) => [opening, closing]).filter((tag) => text.includes(tag))
  if (tags.length === 0 || !isObject(text)) return text
  return tags.reduce((all, tag) => all.replaceAll(tag, `\\u${tag.charCodeAt(0).toString(16).padStart(4, '0')}${tag.slice(1)}`), text)
}

function isObject(json: string): boolean {
  try {
    return typeof JSON.parse(json) === 'object'
  } catch {
    return false
  }
}

/** Removes thoughts. `isBegun`: some servers begin them for the model, so that only their end is in the text; of a stream, `holdBegunThoughts`. */
export function thoughtFilters({ isBegun }: { readonly isBegun: boolean }): ReturnType<typeof extractReasoningMiddleware>[] {
  return thoughtTags.map((tagName) => extractReasoningMiddleware({ tagName, startWithReasoning: isBegun }))
}

/** Whether the text has thoughts that do not end. */
export function hasOpenThought(text: string): boolean {
  return thoughtTags.some(({ opening }) => text.toLowerCase().includes(opening.toLowerCase()))
}
