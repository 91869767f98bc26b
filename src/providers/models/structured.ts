import { generateText, Output, wrapLanguageModel } from 'ai'
import { z } from 'zod'
import { AppError } from '../../kernel/errors.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Tokens } from '../../ports/conversation.ts'
import { type Asked, contentRefused, modelError, refusesForm } from './errors.ts'
import type { FormKind, ModelHabit } from './habits.ts'
import { composePrompt, type PromptParts } from './prompt.ts'
import { readForm } from './read-form.ts'
import { hasOpenThought, keepQuotedTags, thoughtFilters, tokensOf, withoutStorage } from './sdk.ts'
import type { VendorModel } from './vendors.ts'

export type FormRequest<Value> = {
  readonly sdkModel: VendorModel
  readonly asked: Asked
  readonly habit: ModelHabit
  readonly temperature: number
  readonly parts: PromptParts
  readonly schema: z.ZodType<Value>
  readonly timeZone?: string | undefined
}
export type FilledForm<Value> = { readonly output: Value; readonly model: string; readonly tokens: Tokens }

const maxQuotedAnswer = 4_000
const retryAfterSeconds = 5

/**
 * Has the model fill in a form. After an answer without a meaning it asks once more, with the error. A first request that fails on the way is
 * repeated by the guard of the port, within its budget.
 */
export async function fillForm<Value>(request: FormRequest<Value>): Promise<FilledForm<Value>> {
  try {
    const first = await ask(request)
    if (first.read?.success) return { output: first.read.data, model: first.model, tokens: first.tokens }
    const second = await ask({ ...request, parts: repairing(request, first) }).catch((error: unknown) => {
      throw notRepeated(modelError(error, request.asked))
    })
    if (!second.read?.success) throw unusable(second, request.asked)
    return { output: second.read.data, model: second.model, tokens: sum(first.tokens, second.tokens) }
  } catch (error) {
    throw modelError(error, request.asked)
  }
}

/** The guard would repeat the first request too. */
function notRepeated(error: AppError): AppError {
  const { reason, message: detail, cause, data } = error
  if (reason !== 'PROVIDER_UNAVAILABLE') return error
  return new AppError(reason, { detail, cause, data: { retryAfterSeconds, ...data } })
}

const laxer: Readonly<Partial<Record<FormKind, FormKind>>> = { schema: 'json', json: 'text' }

/** In the strictest form that the server takes. Many take no schema, and some not even `json_object`. */
async function ask<Value>(request: FormRequest<Value>, kind: FormKind = request.habit.form()): ReturnType<typeof askIn<Value>> {
  try {
    const answer = await askIn(kind, request)
    request.habit.noteForm(kind)
    return answer
  } catch (error) {
    const next = laxer[kind]
    if (next === undefined || !refusesForm(error)) throw error
    return ask(request, next)
  }
}

async function askIn<Value>(kind: FormKind, { sdkModel, asked, temperature, parts, schema, timeZone }: FormRequest<Value>) {
  const { text, finishReason, response, usage } = await generateText({
    model: wrapLanguageModel({ model: sdkModel, middleware: [...thoughtFilters({ isBegun: true }), keepQuotedTags] }),
    // Read as text, because the SDK would refuse every answer that is not bare JSON.
    output: { ...Output.text(), responseFormat: formatOf(kind, schema) },
    ...composePrompt(kind === 'schema' ? parts : withForm(parts, schema)),
    temperature,
    abortSignal: asked.signal,
    maxRetries: 0,
    providerOptions: withoutStorage,
  })
  if (finishReason === 'content-filter') throw contentRefused(asked.vendor)
  const isCut = finishReason === 'length'
  const read = hasOpenThought(text) ? null : readForm(schema, { text, isCut, timeZone })
  return { text, finishReason, read, model: response.modelId, tokens: tokensOf(usage) }
}

function formatOf(kind: FormKind, schema: z.ZodType): ReturnType<typeof Output.text>['responseFormat'] {
  if (kind === 'text') return Output.text().responseFormat
  return kind === 'json' ? Output.json().responseFormat : Output.object({ schema }).responseFormat
}

/** Servers that take `json_object` ask for the word JSON. */
function withForm(parts: PromptParts, schema: z.ZodType): PromptParts {
  const form = JSON.stringify(z.toJSONSchema(schema, { io: 'input' }))
  const rule = `Answer with JSON only, in this form (a JSON Schema): ${form}`
  return parts.instructions.includes(rule) ? parts : { ...parts, instructions: `${parts.instructions}\n\n${rule}` }
}

type Unread = Pick<Awaited<ReturnType<typeof ask>>, 'text' | 'finishReason' | 'read'>

/** The invalid answer may repeat the data, so it is quoted like data. A server that ignores the schema has not shown it to the model. */
function repairing({ parts, schema }: Pick<FormRequest<unknown>, 'parts' | 'schema'>, { text, finishReason, read }: Unread): PromptParts {
  const cut = finishReason === 'length' ? ' It was too long and was cut off: write less.' : ''
  const prompt = `${parts.prompt}\n\nYour last answer did not fit the form and is quoted with its error.${cut} Give the whole answer again so that it fits.`
  const fault = read?.error ? z.prettifyError(read.error).slice(0, 1_000) : 'It is not one whole JSON object'
  return { ...withForm(parts, schema), prompt, data: { ...parts.data, lastAnswer: text.slice(0, maxQuotedAnswer), fault } }
}

/** Without the answer's text, because the log must not quote a patient. */
function unusable({ finishReason }: Unread, { vendor }: Asked): AppError {
  const cause = new Refusal({ provider: vendor.id, code: 'answer-does-not-fit', subCode: finishReason })
  return new AppError('PROVIDER_ANSWER_INVALID', { detail: 'The language model twice gave an answer that does not fit', cause })
}

function sum(a: Tokens, b: Tokens): Tokens {
  return { input: a.input + b.input, output: a.output + b.output }
}
