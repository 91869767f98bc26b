import type { z } from 'zod'
import type { Conversation, ConversationPart, Tokens } from './conversation.ts'

/**
 * A language model that fills in a form, or has a conversation. Created for one choice of provider, model and temperature: the workspace's
 * configuration at the time of the call. Keys and addresses come only from the environment.
 */
export interface LanguageModel {
  /**
   * Asks for a value of `schema`, an object. May be repeated, but each time costs. An answer is read as it is meant: JSON may be in Markdown or between
   * sentences, texts and lists that are too long are cut, a time may lack its zone (`timeZone`). After an answer without a meaning it asks once
   * more, with the error.
   *
   * Put texts of callers, notes and transcripts into `data`, never into `instructions`: data is delimited, and the model learns that it is no
   * instruction. Strict providers require every property of the schema: use `.nullable()`, not `.optional()`.
   *
   * Errors: PROVIDER_ANSWER_INVALID (two invalid answers), PROVIDER_UNAVAILABLE, PROVIDER_REFUSED (its content filter, or the request), NOT_CONFIGURED
   * (it refuses the key, does not know the model, or the credit is used up: `isCreditUsedUp`), DEADLINE_PASSED (`deadlineMs`, by default 30 s, for both
   * answers together, or `signal` aborted). A call that failed because the provider is away may be repeated once, with that time again, but not if it
   * was away at the second question (`retryAfterSeconds`).
   */
  structured<Value>(request: StructuredRequest<Value>): Promise<StructuredAnswer<Value>>

  /**
   * Continues a conversation as a stream. The request starts when the first part is read. The stream is read ahead only within a bound;
   * to stop reading, or to abort `signal`, cancels the model's work.
   *
   * Texts of users and outputs of tools are material to the model, never instructions; it can only call `tools`.
   *
   * Errors, thrown by the iteration at any point: those of `structured` (`deadlineMs`, by default 60 s, for the whole conversation), and
   * the errors of tools.
   */
  converse(conversation: Conversation): AsyncIterable<ConversationPart>

  /** Loads what the first conversation would have to wait for. Sends nothing to the provider; may be repeated. */
  prepare(): Promise<void>
}

export type StructuredRequest<Value> = {
  /** The model's role and task; only our own text. */
  readonly instructions: string
  /** The question; only our own text. */
  readonly prompt: string
  /** Texts from outside, by name, for example `transcript`. */
  readonly data?: Readonly<Record<string, string>>
  readonly schema: z.ZodType<Value>
  /** IANA. Of times in the answer that have no zone; without it, such a time is invalid. */
  readonly timeZone?: string
  /** Default 30 s. If it passes, the provider has failed: to wait for less than usual, use `signal`. */
  readonly deadlineMs?: number
  /** Its abort says nothing about the provider. */
  readonly signal?: AbortSignal
}

export type StructuredAnswer<Value> = {
  readonly output: Value
  /** The provider's name for the model that answered. */
  readonly model: string
  /** The sum of all tries. */
  readonly tokens: Tokens
}

/** The model and its settings: the workspace's AI configuration. */
export type ModelChoice = {
  /** The id of a registered provider. */
  readonly provider: string
  /** The provider's name for it; null if none is chosen. */
  readonly model: string | null
  readonly temperature: number
  /** Added to the instructions of every prompt. */
  readonly systemPromptAddendum: string
}
