import type { LanguageModelUsage } from 'ai'
import type { Tokens } from '../../ports/conversation.ts'

// Warnings of the SDK would go to the console, past the log.
globalThis.AI_SDK_LOG_WARNINGS = false

/** Nothing of a patient is to be kept at the vendor for later. */
export const keptNowhere = { openai: { store: false } }

export function tokensOf(usage: LanguageModelUsage | undefined): Tokens {
  return { input: usage?.inputTokens ?? 0, output: usage?.outputTokens ?? 0 }
}
