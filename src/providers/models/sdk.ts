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

/** The tags within the one object of an answer are what somebody said. Writes them in another way, so that no filter around this takes them for its own. */
export const keepQuotedTags: ReturnType<typeof extractReasoningMiddleware> = {
  specificationVersion: 'v4',
  async wrapGenerate({ doGenerate }) {
    const { content, ...rest } = await doGenerate()
    return { ...rest, content: content.map((part) => (part.type === 'text' ? { ...part, text: withTagsEscaped(part.text) } : part)) }
  },
}

function withTagsEscaped(text: string): string {
  const [begin, end] = [text.indexOf('{'), text.lastIndexOf('}') + 1]
  const json = text.slice(Math.max(0, begin), end)
  const tags = thoughtTags.flatMap(({ opening, closing }) => [opening, closing]).filter((tag) => json.includes(tag))
  if (tags.length === 0 || !isJson(json)) return text
  const escaped = tags.reduce(
    (all, tag) => all.replaceAll(tag, `\\u${tag.charCodeAt(0).toString(16).padStart(4, '0')}${tag.slice(1)}`),
    json,
  )
  return text.slice(0, begin) + escaped + text.slice(end)
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
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
