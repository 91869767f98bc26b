import { type LanguageModel as SdkModel, streamText, type TextStreamPart, tool, ToolChoiceViolationError, type ToolSet } from 'ai'
import type { Conversation, ConversationPart, Tokens } from '../../ports/conversation.ts'
import { AppError } from '../../kernel/errors.ts'
import { type Asked, modelFault } from './errors.ts'
import { composePrompt } from './prompt.ts'
import { keptNowhere, tokensOf } from './sdk.ts'
import { wireMessages } from './wire-messages.ts'

export type ConversationRequest = {
  readonly sdkModel: SdkModel
  readonly asked: Asked
  readonly temperature: number
  readonly addendum: string
  readonly conversation: Conversation
}

/** More characters than this for each token that was allowed, and the model does not keep to what it is told. */
const mostCharactersPerToken = 16

/** Goes on with a talk. The SDK itself repeats what failed before the model began to speak (twice, with backoff), never later. */
export async function* goOn(request: ConversationRequest): AsyncGenerator<ConversationPart> {
  const { asked, conversation } = request
  const reading = new AbortController()
  const progress = newProgress(request)
  try {
    const { stream } = ask(request, AbortSignal.any([asked.signal, reading.signal]))
    for await (const part of stream) {
      const told = partOf(part, progress)
      if (told) yield told
    }
  } catch (error) {
    if (conversation.signal?.aborted) return
    if (progress.toolFault) throw progress.toolFault.error
    // Asked without tools, it may want one all the same.
    if (!ToolChoiceViolationError.isInstance(error)) throw modelFault(error, asked)
    yield { type: 'ended', model: progress.model, complete: false, tokens: progress.tokens }
  } finally {
    reading.abort()
  }
}

function ask({ sdkModel, temperature, addendum, conversation }: ConversationRequest, abortSignal: AbortSignal) {
  const { instructions, messages, tools, maxSteps, maxOutputTokens } = conversation
  return streamText({
    model: sdkModel,
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
    // Faults come as parts; without this the SDK writes them to the console.
    onError: () => undefined,
    providerOptions: keptNowhere,
  })
}

type Progress = {
  model: string
  tokens: Tokens
  said: number
  readonly most: number
  readonly refused: Set<string>
  toolFault: { readonly error: unknown } | null
}

function newProgress({ asked, conversation: { maxSteps, maxOutputTokens } }: ConversationRequest): Progress {
  const most = maxSteps * maxOutputTokens * mostCharactersPerToken
  return { model: asked.model, tokens: { input: 0, output: 0 }, said: 0, most, refused: new Set(), toolFault: null }
}

type SdkPart = TextStreamPart<ToolSet>

/** What a part of the SDK's stream is in the words of the port; null for what nobody needs. */
function partOf(part: SdkPart, progress: Progress): ConversationPart | null {
  if (part.type === 'text-delta') {
    count(part.text, progress)
    return part.text === '' ? null : { type: 'text', text: part.text }
  }
  if (part.type === 'tool-input-delta') count(part.delta, progress)
  if (part.type === 'error') throw part.error
  if (part.type === 'abort') throw new DOMException('The talk was given up', 'AbortError')
  return toolPart(part, progress) ?? endPart(part, progress)
}

function toolPart(part: SdkPart, progress: Progress): ConversationPart | null {
  if (part.type === 'tool-call') {
    if (part.invalid === true) return refusedCall(part, progress)
    return { type: 'tool-called', id: part.toolCallId, tool: part.toolName, input: part.input }
  }
  if (part.type === 'tool-result') return { type: 'tool-answered', id: part.toolCallId, tool: part.toolName, output: part.output }
  if (part.type === 'tool-error' && !progress.refused.has(part.toolCallId)) {
    progress.toolFault = { error: part.error }
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
  if (part.finishReason === 'content-filter') throw new AppError('PROVIDER_REFUSED', { detail: 'The language model refused the content' })
  return { type: 'ended', model: progress.model, complete: part.finishReason === 'stop', tokens: progress.tokens }
}

function refusedCall({ toolCallId: id, toolName }: { toolCallId: string; toolName: string }, progress: Progress): ConversationPart {
  progress.refused.add(id)
  return { type: 'tool-refused', id, tool: toolName.slice(0, 100) }
}

function count(text: string, progress: Progress): void {
  progress.said += text.length
  if (progress.said > progress.most) throw new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The language model does not come to an end' })
}
