import { generateText, type LanguageModel as SdkModel, NoObjectGeneratedError, Output } from 'ai'
import type { z } from 'zod'
import type { Tokens } from '../../ports/conversation.ts'
import { type Asked, modelError } from './errors.ts'
import { composePrompt, type PromptParts } from './prompt.ts'
import { withoutStorage, tokensOf } from './sdk.ts'

export type FormRequest<Value> = {
  readonly sdkModel: SdkModel
  readonly asked: Asked
  readonly temperature: number
  readonly parts: PromptParts
  readonly schema: z.ZodType<Value>
}
export type FilledForm<Value> = { readonly output: Value; readonly model: string; readonly tokens: Tokens }

const maxQuotedAnswer = 4_000

/**
 * Has the model fill in a form. After an invalid answer it asks once more, with the error. A request that fails on the way is repeated by the
 * guard of the port, within its budget.
 */
export async function fillForm<Value>(request: FormRequest<Value>): Promise<FilledForm<Value>> {
  try {
    return await fillOnce(request).catch(async (error: unknown) => {
      if (!NoObjectGeneratedError.isInstance(error) || error.finishReason === 'content-filter') throw error
      const repaired = await fillOnce({ ...request, parts: repairing(request.parts, error) })
      return { ...repaired, tokens: sum(repaired.tokens, tokensOf(error.usage)) }
    })
  } catch (error) {
    throw modelError(error, request.asked)
  }
}

async function fillOnce<Value>(request: FormRequest<Value>): Promise<FilledForm<Value>> {
  const result = await generateText({
    model: request.sdkModel,
    output: Output.object({ schema: request.schema }),
    ...composePrompt(request.parts),
    temperature: request.temperature,
    abortSignal: request.asked.signal,
    maxRetries: 0,
    providerOptions: withoutStorage,
  })
  return { output: result.output, model: result.response.modelId, tokens: tokensOf(result.usage) }
}

/** The invalid answer may repeat the data, so it is quoted like data. */
function repairing(parts: PromptParts, error: NoObjectGeneratedError): PromptParts {
  const fault = error.cause instanceof Error ? error.cause.message.slice(0, 500) : error.message
  const prompt = `${parts.prompt}\n\nYour last answer did not fit the form and is quoted with its error. Give the whole answer again so that it fits.`
  return { ...parts, prompt, data: { ...parts.data, lastAnswer: error.text?.slice(0, maxQuotedAnswer) ?? '', fault } }
}

function sum(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}
