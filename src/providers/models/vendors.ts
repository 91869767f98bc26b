import type { LanguageModel as SdkModel } from 'ai'
import { boundedFetch } from './bounded-fetch.ts'

/** The address and the key of a vendor, only from the environment. `url` is the base address with its version (`.../v1`). */
export type ModelEndpoint = { readonly url: string | null; readonly apiKey: string | null }
export type ModelEndpoints = {
  readonly openai: ModelEndpoint
  readonly anthropic: ModelEndpoint
  readonly google: ModelEndpoint
  readonly openaiCompatible: ModelEndpoint
}

/** What the SDK's middleware can wrap: not a name. */
export type VendorModel = Exclude<SdkModel, string>

/** A vendor of language models: its data, and a factory for one of its models. */
export type ModelVendor = {
  readonly id: string
  readonly title: string
  /** The vendor's upper limit; the lower limit is 0. */
  readonly maxTemperature: number
  readonly endpoint: (endpoints: ModelEndpoints) => ModelEndpoint
  /** The vendor's own base address, as its package has it; null if the environment must name one. */
  readonly url: string | null
  /** Whether its address is of any server, which may begin thoughts for its model and leave them in the answer. */
  readonly mayBeginThoughts: boolean
  /** The required settings, by the part of the endpoint that they set. */
  readonly requires: Readonly<Partial<Record<keyof ModelEndpoint, string>>>
  /** Loads the vendor's package on first use, because the service starts faster without it. */
  readonly open: (endpoint: ModelEndpoint, model: string) => Promise<VendorModel>
}

const openai: ModelVendor = {
  id: 'openai',
  title: 'OpenAI',
  maxTemperature: 2,
  endpoint: ({ openai }) => openai,
  url: 'https://api.openai.com/v1',
  mayBeginThoughts: false,
  requires: { apiKey: 'OPENAI_API_KEY' },
  open: async (endpoint, model) => (await import('@ai-sdk/openai')).createOpenAI(optionsOf(endpoint))(model),
}

const anthropic: ModelVendor = {
  id: 'anthropic',
  title: 'Anthropic',
  maxTemperature: 1,
  endpoint: ({ anthropic }) => anthropic,
  url: 'https://api.anthropic.com/v1',
  mayBeginThoughts: false,
  requires: { apiKey: 'ANTHROPIC_API_KEY' },
  open: async (endpoint, model) => (await import('@ai-sdk/anthropic')).createAnthropic(optionsOf(endpoint))(model),
}

const google: ModelVendor = {
  id: 'google',
  title: 'Google',
  maxTemperature: 2,
  endpoint: ({ google }) => google,
  url: 'https://generativelanguage.googleapis.com/v1beta',
  mayBeginThoughts: false,
  requires: { apiKey: 'GOOGLE_API_KEY' },
  open: async (endpoint, model) => (await import('@ai-sdk/google')).createGoogle(optionsOf(endpoint))(model),
}

/** Any server with OpenAI's chat completions, for example a local one; many need no key. */
const openaiCompatible: ModelVendor = {
  id: 'openai-compatible',
  title: 'OpenAI-compatible',
  maxTemperature: 2,
  endpoint: ({ openaiCompatible }) => openaiCompatible,
  url: null,
  mayBeginThoughts: true,
  requires: { url: 'OPENAI_COMPATIBLE_URL' },
  async open(endpoint, model) {
    const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
    const { baseURL = '', apiKey, fetch } = optionsOf(endpoint)
    const key = apiKey === undefined ? {} : { apiKey }
    return createOpenAICompatible({
      name: 'openai-compatible',
      baseURL,
      fetch,
      ...key,
      supportsStructuredOutputs: true,
      includeUsage: true,
    })(model)
  },
}

/** All vendors; the first is the default. */
export const modelVendors = [openai, anthropic, google, openaiCompatible] as const

function optionsOf({ url, apiKey }: ModelEndpoint): { baseURL?: string; apiKey?: string; fetch: typeof boundedFetch } {
  return { fetch: boundedFetch, ...(url === null ? {} : { baseURL: url }), ...(apiKey === null ? {} : { apiKey }) }
}
