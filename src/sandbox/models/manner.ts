import { z } from 'zod'
import type { StandInAnswer } from '../stand-in.ts'
import type { ModelAsk } from './ask.ts'
import type { Reply } from './reply.ts'

export const mannerSchema = z.enum(['json', 'fence', 'prose', 'thinking', 'thinking-begun'])
/** `thinking-begun`: the server's template has begun the thoughts, so that only their end is in the answer. */
export type Manner = z.output<typeof mannerSchema>

const manners: Readonly<Record<Manner, (json: string) => string>> = {
  json: (json) => json,
  fence: (json) => `\`\`\`json\n${json}\n\`\`\``,
  prose: (json) => `Here is the form that you asked for:\n\n\`\`\`json\n${json}\n\`\`\`\n\nLet me know if you need anything else!`,
  thinking: (json) => `<think>\nThe user wants a form like {"summary": ...}. I fill it in.\n</think>\n\n${json}`,
  'thinking-begun': (json) => `Okay, the user wants a form like {"summary": ...}.\n</think>\n\n${json}`,
}

/** The answer to a form, written in this manner. */
export function styled(ask: ModelAsk, reply: Reply, manner: Manner): Reply {
  return ask.format === 'text' ? reply : { ...reply, text: manners[manner](reply.text) }
}

export function endedBy(ended: Reply['ended'], reply: Reply): Reply {
  if (ended === undefined) return reply
  return { ...reply, ended, text: ended === 'length' ? reply.text.slice(0, Math.ceil(reply.text.length / 2)) : '' }
}

const refusals = {
  quota: {
    status: 429,
    body: {
      message:
        'You exceeded your current quota, please check your plan and billing details. For more information on this error, read the docs: https://platform.openai.com/docs/guides/error-codes/api-errors.',
      type: 'insufficient_quota',
      param: null,
      code: 'insufficient_quota',
    },
  },
  credit: { status: 402, body: { message: 'Insufficient Balance', type: 'unknown_error', param: null, code: 'invalid_request_error' } },
  limit: {
    status: 429,
    body: {
      message: 'Rate limit reached for requests per min. Please try again in 20s.',
      type: 'requests',
      param: null,
      code: 'rate_limit_exceeded',
    },
  },
  filter: {
    status: 400,
    body: {
      message: "The response was filtered due to the prompt triggering Azure OpenAI's content management policy.",
      type: null,
      param: 'prompt',
      code: 'content_filter',
      status: 400,
      innererror: {
        code: 'ResponsibleAIPolicyViolation',
        content_filter_result: { violence: { filtered: true, severity: 'medium' } },
      },
    },
  },
} as const

/** The forms of answers that a server takes, of `response_format`. */
export const formsSchema = z.array(z.enum(['json_schema', 'json_object'])).readonly()
export type AnswerForm = z.output<typeof formsSchema>[number]

/** As DeepSeek refuses a form that it does not take, and all servers `json_object` if nothing in the prompt asks for JSON. */
export function refusedForm({ format, instructions, messages }: ModelAsk, taken: readonly AnswerForm[]): string | null {
  if (format === 'text') return null
  if (!taken.includes(format === 'json' ? 'json_object' : 'json_schema')) return 'This response_format type is unavailable now'
  const prompt = [instructions, ...messages.map(({ text }) => text)].join('\n')
  if (format !== 'json' || /json/i.test(prompt)) return null
  return "'messages' must contain the word 'json' in some form, to use 'response_format' of type 'json_object'."
}

export const refusalSchema = z.strictObject({ as: z.enum(['quota', 'credit', 'limit', 'filter']), times: z.int().positive().default(1) })

/** What OpenAI, DeepSeek and Azure answer. */
export function refusalAs(kind: keyof typeof refusals): StandInAnswer {
  const { status, body: error } = refusals[kind]
  return { status, body: { error } }
}
