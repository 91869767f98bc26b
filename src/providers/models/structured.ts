import { generateText, type LanguageModel as SdkModel, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { Tokens } from '../../ports/conversation.ts'
import { type Asked, modelFault } from './errors.ts'
import { composePrompt, type PromptParts } from './prompt.ts'
import { keptNowhere, tokensOf } from './sdk.ts'

export type FormRequest<Value> = {
  readonly sdkModel: SdkModel
  readonly asked: Asked
  readonly temperature: number
  readonly parts: PromptParts
  readonly schema: z.ZodType<Value>
}
export type FilledForm<Value> = { readonly output: Value; readonly model: string; readonly tokens: Tokens }

const quotedAnswerLength = 4_000

/**
 * Has a form filled. An answer that does not fit is asked for once more with what was wrong; the SDK itself repeats what failed on the
 * way (twice, with backoff).
 */
export async function fillForm<Value>(request: FormRequest<Value>): Promise<FilledForm<Value>> {
  try {
    return await fillOnce(request).catch(async (error: unknown) => {
      if (!NoObjectGeneratedError.isInstance(error) || error.finishReason === 'content-filter') throw error
      const repaired = await fillOnce({ ...request, parts: repairing(request.parts, error) })
      return { ...repaired, tokens: sum(repaired.tokens, tokensOf(error.usage)) }
    })
  } catch (error) {
    throw modelFault(error, request.asked)
  }
}

async function fillOnce<Value>(request: FormRequest<Value>): Promise<FilledForm<Value>> {
  const result = await generateText({
    model: request.sdkModel,
    output: Output.object({ schema: request.schema }),
    ...composePrompt(request.parts),
    temperature: request.temperature,
    abortSignal: request.asked.signal,
    providerOptions: keptNowhere,
  })
  return { output: result.output, model: result.response.modelId, tokens: tokensOf(result.usage) }
}

/** The answer that did not fit may repeat what stood in the data: it is quoted like them. */
function repairing(parts: PromptParts, error: NoObjectGeneratedError): PromptParts {
  const fault = error.cause instanceof Error ? error.cause.message.slice(0, 500) : error.message
  const prompt = `${parts.prompt}\n\nYour last answer did not fit the form and is quoted with what was wrong. Give the whole answer again so that it fits.`
  return { ...parts, prompt, data: { ...parts.data, lastAnswer: error.text?.slice(0, quotedAnswerLength) ?? '', fault } }
}

function sum(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}
