import type { LanguageModelUsage } from 'ai'
import type { Tokens } from '../../ports/conversation.ts'

// The SDK would write its warnings to the console instead of the log.
globalThis.AI_SDK_LOG_WARNINGS = false

/** The vendor must not store data of patients. */
export const withoutStorage = { openai: { store: false } }

export function tokensOf(usage: LanguageModelUsage | undefined): Tokens {
  return { input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 }
}
