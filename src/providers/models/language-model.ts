import { deadlineSignal } from '../../kernel/deadlines.ts'
import type { LanguageModel, ModelChoice } from '../../ports/language-model.ts'
import { AppError } from '../../kernel/errors.ts'
import type { Asked } from './errors.ts'
import { createModelHabits, type ModelHabits } from './habits.ts'
import { type ModelEndpoint, type ModelEndpoints, type ModelVendor, modelVendors } from './vendors.ts'

const defaultDeadlineMs = 30_000
const defaultConversationMs = 60_000

/**
 * A client for the model of a workspace's AI configuration; sends nothing until it is used. Throws NOT_CONFIGURED if no model is chosen, or
 * if its key or address is missing in the environment: the detail says what to set. `habits`: what the models of other choices have shown.
 */
export function createLanguageModel(
  choice: ModelChoice,
  endpoints: ModelEndpoints,
  habits: ModelHabits = createModelHabits(),
): LanguageModel {
  const { vendor, endpoint, url, model } = resolve(choice, endpoints)
  const { temperature, systemPromptAddendum: addendum } = choice
  const habit = habits(vendor, url, model)
  const requestWithin = (deadlineMs: number, signal: AbortSignal | undefined): Asked => {
    const deadline = deadlineSignal(deadlineMs)
    return { vendor, model, signal: signal ? AbortSignal.any([deadline, signal]) : deadline }
  }
  const loadForConversation = async () => Promise.all([import('./conversation.ts'), vendor.open(endpoint, model)])
  return {
    async structured({ instructions, prompt, data = {}, schema, timeZone, deadlineMs = defaultDeadlineMs, signal }) {
      const asked = requestWithin(deadlineMs, signal)
      const [{ fillForm }, sdkModel] = await Promise.all([import('./structured.ts'), vendor.open(endpoint, model)])
      return fillForm({ sdkModel, asked, habit, temperature, parts: { instructions, addendum, prompt, data }, schema, timeZone })
    },
    prepare: async () => void (await loadForConversation()),
    async *converse(conversation) {
      const asked = requestWithin(conversation.deadlineMs ?? defaultConversationMs, conversation.signal)
      const [{ continueConversation }, sdkModel] = await loadForConversation()
      yield* continueConversation({ sdkModel, asked, habit, temperature, addendum, conversation })
    },
  }
}

/** The base address of the chosen model's vendor, without a key. Throws as `createLanguageModel` does. */
export function addressOfModel(choice: ModelChoice, endpoints: ModelEndpoints): string {
  return resolve(choice, endpoints).url
}

type Resolved = { readonly vendor: ModelVendor; readonly endpoint: ModelEndpoint; readonly url: string; readonly model: string }

function resolve(choice: ModelChoice, endpoints: ModelEndpoints): Resolved {
  const vendor = modelVendors.find(({ id }) => id === choice.provider)
  if (!vendor) throw notConfigured(`The model provider "${choice.provider}" is not known here: choose another in the AI configuration`)
  if (choice.model === null) throw notConfigured('No language model is chosen: set "model" in the AI configuration')
  const endpoint = vendor.endpoint(endpoints)
  const missing = Object.entries(vendor.requires).flatMap(([part, setting]) => (partOf(endpoint, part) === null ? [setting] : []))
  if (missing.length > 0)
    throw notConfigured(`${vendor.title} cannot be used: set ${missing.join(' and ')} in the environment of the service`)
  const url = endpoint.url ?? vendor.url ?? ''
  return { vendor, endpoint: { ...endpoint, url }, url, model: choice.model }
}

function partOf(endpoint: ModelEndpoint, part: string): string | null {
  return part === 'url' ? endpoint.url : endpoint.apiKey
}

function notConfigured(detail: string): AppError {
  return new AppError('NOT_CONFIGURED', { detail })
}
