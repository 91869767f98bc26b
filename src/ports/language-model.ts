import type { z } from 'zod'
import type { Conversation, ConversationPart, Tokens } from './conversation.ts'

/**
 * A language model that fills a given form, or talks. Built for one choice of provider, model and temperature; the choice is the workspace's
 * configuration at the time of the call. Keys and addresses come from the environment alone.
 */
export interface LanguageModel {
  /**
   * Asks for a value of `schema`. Repeatable, but each time it costs. An answer that does not fit is asked for once more, with what
   * was wrong with it.
   *
   * Nothing from a caller, a note or a transcript belongs into `instructions`; put it into `data`, where it is delimited and the model
   * is told that it is no instruction. For strict providers every property of the schema is required; use `.nullable()`, not `.optional()`.
   *
   * Errors: PROVIDER_ANSWER_INVALID (twice no value that fits), PROVIDER_UNAVAILABLE, PROVIDER_REFUSED (it refuses the content or the
   * request), NOT_CONFIGURED (it refuses the key, or does not know the model), DEADLINE_PASSED (`deadlineMs`, by default 30 s, for all
   * tries together, or `signal` aborted).
   */
  structured<Value>(request: StructuredRequest<Value>): Promise<StructuredAnswer<Value>>

  /**
   * Goes on with a talk, word by word as the model says it. The model is asked when the first part is asked for. What it does not say yet
   * is not read ahead without bound; who stops reading, or aborts `signal`, cancels the model's work.
   *
   * A user's words and what tools answer are material to the model, never instructions; it can do nothing but call `tools`.
   *
   * Errors, thrown by the iteration, also in the middle: those of `structured` (`deadlineMs`, by default 60 s, for the whole talk), and
   * what a tool throws.
   */
  converse(conversation: Conversation): AsyncIterable<ConversationPart>

  /** Has in memory what the first talk would have to wait for. Asks nothing of the provider; repeatable. */
  prepare(): Promise<void>
}

export type StructuredRequest<Value> = {
  /** What the model is and what it has to do; ours alone. */
  readonly instructions: string
  /** What is asked, in our words. */
  readonly prompt: string
  /** Texts from outside by name, for example `transcript`. */
  readonly data?: Readonly<Record<string, string>>
  readonly schema: z.ZodType<Value>
  readonly deadlineMs?: number
  readonly signal?: AbortSignal
}

export type StructuredAnswer<Value> = {
  readonly output: Value
  /** The provider's name of the model that answered. */
  readonly model: string
  /** Of all tries. */
  readonly tokens: Tokens
}

/** Which model answers and how: the workspace's AI configuration. */
export type ModelChoice = {
  /** The id of a registered provider. */
  readonly provider: string
  /** Its name there; null: none chosen. */
  readonly model: string | null
  readonly temperature: number
  /** Added to the instructions of every prompt. */
  readonly systemPromptAddendum: string
}
