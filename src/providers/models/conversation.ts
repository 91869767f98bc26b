import { streamText, type TextStreamPart, tool, ToolChoiceViolationError, type ToolSet, wrapLanguageModel } from 'ai'
import type { Conversation, ConversationPart, Tokens } from '../../ports/conversation.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Asked, contentRefused, modelError } from './errors.ts'
import type { ModelHabit } from './habits.ts'
import { holdBegunThoughts } from './hold-thoughts.ts'
import { composePrompt } from './prompt.ts'
import { thoughtFilters, tokensOf, withoutStorage } from './sdk.ts'
import type { ModelVendor, VendorModel } from './vendors.ts'
import { wireMessages } from './wire-messages.ts'

export type ConversationRequest = {
  readonly sdkModel: VendorModel
  readonly asked: Asked
  readonly habit: ModelHabit
  readonly temperature: number
  readonly addendum: string
  readonly conversation: Conversation
}

/** A model that writes more ignores `maxOutputTokens`. */
const maxCharactersPerToken = 16

/** Continues a conversation. The guard of the port repeats it once if it fails before the first part, never later. */
export async function* continueConversation(request: ConversationRequest): AsyncGenerator<ConversationPart> {
  const { asked, conversation } = request
  const reading = new AbortController()
  const progress = newProgress(request)
  try {
    const { stream } = ask(request, AbortSignal.any([asked.signal, reading.signal]))
    for await (const part of stream) {
      const converted = partOf(part, progress)
      if (converted) yield converted
    }
  } catch (error) {
    if (conversation.signal?.aborted) return
    if (progress.toolFailure) throw progress.toolFailure.error
    // The model may call a tool although the last request has none.
    if (!ToolChoiceViolationError.isInstance(error)) throw modelError(error, asked)
    yield { type: 'ended', model: progress.model, complete: false, tokens: progress.tokens }
  } finally {
    reading.abort()
  }
}

function ask({ sdkModel, habit, temperature, addendum, conversation }: ConversationRequest, abortSignal: AbortSignal) {
  const { instructions, messages, tools, maxSteps, maxOutputTokens } = conversation
  return streamText({
    model: wrapLanguageModel({ model: sdkModel, middleware: [holdBegunThoughts(habit), ...thoughtFilters({ isBegun: false })] }),
    instructions: composePrompt({ instructions, addendum, prompt: '', data: {} }).instructions,
    messages: wireMessages(messages),
    tools: Object.fromEntries(
      Object.entries(tools).map(([name, { description, input, run }]) => [
        name,
        tool({ description, inputSchema: input, execute: (given, { toolCallId }) => run(given, { id: toolCallId }) }),
      ]),
    ),
    toolCallConcurrency: 1,
    stopWhen: ({ steps }) => steps.length >= maxSteps,
    prepareStep: ({ stepNumber }) => (stepNumber + 1 >= maxSteps ? { toolChoice: 'none' } : undefined),
    maxOutputTokens,
    temperature,
    abortSignal,
    // Errors come as parts; without this the SDK also writes them to the console.
    onError: () => undefined,
    maxRetries: 0,
    providerOptions: withoutStorage,
  })
}

type Progress = {
  readonly vendor: ModelVendor
  model: string
  tokens: Tokens
  characters: number
  readonly maxCharacters: number
  readonly refused: Set<string>
  toolFailure: { readonly error: unknown } | null
}

function newProgress({ asked, conversation: { maxSteps, maxOutputTokens } }: ConversationRequest): Progress {
  const maxCharacters = maxSteps * maxOutputTokens * maxCharactersPerToken
  return {
    vendor: asked.vendor,
    model: asked.model,
    tokens: { input: 0, output: 0 },
    characters: 0,
    maxCharacters,
    refused: new Set(),
    toolFailure: null,
  }
}

type SdkPart = TextStreamPart<ToolSet>

/** The port's part for a part of the SDK's stream; null if the port has none. */
function partOf(part: SdkPart, progress: Progress): ConversationPart | null {
  if (part.type === 'text-delta') {
    count(part.text, progress)
    return part.text === '' ? null : { type: 'text', text: part.text }
  }
  if (part.type === 'reasoning-delta') count(part.text, progress)
  if (part.type === 'tool-input-delta') count(part.delta, progress)
  if (part.type === 'error') throw part.error
  if (part.type === 'abort') throw new DOMException('The conversation was cancelled', 'AbortError')
  return toolPart(part, progress) ?? endPart(part, progress)
}

function toolPart(part: SdkPart, progress: Progress): ConversationPart | null {
  if (part.type === 'tool-call') {
    if (part.invalid === true) return rejectedCall(part, progress)
    return { type: 'tool-called', id: part.toolCallId, tool: part.toolName, input: part.input }
  }
  if (part.type === 'tool-result') return { type: 'tool-answered', id: part.toolCallId, tool: part.toolName, output: part.output }
  if (part.type === 'tool-error' && !progress.refused.has(part.toolCallId)) {
    progress.toolFailure = { error: part.error }
    throw part.error
  }
  return null
}

function endPart(part: SdkPart, progress: Progress): ConversationPart | null {
  if (part.type === 'finish-step') {
    const tokens = tokensOf(part.usage)
    progress.model = part.response.modelId
    progress.tokens = { input: progress.tokens.input + tokens.input, output: progress.tokens.output + tokens.output }
    return { type: 'step-ended', tokens }
  }
  if (part.type !== 'finish') return null
  if (part.finishReason === 'content-filter') throw contentRefused(progress.vendor)
  return { type: 'ended', model: progress.model, complete: part.finishReason === 'stop', tokens: progress.tokens }
}

function rejectedCall({ toolCallId: id, toolName }: { toolCallId: string; toolName: string }, progress: Progress): ConversationPart {
  progress.refused.add(id)
  return { type: 'tool-refused', id, tool: toolName.slice(0, 100) }
}

function count(text: string, progress: Progress): void {
  progress.characters += text.length
  if (progress.characters > progress.maxCharacters)
    throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The language model does not end its answer' })
}
